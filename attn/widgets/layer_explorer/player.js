// Play, pause and step through one word's journey.

import { button } from "../kit/controls.js";
import { add, html } from "../kit/elements.js";
import { stepOf, steps } from "./journey.js";

const EACH = 2200; // milliseconds a step

const ROOM = 7; // so many names of steps stand in one row; of more, their numbers do

const caption = (all, number, name) =>
  all.length > ROOM
    ? { text: number, title: name, "aria-label": `${number}, ${name}` }
    : { text: name };

// A row with ‹ Play › and a button for each step, and show(state).
export function player(parent, page, state) {
  let [timer, meant] = [0, null]; // `meant`: the step that Play has set; another one stops it
  const all = steps(state);
  const go = (step) => page.change({ step, trail: [] });
  const stop = () => {
    clearTimeout(timer);
    [timer, meant] = [0, null];
    face();
  };
  const next = () => {
    if (!node.isConnected) return;
    const step = stepOf(page.state());
    if (meant !== null && step !== meant) return stop();
    if (step === all.length) return stop();
    meant = step + 1;
    go(meant);
    timer = setTimeout(next, EACH);
    face();
  };
  const start = () => {
    if (stepOf(page.state()) === all.length) page.change({ step: 0 });
    next();
  };
  const by = (way) => () => {
    stop();
    go((page.state().step + way + all.length + 1) % (all.length + 1));
  };
  const node = add(
    parent,
    html("div", { class: "attn-player", role: "group", "aria-label": "journey" }),
  );
  const row = add(node, html("div", { class: "attn-player-row" }));
  const back = button(row, { label: "‹", click: by(-1) });
  const play = button(row, {
    label: "▶ Play",
    kind: "attn-play",
    click: () => (timer ? stop() : start()),
  });
  const forth = button(row, { label: "›", click: by(1) });
  back.setAttribute("aria-label", "previous step");
  forth.setAttribute("aria-label", "next step");
  const face = () => {
    play.textContent = timer ? "❚❚ Pause" : "▶ Play";
  };
  const names = add(node, html("div", { class: "attn-steps" }));
  const chips = all.map(({ number, name }) =>
    add(
      names,
      html("button", {
        type: "button",
        class: "attn-step-name",
        ...caption(all, number, name),
        onclick: () => pick(number),
      }),
    ),
  );
  const pick = (number) => {
    stop();
    go(page.state().step === number ? 0 : number);
  };
  return Object.assign(
    ({ step }) => {
      if (timer && step !== meant) stop();
      chips.forEach((chip, i) => chip.setAttribute("aria-pressed", i + 1 === step));
    },
    { node, row },
  );
}
