/** Keep what each run reports. */
export function recordProgress() {
  window.progress = [];
  document.addEventListener("attn:progress", (event) => window.progress.push(event.detail));
}

/** Change the theme, and wait until colours that fade have arrived. */
export async function changeTheme(theme) {
  document.documentElement.dataset.theme = theme;
  await new Promise((resume) => requestAnimationFrame(resume));
  await Promise.all(document.getAnimations().map((animation) => animation.finished));
}
