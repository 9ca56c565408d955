/** What goes on in a project: plots, and the same numbers as a table. */
import { call } from "./api.js";
import { number, step, t } from "./messages.js";
import { html, loaded, nothing, svg, table, update } from "./parts.js";

const x = t.overview;
const PERIODS = ["24h", "7d", "30d"];
const COUNTS = ["signUps", "signIns", "failedSignIns", "activeUsers", "webhooksDelivered", "webhooksFailed"];
const PLOTS = [
  ["signUps", ["signUps"]],
  ["signIns", ["signIns"]],
  ["failedSignIns", ["failedSignIns"]],
  ["activeUsers", ["activeUsers"]],
  ["deliveries", ["webhooksDelivered", "webhooksFailed"]],
];
const BAD = new Set(["failedSignIns", "webhooksFailed"]);
const STEP = 10; // of the drawing's own units
const GAP = 1;
const HEIGHT = 100;

const sum = (at, names) => names.reduce((total, name) => total + at[name], 0);

function bar(at, index, names, most, name) {
  let top = HEIGHT;
  return svg`<g>
    <title>${name}</title>
    <rect class="step" x=${index * STEP} y="0" width=${STEP} height=${HEIGHT}></rect>
    ${names.map((count) => {
      const height = (at[count] / most) * HEIGHT;
      top -= height;
      return svg`<rect class=${BAD.has(count) ? "bad" : "good"} x=${index * STEP + GAP} y=${top} width=${STEP - 2 * GAP} height=${height}></rect>`;
    })}
  </g>`;
}

function plot(found, [title, names]) {
  const { interval, series, totals } = found;
  const most = Math.max(...series.map((at) => sum(at, names)));
  const peak = series.find((at) => sum(at, names) === most);
  const time = (at) => step(interval, at.at);
  const counts = (at) =>
    names.length === 1 ? number(at[names[0]]) : names.map((name) => `${x[name]} ${number(at[name])}`).join(", ");
  const highest = most === 0 ? "" : x.most(number(most), time(peak));
  const summary = [`${x[title]}: ${counts(totals)}`, highest].filter(Boolean).join("; ");
  return html`<figure>
    <figcaption>
      <h3>${x[title]}</h3>
      <div class="totals">
        ${names.map(
          (name) =>
            html`<span>
              ${names.length > 1 ? html`<span class="swatch ${BAD.has(name) ? "bad" : "good"}"></span> ${x[name]}` : nothing}
              <strong>${number(totals[name])}</strong>
            </span>`,
        )}
      </div>
    </figcaption>
    <p class="peak" aria-hidden="true">${highest}</p>
    <svg
      role="img"
      aria-label=${summary}
      viewBox="0 0 ${series.length * STEP} ${HEIGHT}"
      preserveAspectRatio="none"
      focusable="false"
    >
      ${series.map((at, index) => bar(at, index, names, Math.max(most, 1), `${time(at)}: ${counts(at)}`))}
    </svg>
    <div class="axis" aria-hidden="true">
      <span>${time(series[0])}</span><span>${time(series.at(-1))}</span>
    </div>
  </figure>`;
}

function numbers(found) {
  if (sum(found.totals, COUNTS) === 0) {
    return html`<p>${x.empty}</p>`;
  }
  return html`<div class="plots">${PLOTS.map((one) => plot(found, one))}</div>
    <details>
      <summary>${x.asTable}</summary>
      ${table(
        x.asTable,
        [x[found.interval], ...COUNTS.map((name) => x[name])],
        found.series.map((at) => [step(found.interval, at.at), ...COUNTS.map((name) => number(at[name]))]),
      )}
    </details>`;
}

export function overview(space) {
  let period;
  let view;
  const choose = (chosen) => {
    period = chosen;
    view = loaded(
      () => call("GET", `${space.path}/statistics?period=${chosen}`),
      (found) => html`<p>${x.users}: <strong>${number(found.totals.users)}</strong></p>
        ${numbers(found)}`,
    );
    update();
  };
  choose(PERIODS[0]);
  return () => html`<section>
    <div class="head">
      <h2>${t.project.overview}</h2>
      <div class="group" role="group" aria-label=${x.period}>
        ${PERIODS.map(
          (one) =>
            html`<button type="button" aria-pressed=${one === period ? "true" : "false"} @click=${() => choose(one)}>
              ${x[one]}
            </button>`,
        )}
      </div>
    </div>
    ${view()}
  </section>`;
}
