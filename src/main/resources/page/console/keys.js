import { call } from "./api.js";
import { t, when } from "./messages.js";
import { action, ask, form, html, nothing, pages, secret, table, update } from "./parts.js";

const x = t.keys;

/** The API keys of a project; a new one is shown once. */
export function keys(space) {
  let made = null;
  let reload = () => {};
  const list = pages(
    async (offset) => {
      const page = await call("GET", `${space.path}/keys?limit=50&offset=${offset}`);
      return { items: page.keys, total: page.total };
    },
    (found, again) => {
      reload = again;
      return found.length === 0
        ? html`<p>${x.empty}</p>`
        : table(
            t.project.keys,
            [t.name, x.kind, x.key, x.made, x.lastUsed, ...(space.owner ? [""] : [])],
            found.map((key) => [
              key.name ?? "–",
              x[key.kind],
              html`<code>${key.key}</code>`,
              when(key.createdAt),
              when(key.lastUsedAt),
              ...(space.owner ? [revoke(key)] : []),
            ]),
          );
    },
  );
  const revoke = (key) =>
    html`<button
      type="button"
      aria-label=${x.revokeOf(key.name ?? key.key)}
      @click=${() =>
        ask(
          x.revokeAsk(key.name ?? key.key),
          x.revoke,
          action(async () => {
            await call("DELETE", `${space.path}/keys/${key.id}`);
            await reload();
          }, x.revoked),
        )}
    >
      ${x.revoke}
    </button>`;
  const create = form("new-key", {
    fields: [
      {
        name: "kind",
        type: "select",
        label: x.kind,
        value: "publishable",
        options: [
          ["publishable", x.publishable],
          ["secret", x.secret],
        ],
      },
      { name: "name", label: t.name, help: x.nameHelp },
    ],
    button: x.create,
    submit: async ({ kind, name }, element) => {
      made = await call("POST", `${space.path}/keys`, { kind, name: name.trim() || null });
      element.reset();
      update();
      await reload();
    },
  });
  return () => html`<section>
      <h2>${t.project.keys}</h2>
      ${list()}
    </section>
    ${space.owner
      ? html`<section>
          <h2>${x.create}</h2>
          ${made === null
            ? nothing
            : html`<div role="status">
                <p>${x.createdTitle}. ${made.kind === "secret" ? t.projects.secretOnce : ""}</p>
                ${secret(x[made.kind], made.key)}
              </div>`}
          ${create()}
        </section>`
      : nothing}`;
}
