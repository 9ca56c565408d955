// @ts-check
/** The server's preview of a draft, next to the form in which it is typed. */
import { asRefusal } from "../api.js";
import { messages } from "../messages.js";
import { alertView, html, nothing, update } from "../parts.js";
import { isDark } from "../theme.js";

const texts = messages.branding;
const SCHEMES = /** @type {const} */ (["light", "dark"]);

/** @typedef {{ [name: string]: string }} Choice by the names of what a person chooses above the preview */

/**
 * A document with a policy of its own: nothing in it can run, and its styles do not affect this page.
 * @template {{ language: string }} Chosen
 * @param {{
 *   chosen: Chosen,
 *   selects?: [keyof Chosen & string, string, Option[]][],
 *   group: string,
 *   ask: (chosen: Chosen & { scheme: "light" | "dark" }, draft: object) => Promise<{ subject: string | null, html: string }>,
 * }} what `group` is the field of the request that holds the draft
 */
export function previewOf({ chosen, selects = [], group, ask }) {
  const choice = { ...chosen, scheme: /** @type {"light" | "dark"} */ (isDark() ? "dark" : "light") };
  let draft = {};
  let newest = 0;
  /** @type {{ html: string, subject: string | null, language: string } | null} */
  let found = null;
  let problem = "";
  /** @type {HTMLIFrameElement | null} */
  let frame = null;

  /** @param {object} change */
  async function show(change) {
    draft = change;
    await load();
  }

  async function load() {
    const turn = ++newest;
    try {
      const answer = await ask(choice, draft);
      if (turn === newest) {
        found = { ...answer, language: choice.language };
        problem = "";
        write();
      }
    } catch (failure) {
      if (turn === newest) {
        problem = texts.notShown;
      }
      const refused = asRefusal(failure);
      refused.details = (refused.details ?? []).map(({ field, message }) => ({
        field: field.startsWith(`${group}.`) ? field.slice(group.length + 1) : field,
        message,
      }));
      throw refused;
    } finally {
      update();
    }
  }

  function write() {
    const root = frame?.contentDocument?.documentElement;
    if (root && found) {
      root.lang = found.language;
      root.innerHTML = found.html;
    }
  }

  /**
   * @param {string} name
   * @param {string} label
   * @param {Option[]} options
   */
  const selectView = (name, label, options) => html`<div>
    <label for="preview-${name}">${label}</label>
    <select
      id="preview-${name}"
      @change=${(/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => {
        Object.assign(choice, { [name]: event.currentTarget.value });
        load().catch(() => {}); // the form says what is wrong with the draft
      }}
    >
      ${options.map(
        ([value, text]) =>
          html`<option value=${value} .defaultSelected=${value === /** @type {Choice} */ (choice)[name]}>${text}</option>`,
      )}
    </select>
  </div>`;

  /** @type {View} */
  const view = () => html`<section class="preview">
    <h2>${texts.preview}</h2>
    <div class="filter">
      ${selects.map((select) => selectView(...select))}
      ${selectView("scheme", texts.scheme, SCHEMES.map((name) => [name, texts[name]]))}
    </div>
    ${alertView(problem)} ${found?.subject ? html`<p><b>${texts.subject}:</b> ${found.subject}</p>` : nothing}
    <iframe
      sandbox="allow-same-origin"
      src="preview"
      title=${texts.preview}
      @load=${(/** @type {Event & { currentTarget: HTMLIFrameElement }} */ event) => {
        frame = event.currentTarget;
        write();
      }}
    ></iframe>
  </section>`;

  return { show, view };
}
