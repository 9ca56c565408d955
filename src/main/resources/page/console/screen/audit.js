// @ts-check
import { call, download } from "../api.js";
import { AUDIT_EVENTS } from "./events.js";
import { datedName, saveFile } from "./files.js";
import { formatTime, messages } from "../messages.js";
import { formView, html, loadedView, nothing, reported, tableView, update } from "../parts.js";

const texts = messages.audit;
const ROOT = "dashboard/audit-logs";
const FILTERS = /** @type {const} */ (["event", "actorId", "targetId", "dateFrom", "dateTo"]);

/**
 * @param {string} label
 * @param {Schemas["AuditEntry"][]} entries
 */
export const entriesView = (label, entries) =>
  tableView(
    label,
    [texts.when, texts.event, texts.who, texts.target, texts.address, texts.details],
    entries.map((entry) => [
      formatTime(entry.createdAt),
      html`<code class="event">${entry.event.split(".").map((part, index) => (index ? html`<wbr />.${part}` : part))}</code>`,
      `${entry.actorType} ${entry.actorId ?? ""}`,
      entry.targetType ? `${entry.targetType} ${entry.targetId ?? ""}` : "–",
      entry.ipAddress ?? messages.none,
      entry.metadata ? html`<code>${JSON.stringify(entry.metadata)}</code>` : "–",
    ]),
  );

/**
 * Who did what in the project, newest first; the address can name a filter.
 * @param {ProjectContext} context
 * @param {string[]} filterOfAddress
 */
export function auditView(context, [name, value]) {
  const given = FILTERS.find((filter) => filter === name);
  /** @type {{ [filter in typeof FILTERS[number]]?: string }} */
  let filters = given && value ? { [given]: value } : {};
  /** @type {Schemas["AuditEntry"][]} */
  let entries = [];
  /** @type {string | null} */
  let next = null;
  /**
   * @param {typeof filters} chosen
   * @param {string | null} cursor
   */
  async function load(chosen, cursor) {
    const query = new URLSearchParams({ limit: "50", ...chosen, ...(cursor ? { cursor } : {}) });
    const page = await call("GET", `${context.path}/audit-logs?${query}`);
    filters = chosen;
    entries = cursor ? [...entries, ...page.data] : page.data;
    next = page.nextCursor;
    return entries;
  }
  const list = loadedView(
    () => load(filters, null),
    () =>
      entries.length === 0
        ? html`<p class="blank" role="status">${texts.empty}</p>`
        : html`${entriesView(messages.project.audit, entries)}
          ${next
            ? html`<button type="button" @click=${reported(async () => (await load(filters, next), update()))}>
                ${messages.more}
              </button>`
            : nothing}`,
  );
  const filter = formView("filter", {
    isFilter: true,
    fields: [
      { name: "event", label: texts.event, help: texts.eventHelp, suggestions: AUDIT_EVENTS, value: filters.event },
      { name: "actorId", label: texts.actorId, value: filters.actorId },
      { name: "targetId", label: texts.targetId, value: filters.targetId },
      { name: "dateFrom", type: "date", label: texts.dateFrom },
      { name: "dateTo", type: "date", label: texts.dateTo },
    ],
    button: texts.filter,
    submit: (values) => {
      const typed = FILTERS.map((filter) => [filter, values[filter].trim()]).filter(([, text]) => text !== "");
      return load(Object.fromEntries(typed), null);
    },
  });
  const save = reported(async () => {
    const query = new URLSearchParams({ projectId: context.id, ...filters });
    saveFile(await download(`${ROOT}/export?${query}`), datedName("audit", "ndjson"));
  }, texts.exported);
  return () => html`<div class="head">
      <h1>${messages.project.audit}</h1>
      <button type="button" class="button" @click=${save}>${texts.export}</button>
    </div>
    <section>
    ${filter()} ${list()}
  </section>`;
}
