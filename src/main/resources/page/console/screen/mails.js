// @ts-check
/** The texts of the project's mails and SMS, each in each language, with a preview of what is typed. */
import { call } from "../api.js";
import { fill, LANGUAGES, messages } from "../messages.js";
import { announce, askFirst, forgetUnsaved, formView, html, loadedView, nothing, reported } from "../parts.js";
import { previewOf } from "./preview.js";

/** @typedef {Schemas["MessageTexts"]} Message */
/** @typedef {keyof typeof LANGUAGES} LanguageName */
/** @typedef {ScreenMessages["mails"]} Texts */

/**
 * @param {ProjectContext} context
 * @param {Texts} texts
 * @param {string} [message]
 * @param {string} [language]
 * @returns {View}
 */
export function mailsView(
  context,
  texts,
  message = "verification",
  language = context.project.locale ?? document.documentElement.lang,
) {
  const root = /** @type {const} */ (`${context.path}/message-texts`);
  const here = `#/projects/${context.id}/mails`;
  /** @type {ReturnType<typeof editorView> | null} */
  let editor = null;
  return loadedView(
    async () => {
      const all = (await call("GET", `${root}?language=${encodeURIComponent(language)}`)).messages;
      editor ??= editorView(context, texts, all.find((one) => one.message === message) ?? all[0], root);
      return { all, editor };
    },
    ({ all, editor }, reload) => {
      /** @param {boolean} isNotice */
      const optionsOf = (isNotice) =>
        all
          .filter((one) => one.message.startsWith("notice.") === isNotice)
          .map((one) => {
            const name = texts.messages[/** @type {keyof Texts["messages"]} */ (one.message)] ?? one.message;
            return html`<option value=${one.message} .selected=${one.message === message}>
              ${isChanged(one) ? fill(texts.changed, { name }) : name}
            </option>`;
          });
      /** @param {() => string} address */
      const go = (address) => () => (location.hash = address());
      return html`<h1>${messages.project.mails}</h1>
        <p class="note">${texts.help}</p>
        <div class="filter pick">
          <div>
            <label for="mail">${texts.message}</label>
            <select id="mail" @change=${go(() => `${here}/${chosen("mail")}/${language}`)}>
              <optgroup label=${texts.codes}>${optionsOf(false)}</optgroup>
              <optgroup label=${texts.notices}>${optionsOf(true)}</optgroup>
            </select>
          </div>
          <div>
            <label for="mail-language">${texts.language}</label>
            <select id="mail-language" @change=${go(() => `${here}/${message}/${chosen("mail-language")}`)}>
              ${Object.entries(LANGUAGES).map(
                ([code, name]) => html`<option value=${code} .selected=${code === language}>${name}</option>`,
              )}
            </select>
          </div>
        </div>
        ${editor(here, reload)}`;
    },
  );
}

/** @param {string} id */
const chosen = (id) => /** @type {HTMLSelectElement} */ (document.getElementById(id)).value;

/** @param {Message} one */
const isChanged = (one) => one.ownLanguages.includes(one.language);

/**
 * @param {ProjectContext} context
 * @param {Texts} texts
 * @param {Message} shown
 * @param {`${ProjectPath}/message-texts`} root
 */
function editorView(context, texts, shown, root) {
  const { message, language, placeholders } = shown;
  const path = /** @type {const} */ (`${root}/${message}/${encodeURIComponent(language)}`);
  let { parts } = shown;
  const preview = previewOf({
    chosen: { language },
    group: "texts",
    ask: ({ scheme }, draft) => call("POST", `${path}/preview`, { scheme, texts: draft }),
  });
  /**
   * What differs from the server's texts.
   * @param {Record<string, string>} values
   * @returns {Schemas["OwnMessageTexts"]}
   */
  const changes = (values) =>
    Object.fromEntries(
      parts
        .map(({ name, serverText }) => [name, values[name].trim(), serverText])
        .filter(([, text, serverText]) => text !== "" && text !== serverText)
        .map(([name, text]) => [name, text]),
    );
  const own = () => changes(Object.fromEntries(parts.map(({ name, ownText }) => [name, ownText ?? ""])));
  preview.show(own()).catch((refused) => announce(refused.message, { stays: true }));

  const form = formView("mail", {
    fields: () =>
      parts.map(({ name, isLine, serverText, ownText }) => ({
        name,
        type: isLine ? /** @type {const} */ ("text") : /** @type {const} */ ("lines"),
        rows: 4,
        label: texts.parts[name],
        help: ownText === null ? texts.empty : fill(texts.serverText, { text: serverText }),
        value: ownText ?? serverText,
      })),
    button: messages.save,
    draft: (values) => preview.show(changes(values)),
    submit: async (values) => {
      ({ parts } = await call("PUT", path, changes(values)));
      announce(messages.saved);
      preview.show(own());
    },
  });
  const factsView = () => html`<dl>
    ${parts.map(
      ({ name, serverText, ownText }) =>
        html`<dt>${texts.parts[name]}</dt>
          <dd>${ownText ?? serverText}</dd>`,
    )}
  </dl>`;

  /**
   * @param {string} here
   * @param {() => Promise<void>} reload
   */
  return (here, reload) => {
    const isOwn = parts.some(({ ownText }) => ownText !== null);
    const others = shown.ownLanguages.filter((code) => code !== language);
    const { locale } = context.project;
    return html`<div class="beside">
      <section class="prose">
        ${locale && locale !== language
          ? html`<p class="note">${fill(texts.locale, { language: LANGUAGES[locale] })}</p>`
          : nothing}
        ${others.length > 0
          ? html`<p>
              ${texts.alsoIn}
              ${others.map(
                (code) => html`<a href="${here}/${message}/${code}">${LANGUAGES[/** @type {LanguageName} */ (code)]}</a> `,
              )}
            </p>`
          : nothing}
        <p class="help">${texts.values} ${placeholders.map((name) => html`<code>{{ ${name} }}</code> `)}</p>
        ${context.isDeveloper ? form() : factsView()}
        ${context.isDeveloper && isOwn
          ? html`<button
              type="button"
              @click=${() =>
                askFirst(
                  texts.resetAsk,
                  texts.reset,
                  reported(async () => {
                    await call("DELETE", path);
                    parts = parts.map((part) => ({ ...part, ownText: null }));
                    await reload();
                    const element = /** @type {HTMLFormElement | null} */ (document.querySelector(".beside form"));
                    element?.reset();
                    element?.dispatchEvent(new Event("input")); // the preview follows
                    forgetUnsaved();
                  }, texts.isReset),
                )}
            >
              ${texts.reset}
            </button>`
          : nothing}
      </section>
      ${preview.view()}
    </div>`;
  };
}
