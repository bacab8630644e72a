// Play, pause, step, restart: a few steps per frame while the figure can be seen.

import { button } from "../kit/controls.js";
import { add, html } from "../kit/elements.js";
import { isCalm } from "../kit/motion.js";
import { face } from "../kit/player.js";
import { learn, settingsKey } from "./state.js";

const EACH = 10; // milliseconds per step, on a machine that is quick enough
const LONGEST_GAP = 120; // milliseconds whose steps are made up for
const MOST_MS = 6; // of training in one frame
const CALM_MS = 500; // between two drawings for a reader who wants no motion

/**
 * The buttons, and show(state, result). No frame comes while the page is hidden, and none is asked
 * for while the figure is out of sight.
 */
export function player(page, parent, last) {
  let [frame, visible, then, drawn] = [0, true, 0, 0];
  let [shownKey, shownStep, latest] = ["", 0, null];
  const row = add(
    parent,
    html("div", { class: "attn-run", role: "group", "aria-label": "training" }),
  );
  const play = button(row, {
    label: face(false),
    kind: "attn-play",
    click: () => start(page.state()),
  });
  const start = ({ playing, step }) =>
    page.change({ playing: !playing, step: !playing && step >= last ? 0 : latest.step });
  button(row, {
    label: "Step",
    click: () => page.change({ playing: false, step: Math.min(last, latest.step + 1) }),
  });
  button(row, { label: "Restart", click: () => page.change({ step: 0 }) });

  const wake = () => {
    if (!frame && visible && latest) frame = requestAnimationFrame(tick);
  };
  const tick = (now) => {
    frame = 0;
    if (!row.isConnected) return;
    const { playing, step: goal } = page.state();
    if (!playing && latest.step >= goal) return;
    if (now - then > LONGEST_GAP) then = now - EACH; // it was still, or the machine is slow
    const few = Math.floor((now - then) / EACH);
    then += few * EACH;
    const { run } = latest;
    learn(run, Math.min(playing ? last : goal, run.step + few), MOST_MS);
    if (!few || (isCalm() && now - drawn < CALM_MS && run.step < last)) {
      if (visible) frame = requestAnimationFrame(tick);
      return;
    }
    drawn = now;
    if (playing && run.step !== goal) page.change({ step: run.step, playing: run.step < last });
    else page.redraw();
  };
  const watcher = new IntersectionObserver((entries) => {
    visible = entries.at(-1).isIntersecting;
    wake();
  });
  watcher.observe(page.stage);

  return (state, result) => {
    const key = settingsKey(state);
    latest = result;
    play.textContent = face(state.playing);
    // A link or a notebook changed a setting and left the step: what is shown begins anew.
    const stale = shownKey && key !== shownKey && state.step > 0 && state.step === shownStep;
    [shownKey, shownStep] = [key, state.step];
    if (stale || (state.playing && state.step >= last)) page.change({ step: 0 });
    if (state.playing || result.step < state.step) wake();
  };
}
