// @ts-check
/** The claims that a project adds to access tokens, as templates, with a preview for a user. */
import { ApiError, call } from "../api.js";
import { fill, messages } from "../messages.js";
import { announce, askFirst, formView, html, loadedView, nothing, reported, tableView, update } from "../parts.js";
import { userOf } from "./given.js";

const texts = messages.templates;
const VALUE = /^(["[{]|-?\d|(true|false)$)/; // as JSON begins; anything else names a field

/** @typedef {Schemas["JwtTemplate"]} Claimed */
/** @typedef {Schemas["ClaimRules"]} Claims */

/** @param {ProjectContext} context */
const rootOf = (context) => `#/projects/${context.id}/tokens`;

/** @param {Claims} claims */
const linesOf = (claims) => claims.map(({ key, source, value }) => `${key} = ${source ?? JSON.stringify(value)}`).join("\n");

/**
 * @param {string} text
 * @returns {Claims}
 */
const claimsOf = (text) =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const at = line.indexOf("=");
      const [key, told] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      try {
        if (at > 0 && key && told) {
          return VALUE.test(told) ? { key, value: JSON.parse(told) } : { key, source: told };
        }
      } catch {
        // told below
      }
      throw new ApiError(422, texts.claimsWrong, [{ field: "claims", message: texts.claimsWrong }]);
    });

/**
 * A refusal of a claim names its place in the list, which is a line of the form.
 * @template Result
 * @param {Promise<Result>} result
 * @returns {Promise<Result>}
 */
const atClaims = (result) =>
  result.catch((failure) => {
    const { status, message, details, lang } = /** @type {ApiError} */ (failure);
    throw new ApiError(
      status,
      message,
      details?.map((detail) => (detail.field.startsWith("claims") ? { ...detail, field: "claims" } : detail)),
      { lang },
    );
  });

/** @param {string} [value] */
const claimsField = (value) =>
  /** @type {const} */ ({ name: "claims", type: "lines", rows: 6, label: texts.claims, help: texts.claimsHelp, value });

/**
 * All templates, and a form for a new one.
 * @param {ProjectContext} context
 * @returns {View}
 */
export function templatesView(context) {
  const list = loadedView(
    () => call("GET", `${context.path}/jwt-templates`),
    (found) =>
      found.length === 0
        ? html`<p class="blank">${texts.empty}</p>`
        : tableView(
            texts.title,
            [messages.name, texts.claims],
            found.map(({ id, name, claims, isDefault }) => [
              html`${context.isDeveloper ? html`<a href="${rootOf(context)}/${id}">${name}</a>` : name}
              ${isDefault ? html`<span class="tag good">${texts.default}</span>` : nothing}`,
              claims.map(({ key }) => key).join(", ") || messages.none,
            ]),
          ),
  );
  const create = formView("new-template", {
    fields: [{ name: "name", label: messages.name, required: true }, claimsField()],
    button: texts.new,
    submit: async ({ name, claims }) => {
      const template = { name: name.trim(), claims: claimsOf(claims) };
      const made = await atClaims(call("POST", `${context.path}/jwt-templates`, template));
      location.hash = `${rootOf(context)}/${made.id}`;
    },
  });
  return () => html`<section>
    <h2>${texts.title}</h2>
    <p class="note">${texts.help}</p>
    ${list()} ${context.isDeveloper ? create() : nothing}
  </section>`;
}

/**
 * @param {ProjectContext} context
 * @param {string} id
 * @returns {View}
 */
export const templateView = (context, id) =>
  loadedView(
    async () => {
      const found = (await call("GET", `${context.path}/jwt-templates`)).find((template) => template.id === id);
      if (!found) {
        throw new ApiError(404, messages.notFound);
      }
      return oneTemplateView(context, found);
    },
    (view) => view(),
  );

/**
 * @param {ProjectContext} context
 * @param {Claimed} template
 * @returns {View}
 */
function oneTemplateView(context, template) {
  const path = /** @type {const} */ (`${context.path}/jwt-templates/${encodeURIComponent(template.id)}`);
  let shown = "";
  const editor = formView("template", {
    fields: () => [
      { name: "name", label: messages.name, value: template.name, required: true },
      claimsField(linesOf(template.claims)),
      { name: "isDefault", type: "checkbox", label: texts.isDefault, value: template.isDefault },
    ],
    button: messages.save,
    submit: async ({ name, claims, isDefault }) => {
      const { allowedLifetime } = template;
      const changed = {
        name: name.trim(),
        claims: claimsOf(claims),
        isDefault,
        ...(allowedLifetime === null ? {} : { allowedLifetime }),
      };
      template = await atClaims(call("PUT", path, changed));
      announce(messages.saved);
    },
  });
  const preview = formView("preview", {
    fields: [{ name: "email", type: "email", label: messages.email, help: messages.organizations.ownerHelp, required: true }],
    button: texts.show,
    submit: async ({ email }) => {
      const typed = /** @type {HTMLTextAreaElement} */ (document.getElementById("template-claims")).value;
      const userId = await userOf(context, email);
      const draft = { userId, claims: claimsOf(typed) };
      shown = JSON.stringify((await call("POST", `${context.path}/jwt-templates/preview`, draft)).claims, null, 2);
      update();
    },
  });
  const remove = reported(async () => {
    await call("DELETE", path);
    location.hash = rootOf(context);
  }, messages.users.done);
  return () => html`<p class="crumb"><a href=${rootOf(context)}>${messages.project.tokens}</a></p>
    <h1>${template.name}</h1>
    ${context.isDeveloper
      ? html`<section>${editor()}</section>
          <section>
            <h2>${texts.preview}</h2>
            ${preview()} ${shown ? html`<pre role="status" class="next"><code>${shown}</code></pre>` : nothing}
          </section>
          <section class="dangerous">
            <h2>${texts.delete}</h2>
            <button
              type="button"
              class="danger"
              @click=${() => askFirst(fill(texts.deleteAsk, { name: template.name }), texts.delete, remove)}
            >
              ${texts.delete}
            </button>
          </section>`
      : nothing}`;
}
