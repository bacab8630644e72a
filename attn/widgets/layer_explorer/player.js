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
export function journeyPlayer(parent, page, state) {
  const all = steps(state);
  const changes = (step) => ({ step, trail: [] });
  const go = (step) => page.change(changes(step));
  const by = (way) => () => go((page.state().step + way + all.length + 1) % (all.length + 1));
  const node = add(
    parent,
    html("div", { class: "attn-player", role: "group", "aria-label": "journey" }),
  );
  const row = add(node, html("div", { class: "attn-player-row" }));
  const back = button(row, { label: "‹", click: by(-1) });
  page.player("step", {
    ...{ parent: row, each: EACH, value: stepOf, changes },
    ...{ first: 1, last: () => all.length },
  });
  const forth = button(row, { label: "›", click: by(1) });
  back.setAttribute("aria-label", "previous step");
  forth.setAttribute("aria-label", "next step");
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
  const pick = (number) => go(page.state().step === number ? 0 : number);
  const show = ({ step }) =>
    chips.forEach((chip, i) => chip.setAttribute("aria-pressed", i + 1 === step));
  return Object.assign(show, { node, row });
}
