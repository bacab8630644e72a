/** For an engine whose driver does not relay the console: a page keeps its complaints itself. */
export function recordComplaints() {
  window.complaints = [];
  const keep = (...words) => window.complaints.push(words.join(" "));
  for (const kind of ["warn", "error"]) {
    const write = console[kind];
    console[kind] = (...words) => {
      keep(kind, ...words);
      write(...words);
    };
  }
  addEventListener(
    "error",
    (event) => keep("error", event.message ?? event.target.outerHTML),
    true,
  );
  addEventListener("unhandledrejection", (event) => keep("rejected", event.reason));
  document.addEventListener("securitypolicyviolation", (event) =>
    keep("policy", event.violatedDirective, "blocked", event.blockedURI),
  );
}
