// @ts-check
/** The activity in a project: plots, and the same numbers as a table. */
import { call } from "../api.js";
import { iconView } from "../icons.js";
import { fill, formatNumber, formatStep, messages } from "../messages.js";
import { html, loadedView, nothing, svg, tableView, update } from "../parts.js";

const texts = messages.overview;
const PERIODS = /** @type {const} */ (["24h", "7d", "30d"]);
const COUNTS = /** @type {const} */ ([
  "signUps",
  "signIns",
  "failedSignIns",
  "activeUsers",
  "webhooksDelivered",
  "webhooksFailed",
]);
/** @typedef {typeof COUNTS[number]} CountName */

/** @type {{ title: keyof typeof texts & ("deliveries" | CountName), names: CountName[] }[]} */
const PLOTS = [
  { title: "signUps", names: ["signUps"] },
  { title: "signIns", names: ["signIns"] },
  { title: "failedSignIns", names: ["failedSignIns"] },
  { title: "activeUsers", names: ["activeUsers"] },
  { title: "deliveries", names: ["webhooksDelivered", "webhooksFailed"] },
];
/** @type {Set<CountName>} */
const BAD = new Set(["failedSignIns", "webhooksFailed"]);
const STEP = 10; // in the units of the drawing
const GAP = 1;
const HEIGHT = 100;

/** @typedef {Schemas["ActivityCounts"]} Counts */

/**
 * @param {Counts} counts
 * @param {readonly CountName[]} names
 */
const sumOf = (counts, names) => names.reduce((total, name) => total + counts[name], 0);

/**
 * @param {Counts} counts
 * @param {number} index
 * @param {CountName[]} names
 * @param {number} most
 * @param {string} title
 */
function barView(counts, index, names, most, title) {
  let top = HEIGHT;
  return svg`<g>
    <title>${title}</title>
    <rect class="step" x=${index * STEP} y="0" width=${STEP} height=${HEIGHT}></rect>
    ${names.map((name) => {
      const height = (counts[name] / most) * HEIGHT;
      top -= height;
      const kind = BAD.has(name) ? "bad" : "good";
      return svg`<rect class=${kind} x=${index * STEP + GAP} y=${top} width=${STEP - 2 * GAP} height=${height}></rect>`;
    })}
  </g>`;
}

/**
 * @param {Schemas["ProjectStatistics"]} statistics
 * @param {typeof PLOTS[number]} plot
 */
function plotView({ interval, series, totals }, { title, names }) {
  const sums = series.map((step) => sumOf(step, names));
  const most = Math.max(...sums);
  const times = series.map((step) => formatStep(interval, step.at));
  /** @param {Counts} counts */
  const written = (counts) =>
    names.length === 1
      ? formatNumber(counts[names[0]])
      : names.map((name) => `${texts[name]} ${formatNumber(counts[name])}`).join(", ");
  const highest = most === 0 ? "" : fill(texts.most, { count: formatNumber(most), at: times[sums.indexOf(most)] });
  const summary = [`${texts[title]}: ${written(totals)}`, highest].filter(Boolean).join("; ");
  return html`<figure>
    <figcaption>
      <h2>${texts[title]}</h2>
      <div class="totals">
        ${names.map(
          (name) =>
            html`<span>
              ${names.length > 1 ? html`<span class="swatch ${BAD.has(name) ? "bad" : "good"}"></span> ${texts[name]}` : nothing}
              <strong>${formatNumber(totals[name])}</strong>
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
      ${series.map((step, index) => barView(step, index, names, Math.max(most, 1), `${times[index]}: ${written(step)}`))}
    </svg>
    <div class="axis" aria-hidden="true">
      <span>${times[0]}</span><span>${times.at(-1)}</span>
    </div>
  </figure>`;
}

/** @param {Schemas["ProjectStatistics"]} statistics */
function countsView(statistics) {
  const { interval, series, totals } = statistics;
  if (sumOf(totals, COUNTS) === 0) {
    return html`<p class="blank">${texts.empty}</p>`;
  }
  return html`<div class="plots">${PLOTS.map((plot) => plotView(statistics, plot))}</div>
    <details>
      <summary>${texts.asTable}</summary>
      ${tableView(
        texts.asTable,
        [texts[interval], ...COUNTS.map((name) => texts[name])],
        series.map((step) => [formatStep(interval, step.at), ...COUNTS.map((name) => formatNumber(step[name]))]),
      )}
    </details>`;
}

/**
 * @param {ProjectContext} context
 * @returns {View}
 */
export function overviewView(context) {
  /** @param {typeof PERIODS[number]} period */
  const load = (period) =>
    loadedView(
      () => call("GET", `${context.path}/statistics?period=${period}`),
      (statistics) => html`<section>
        <p>${texts.users}: <strong>${formatNumber(statistics.totals.users)}</strong></p>
        ${countsView(statistics)}
        ${statistics.totals.users === 0
          ? html`<a class="button" href="#/projects/${context.id}/quickstart">${iconView("quickstart")} ${messages.project.quickstart}</a>`
          : nothing}
      </section>`,
    );
  /** @type {typeof PERIODS[number]} */
  let chosen = PERIODS[0];
  let view = load(chosen);
  /** @param {typeof PERIODS[number]} period */
  const choose = (period) => {
    chosen = period;
    view = load(period);
    update();
  };
  return () => html`<div class="head">
      <h1>${messages.project.overview}</h1>
      <div class="group" role="group" aria-label=${texts.period}>
        ${PERIODS.map(
          (period) =>
            html`<button type="button" aria-pressed=${period === chosen ? "true" : "false"} @click=${() => choose(period)}>
              ${texts[period]}
            </button>`,
        )}
      </div>
    </div>
    ${view()}`;
}
