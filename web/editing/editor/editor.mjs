/** The code editor of an exercise: CodeMirror 6 with Python, and a Tab key that leaves it. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { Compartment, EditorState, Prec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

const language = [
  python(),
  indentUnit.of("    "),
  EditorState.tabSize.of(4),
  indentOnInput(),
  bracketMatching(),
  syntaxHighlighting(classHighlighter),
];

/** Both run keys win over the default of Enter, which would break the line. */
function runKeys(onRun) {
  const run = () => {
    onRun();
    return true;
  };
  return Prec.highest(
    keymap.of([
      { key: "Mod-Enter", run },
      { key: "Ctrl-Enter", run },
      { key: "Shift-Enter", run },
    ]),
  );
}

const tabKeys = (indents) => (indents ? keymap.of([indentWithTab]) : []);

/**
 * Mount an editor.
 * @param {object} options
 * @param {HTMLElement} options.parent
 * @param {string} options.text
 * @param {string} options.label      what a screen reader says of it
 * @param {string} options.describedBy id of the element with the keyboard help
 * @param {boolean} options.tabIndents
 * @param {(text: string) => void} options.onChange  called for the reader's edits only
 * @param {() => void} options.onRun
 */
export function mount({ parent, text, label, describedBy, tabIndents, onChange, onRun }) {
  const tab = new Compartment();
  let quiet = false;
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      runKeys(onRun),
      tab.of(tabKeys(tabIndents)),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      history(),
      lineNumbers(),
      highlightSpecialChars(),
      drawSelection(),
      language,
      EditorView.contentAttributes.of({
        "aria-label": label,
        "aria-describedby": describedBy,
        spellcheck: "false",
        // Editable text takes the Tab key anyway; written out, a checker of scrolling boxes sees it.
        tabindex: "0",
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !quiet) onChange(view.state.doc.toString());
      }),
    ],
  });

  return {
    setTabIndents: (indents) => view.dispatch({ effects: tab.reconfigure(tabKeys(indents)) }),
    /** Replace the text without reporting it as an edit; the editor's own undo can take it back. */
    setText(next) {
      if (next === view.state.doc.toString()) return;
      quiet = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
      quiet = false;
    },
  };
}
