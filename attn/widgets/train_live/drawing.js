// A small attention model that learns in the page: its loss, its weights and where it looks.

import { add, html } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { fixed, percent } from "../kit/format.js";
import { attentionMaps } from "./attention_maps.js";
import { lossChart } from "./loss_chart.js";
import { player } from "./player.js";
import { compute, looks, sentence } from "./state.js";
import { startRun } from "./training.js";
import { weightMaps } from "./weight_maps.js";

export { compute, sentence };

// Whatever is set, the training begins anew.
function settings(page, spec) {
  const anew = (name) => (value) => ({ [name]: value, step: 0 });
  const rates = spec.controls.rate;
  page.select("task", {
    label: "task",
    changes: (task) => ({ task, ...spec.start[task], step: 0 }),
  });
  page.slider("rate", {
    label: "rate",
    ...{ min: 0, max: rates.length - 1, step: 1 },
    format: (k) => rates[k][1],
    value: ({ rate }) => rates.findIndex(([x]) => x === rate),
    changes: (k) => ({ rate: rates[k][0], step: 0 }),
  });
  page.slider("heads", { label: "heads", changes: anew("heads") });
  page.slider("seed", { label: "seed", changes: anew("seed") });
  page.checkbox("positions", { label: "positions", changes: anew("positions") });
}

const NUMBERS = ["step", "loss", "right"];

function build(page, state) {
  const { spec, task, heads } = state;
  const run = startRun({ ...state, step: 0 });
  const part = (name) => add(page.stage, html("div", { "data-part": name }));
  const maps = attentionMaps(part("looks"), { task, heads, rows: looks(state, run) });
  const side = part("learning");
  const readings = NUMBERS.map((name) => [name, html("b")]);
  add(
    side,
    html(
      "p",
      { class: "attn-readings" },
      ...readings.map(([name, node]) => html("span", {}, `${name} `, node)),
    ),
  );
  const chart = lossChart(side, { choices: spec.shapes[task].c });
  const matrices = weightMaps(side, spec.shapes[task]);
  const follow = player(page, page.panel, spec.last);
  settings(page, spec);
  const words = page.stage.parentElement.querySelector("output");
  return (now, result) => {
    // Read out when it stands still, not at every frame.
    words.setAttribute("aria-live", now.playing ? "off" : "polite");
    const { step, loss, right } = result;
    const texts = [`${step}`, loss === null ? "–" : fixed(loss), percent(right)];
    readings.forEach(([, node], k) => {
      node.textContent = texts[k];
    });
    maps(result.rows);
    chart(result);
    matrices(result.run.weights);
    follow(now, result);
  };
}

export default figure({
  name: "TrainLive",
  title: "A model that learns while you watch",
  lead: ({ spec }) =>
    `One layer of attention, trained in this page on ${spec.batch} new examples per step.`,
  compute,
  build,
  words: sentence,
  rebuildKey: ({ task, heads }) => [task, heads],
  tall: true,
});
