import { call } from "./api.js";
import { t, when } from "./messages.js";
import { action, html, loaded, nothing, table, update } from "./parts.js";

const x = t.audit;

/** Who did what in the project, newest first. */
export function audit(space) {
  let entries = [];
  let next = null;
  async function load(cursor) {
    const query = new URLSearchParams({ limit: "50", ...(cursor ? { cursor } : {}) });
    const page = await call("GET", `${space.path}/audit-logs?${query}`);
    entries = cursor ? [...entries, ...page.data] : page.data;
    next = page.nextCursor;
    return entries;
  }
  const list = loaded(
    () => load(null),
    () =>
      entries.length === 0
        ? html`<p>${x.empty}</p>`
        : html`${table(
            t.project.audit,
            [x.when, x.event, x.who, x.target, x.address],
            entries.map((entry) => [
              when(entry.createdAt),
              html`<code>${entry.event}</code>`,
              `${entry.actorType} ${entry.actorId ?? ""}`,
              entry.targetType ? `${entry.targetType} ${entry.targetId ?? ""}` : "–",
              entry.ipAddress ?? t.none,
            ]),
          )}
          ${next
            ? html`<button type="button" @click=${action(async () => (await load(next), update()))}>${t.more}</button>`
            : nothing}`,
  );
  return () => html`<section>
    <h2>${t.project.audit}</h2>
    ${list()}
  </section>`;
}
