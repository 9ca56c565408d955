// @ts-check
/** The APIs that access tokens of the project's authorization server are for, and their scopes. */
import { ApiError, call } from "../api.js";
import { fill, formatNumber, LANGUAGES, messages } from "../messages.js";
import { announce, askFirst, formView, html, idView, loadedView, nothing, reported, tableView } from "../parts.js";

const texts = messages.apis;

/** @typedef {Schemas["OauthApi"]} Api */
/** @typedef {Api["scopes"][number]} Scope */

/** @param {ProjectContext} context */
const rootOf = (context) => `#/projects/${context.id}/apis`;

/**
 * In the language of the page, else in any.
 * @param {Scope} scope
 */
const textOf = ({ texts: all }) => all[document.documentElement.lang] ?? Object.values(all)[0] ?? "–";

/**
 * @param {ProjectContext} context
 * @returns {View}
 */
export function apisView(context) {
  const list = loadedView(
    () => call("GET", `${context.path}/oauth-apis`),
    ({ apis }) =>
      apis.length === 0
        ? html`<p class="blank">${texts.empty}</p>`
        : tableView(
            messages.project.apis,
            [messages.name, texts.uri, texts.scopes],
            apis.map(({ id, name, uri, scopes, isDefault }) => [
              html`<a href="${rootOf(context)}/${id}">${name}</a> ${isDefault ? html`<span class="tag">${texts.default}</span>` : nothing}`,
              html`<code>${uri}</code>`,
              formatNumber(scopes.length),
            ]),
          ),
  );
  const create = formView("new-api", {
    fields: [
      { name: "name", label: messages.name, help: texts.nameHelp, required: true },
      { name: "uri", type: "url", label: texts.uri, help: texts.uriHelp, required: true },
      { name: "isDefault", type: "checkbox", label: texts.isDefault, help: texts.isDefaultHelp },
    ],
    button: texts.create,
    submit: async ({ name, uri, isDefault }) => {
      const made = await call("POST", `${context.path}/oauth-apis`, { name: name.trim(), uri: uri.trim(), isDefault });
      location.hash = `${rootOf(context)}/${made.id}`;
    },
  });
  return () => html`<h1>${messages.project.apis}</h1>
    <section>
      <p class="note">${texts.help}</p>
      ${list()}
    </section>
    ${context.isDeveloper
      ? html`<section>
          <h2>${texts.create}</h2>
          ${create()}
        </section>`
      : nothing}`;
}

/**
 * The server replaces an API as a whole, so each change begins with what it knows now.
 * @param {ProjectContext} context
 * @param {string} id
 * @param {(now: Api) => Partial<Api>} change
 */
async function changeApi(context, id, change) {
  const now = await findApi(context, id);
  const { uri, name, scopes, isDefault } = { ...now, ...change(now) };
  return call("PUT", `${context.path}/oauth-apis/${encodeURIComponent(id)}`, { uri, name, scopes, isDefault });
}

/**
 * @param {ProjectContext} context
 * @param {string} id
 */
async function findApi(context, id) {
  const { apis } = await call("GET", `${context.path}/oauth-apis`);
  const found = apis.find((api) => api.id === id);
  if (!found) {
    throw new ApiError(404, messages.notFound);
  }
  return found;
}

/**
 * @param {ProjectContext} context
 * @param {string} id
 * @param {string | undefined} scopeName
 */
export const apiView = (context, id, scopeName) =>
  loadedView(
    async () => {
      const api = await findApi(context, id);
      const scope = api.scopes.find(({ name }) => name === scopeName);
      if (scopeName !== undefined && !scope) {
        throw new ApiError(404, messages.notFound);
      }
      return scope ? scopeView(context, api, scope) : oneApiView(context, api);
    },
    (view) => view(),
  );

/**
 * @param {ProjectContext} context
 * @param {Api} loaded
 * @returns {View}
 */
function oneApiView(context, loaded) {
  let api = loaded;
  const { id } = api;
  const here = `${rootOf(context)}/${id}`;
  const editor = formView("api", {
    fields: () => [
      { name: "name", label: messages.name, value: api.name, required: true },
      { name: "isDefault", type: "checkbox", label: texts.isDefault, help: texts.isDefaultHelp, value: api.isDefault },
    ],
    button: messages.save,
    submit: async ({ name, isDefault }) => {
      api = await changeApi(context, id, () => ({ name: name.trim(), isDefault }));
      announce(messages.saved);
    },
  });
  const add = formView("new-scope", {
    fields: [
      { name: "name", label: texts.scope, help: texts.scopeHelp, required: true },
      { name: "text", label: texts.text, help: texts.textHelp },
    ],
    button: texts.addScope,
    submit: async ({ name, text }, element) => {
      const own = text.trim();
      const scope = { name: name.trim(), texts: own ? { [document.documentElement.lang]: own } : {} };
      try {
        api = await changeApi(context, id, ({ scopes }) => ({ scopes: [...scopes, scope] }));
      } catch (failure) {
        throw atField(failure, "name");
      }
      element.reset();
    },
  });
  const remove = reported(async () => {
    await call("DELETE", `${context.path}/oauth-apis/${id}`);
    location.hash = rootOf(context);
  }, texts.removed);
  return () => html`<p class="crumb"><a href=${rootOf(context)}>${texts.back}</a></p>
    <h1>${api.name}</h1>
    ${idView(texts.uri, api.uri)}
    ${context.isDeveloper ? html`<section>${editor()}</section>` : nothing}
    <section>
      <h2>${texts.scopes}</h2>
      ${api.scopes.length === 0
        ? html`<p class="blank">${texts.noScopes}</p>`
        : tableView(
            texts.scopes,
            [texts.scope, texts.text],
            api.scopes.map((scope) => [
              context.isDeveloper
                ? html`<a href="${here}/${encodeURIComponent(scope.name)}">${scope.name}</a>`
                : html`<code>${scope.name}</code>`,
              textOf(scope),
            ]),
          )}
      ${context.isDeveloper ? add() : nothing}
    </section>
    ${context.isDeveloper
      ? html`<section class="dangerous">
          <h2>${texts.delete}</h2>
          <p>${texts.deleteHelp}</p>
          <button
            type="button"
            class="danger"
            @click=${() => askFirst(fill(texts.deleteAsk, { name: api.name }), texts.delete, remove)}
          >
            ${texts.delete}
          </button>
        </section>`
      : nothing}`;
}

/**
 * A refusal of a scope names its place in the list, which the form for one scope does not have.
 * @param {unknown} failure
 * @param {string} field
 */
function atField(failure, field) {
  const { status, message, details, lang } = /** @type {ApiError} */ (failure);
  return new ApiError(status, message, details?.map((detail) => ({ ...detail, field })), { lang });
}

/**
 * What people read about a scope before they consent, by language.
 * @param {ProjectContext} context
 * @param {Api} api
 * @param {Scope} scope
 * @returns {View}
 */
function scopeView(context, api, scope) {
  const back = `${rootOf(context)}/${api.id}`;
  const languages = Object.entries(LANGUAGES);
  const editor = formView("scope", {
    fields: languages.map(([language, label]) => ({ name: language, label, value: scope.texts[language] })),
    button: messages.save,
    submit: async (values) => {
      const given = languages.map(([language]) => [language, values[language].trim()]).filter(([, text]) => text !== "");
      const changed = { name: scope.name, texts: Object.fromEntries(given) };
      await changeApi(context, api.id, ({ scopes }) => ({
        scopes: scopes.map((one) => (one.name === scope.name ? changed : one)),
      }));
      announce(messages.saved);
    },
  });
  const remove = reported(async () => {
    await changeApi(context, api.id, ({ scopes }) => ({ scopes: scopes.filter(({ name }) => name !== scope.name) }));
    location.hash = back;
  }, texts.scopeRemoved);
  return () => html`<p class="crumb"><a href=${back}>${api.name}</a></p>
    <h1>${scope.name}</h1>
    <section>
      <p class="note">${texts.textHelp}</p>
      ${context.isDeveloper ? editor() : nothing}
    </section>
    ${context.isDeveloper
      ? html`<section class="dangerous">
          <h2>${texts.removeScope}</h2>
          <p>${texts.removeScopeHelp}</p>
          <button
            type="button"
            class="danger"
            @click=${() => askFirst(fill(texts.removeScopeAsk, { name: scope.name }), texts.removeScope, remove)}
          >
            ${texts.removeScope}
          </button>
        </section>`
      : nothing}`;
}
