import { call, download } from "./api.js";
import { EVENTS } from "./events.js";
import { keep, named } from "./files.js";
import { t, when } from "./messages.js";
import { action, form, html, loaded, nothing, table, update } from "./parts.js";

const x = t.audit;
const ROOT = "dashboard/audit-logs";
const FILTERS = ["event", "actorId", "targetId", "dateFrom", "dateTo"];

export const entriesTable = (label, entries) =>
  table(
    label,
    [x.when, x.event, x.who, x.target, x.address, x.details],
    entries.map((entry) => [
      when(entry.createdAt),
      html`<code class="event">${entry.event.split(".").map((part, index) => (index ? html`<wbr />.${part}` : part))}</code>`,
      `${entry.actorType} ${entry.actorId ?? ""}`,
      entry.targetType ? `${entry.targetType} ${entry.targetId ?? ""}` : "–",
      entry.ipAddress ?? t.none,
      entry.metadata ? html`<code>${JSON.stringify(entry.metadata)}</code>` : "–",
    ]),
  );

/** Who did what in the project, newest first; an address below it can name a filter. */
export function audit(space, [name, value]) {
  let filters = FILTERS.includes(name) && value ? { [name]: value } : {};
  let entries = [];
  let next = null;
  async function load(chosen, cursor) {
    const query = new URLSearchParams({ limit: "50", ...chosen, ...(cursor ? { cursor } : {}) });
    const page = await call("GET", `${space.path}/audit-logs?${query}`);
    filters = chosen;
    entries = cursor ? [...entries, ...page.data] : page.data;
    next = page.nextCursor;
    return entries;
  }
  const list = loaded(
    () => load(filters, null),
    () =>
      entries.length === 0
        ? html`<p role="status">${x.empty}</p>`
        : html`${entriesTable(t.project.audit, entries)}
          ${next
            ? html`<button type="button" @click=${action(async () => (await load(filters, next), update()))}>${t.more}</button>`
            : nothing}`,
  );
  const filter = form("filter", {
    isFilter: true,
    fields: [
      { name: "event", label: x.event, help: x.eventHelp, suggestions: EVENTS, value: filters.event },
      { name: "actorId", label: x.actorId, value: filters.actorId },
      { name: "targetId", label: x.targetId, value: filters.targetId },
      { name: "dateFrom", type: "date", label: x.dateFrom },
      { name: "dateTo", type: "date", label: x.dateTo },
    ],
    button: x.filter,
    submit: (values) => {
      const typed = FILTERS.map((one) => [one, values[one].trim()]).filter(([, text]) => text !== "");
      return load(Object.fromEntries(typed), null);
    },
  });
  const save = action(async () => {
    const query = new URLSearchParams({ projectId: space.id, ...filters });
    keep(await download(`${ROOT}/export?${query}`), named("audit", "ndjson"));
  }, x.exported);
  return () => html`<section>
    <div class="head">
      <h2>${t.project.audit}</h2>
      <button type="button" class="button" @click=${save}>${x.export}</button>
    </div>
    ${filter()} ${list()}
  </section>`;
}
