// @ts-check
import { call } from "../api.js";
import { fill, messages } from "../messages.js";
import {
  askFirst,
  formView,
  html,
  nothing,
  pagedView,
  reported,
  secretView,
  tableView,
  timeView,
  update,
} from "../parts.js";

const texts = messages.keys;

/**
 * The API keys of a project; a new one is shown once.
 * @param {ProjectContext} context
 * @returns {View}
 */
export function keysView(context) {
  /** @type {Schemas["CreatedKey"] | null} */
  let made = null;
  let reload = async () => {};
  const list = pagedView(
    async (offset) => {
      const page = await call("GET", `${context.path}/keys?limit=50&offset=${offset}`);
      return { items: page.keys, total: page.total };
    },
    (found, reloadKeys) => {
      reload = reloadKeys;
      return found.length === 0
        ? html`<p class="blank">${texts.empty}</p>`
        : tableView(
            messages.project.keys,
            [messages.name, texts.kind, texts.key, texts.made, texts.lastUsed, ...(context.isDeveloper ? [""] : [])],
            found.map((key) => [
              key.name ?? "–",
              html`<span class="tag ${key.kind === "secret" ? "test" : ""}">${texts[key.kind]}</span>`,
              html`<code>${key.key}</code>`,
              timeView(key.createdAt),
              timeView(key.lastUsedAt),
              ...(context.isDeveloper ? [html`<div class="buttons">${trailLink(key)} ${revokeButton(key)}</div>`] : []),
            ]),
          );
    },
  );
  /**
   * What was done with a key that may have leaked; publishable keys act for users.
   * @param {Schemas["Key"]} key
   */
  const trailLink = ({ id, kind, name, key }) =>
    kind === "secret"
      ? html`<a
          class="button"
          href="#/projects/${context.id}/audit/actorId/${id}"
          aria-label=${`${messages.project.audit}: ${name ?? key}`}
          >${messages.project.audit}</a
        >`
      : nothing;
  /** @param {Schemas["Key"]} key */
  const revokeButton = (key) =>
    html`<button
      type="button"
      aria-label=${fill(texts.revokeOf, { name: key.name ?? key.key })}
      @click=${() =>
        askFirst(
          fill(texts.revokeAsk, { name: key.name ?? key.key }),
          texts.revoke,
          reported(async () => {
            await call("DELETE", `${context.path}/keys/${key.id}`);
            await reload();
          }, texts.revoked),
        )}
    >
      ${texts.revoke}
    </button>`;
  const create = formView("new-key", {
    fields: [
      {
        name: "kind",
        type: "select",
        label: texts.kind,
        value: "publishable",
        options: [
          ["publishable", texts.publishable],
          ["secret", texts.secret],
        ],
      },
      { name: "name", label: messages.name, help: texts.nameHelp },
    ],
    button: texts.create,
    submit: async ({ kind, name }, element) => {
      made = await call("POST", `${context.path}/keys`, { kind, name: name.trim() || null });
      element.reset();
      update();
      await reload();
    },
  });
  return () => html`<h1>${messages.project.keys}</h1>
    <section>
      ${list()}
    </section>
    ${context.isDeveloper
      ? html`<section>
          <h2>${texts.create}</h2>
          ${made === null
            ? nothing
            : html`<div role="status">
                <p>${texts.createdTitle}. ${made.kind === "secret" ? messages.projects.secretOnce : ""}</p>
                ${secretView(texts[made.kind], made.key)}
              </div>`}
          ${create()}
        </section>`
      : nothing}`;
}
