/** Editors, loaded when an exercise comes near: until then the page shows the highlighted starter. */
import { element } from "./verdict-card.mjs";

const TAB_KEY = "attn:tab-indents";
let bundle = null;

/** The editor's code, once for the page; where it cannot be had, a plain text area does its work. */
export function loadEditor() {
  bundle ??= import("../editor/editor.mjs").catch(() => ({ mount: mountTextArea }));
  return bundle;
}

/** Call `near` once, when the element is about to be seen or when the keyboard reaches it. */
export function whenNear(target, near) {
  const watcher = new IntersectionObserver(
    (entries) => entries.some((entry) => entry.isIntersecting) && arrive(),
    { rootMargin: "400px" },
  );
  const arrive = () => {
    watcher.disconnect();
    target.removeEventListener("focusin", arrive);
    near();
  };
  target.addEventListener("focusin", arrive);
  watcher.observe(target);
}

export function readTabChoice(storage) {
  try {
    return storage?.getItem(TAB_KEY) === "yes";
  } catch {
    return false;
  }
}

export function keepTabChoice(storage, indents) {
  try {
    storage?.setItem(TAB_KEY, indents ? "yes" : "no");
  } catch {
    // The choice then lasts as long as the page.
  }
}

function mountTextArea({ parent, text, label, describedBy, onChange, onRun }) {
  const area = element("textarea", {
    className: "attn-exercise-plain",
    value: text,
    rows: text.split("\n").length + 1,
    spellcheck: false,
    aria: { label, describedby: describedBy },
  });
  area.oninput = () => onChange(area.value);
  area.onkeydown = (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey || event.shiftKey)) return;
    event.preventDefault();
    onRun();
  };
  parent.append(area);
  return {
    setTabIndents: () => {},
    setText: (next) => {
      area.value = next;
    },
  };
}
