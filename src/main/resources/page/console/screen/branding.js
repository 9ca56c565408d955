// @ts-check
/** The look of a project's pages and mails, with a preview next to the form while it is filled in. */
import { asRefusal, call } from "../api.js";
import { fill, LANGUAGES, messages } from "../messages.js";
import {
  alertView,
  announce,
  formView,
  html,
  isSame,
  loadedView,
  nothing,
  pictureField,
  update,
  wordsOf,
} from "../parts.js";
import { isDark } from "../theme.js";

const texts = messages.branding;
const COLORS = /** @type {const} */ ([
  "primaryColorStart",
  "primaryColorEnd",
  "lightBg",
  "lightText",
  "darkBg",
  "darkText",
]);
const TEXTS = /** @type {const} */ (["brandName", ...COLORS, "termsUrl", "privacyUrl"]);
const SWITCHES = /** @type {const} */ (["showEmailPassword", "showDivider", "showSecuredBy"]);
const PAGES = /** @type {const} */ (["signIn", "signUp", "forgotPassword"]);
const MAILS = /** @type {const} */ ([
  "verificationMail",
  "passwordResetMail",
  "magicLinkMail",
  "signInCodeMail",
  "emailChangeMail",
  "newSignInMail",
]);
const SCHEMES = /** @type {const} */ (["light", "dark"]);
const FACTS = /** @type {const} */ ([...COLORS, "borderRadius", "termsUrl", "privacyUrl"]);
const COLOR = /^#[\da-f]{6}$/i; // as the browser's own colour field writes it
const PREFIX = /^branding\./;

/** @typedef {Schemas["Branding"]} Branding */
/** @typedef {Event & { currentTarget: HTMLInputElement & { form: HTMLFormElement } }} FieldEvent */

/**
 * @param {ProjectContext} context
 * @returns {View}
 */
export function brandingView(context) {
  const path = /** @type {const} */ (`${context.path}/branding`);
  const preview = previewOf(path);
  return loadedView(
    async () => {
      const [branding, { available }] = await Promise.all([call("GET", path), call("GET", `${context.path}/providers`)]);
      preview.show({}).catch((refused) => announce(refused.message, { stays: true }));
      return context.isDeveloper
        ? editorView(path, branding, available, preview)
        : () => factsView(branding);
    },
    (view) => html`<h1>${messages.project.branding}</h1>
      <div class="beside">
      <section>${view()}</section>
      ${preview.view()}
    </div>`,
  );
}

/** @param {Branding} branding */
const factsView = (branding) => html`<dl>
  <dt>${texts.brandName}</dt>
  <dd>${branding.brandName}</dd>
  ${FACTS.map(
    (name) =>
      html`<dt>${texts[name]}</dt>
        <dd>${branding[name] ?? messages.none}</dd>`,
  )}
</dl>`;

/**
 * @param {`${ProjectPath}/branding`} path
 * @param {Branding} branding
 * @param {readonly Pick<Schemas["AvailableProvider"], "provider" | "name">[]} known
 * @param {{ show: (change: object) => Promise<void> }} preview
 * @returns {View}
 */
function editorView(path, branding, known, preview) {
  const knownProviders = known.map(({ provider }) => provider);
  let saved = branding;
  const logo = { dataUrl: saved.logoDataUrl };

  /**
   * The values that differ from the saved ones; an empty text resets.
   * @param {Record<typeof TEXTS[number] | "borderRadius" | "providerOrder" | "customCss", string | null>
   *     & { logoDataUrl: string | null, hiddenProviders: string[] } & Record<typeof SWITCHES[number], boolean>} values
   */
  function changes(values) {
    /** @param {keyof typeof values & (typeof TEXTS[number] | "borderRadius" | "providerOrder" | "customCss")} name */
    const text = (name) => (values[name] ?? "").trim();
    const radius = text("borderRadius");
    const unknownProviders = saved.hiddenProviders.filter((name) => !knownProviders.includes(name));
    const hiddenProviders = [...unknownProviders, ...values.hiddenProviders];
    const isSameSet = isSame([...hiddenProviders].sort(), [...saved.hiddenProviders].sort());
    /** @type {Record<string, unknown>} */
    const all = {
      ...Object.fromEntries(TEXTS.map((name) => [name, text(name) || null])),
      borderRadius: radius === "" ? null : /^\d+$/.test(radius) ? Number(radius) : radius,
      logoDataUrl: values.logoDataUrl,
      providerOrder: wordsOf(text("providerOrder")),
      hiddenProviders: isSameSet ? saved.hiddenProviders : hiddenProviders,
      customCss: text("customCss") === "" ? null : values.customCss,
      ...Object.fromEntries(SWITCHES.map((name) => [name, values[name]])),
    };
    /** @type {Record<string, unknown>} */
    const before = { ...saved, customCss: saved.customCss || null };
    return Object.fromEntries(
      Object.entries(all).filter(([name, value]) => !isSame(value, before[name])),
    );
  }

  /**
   * @template {typeof COLORS[number]} Name
   * @param {Name} name
   * @returns {OwnField & { name: Name }}
   */
  const colorField = (name) => ({
    name,
    type: "own",
    value: () => /** @type {HTMLInputElement} */ (document.getElementById(`branding-${name}`)).value,
    view: ({ id, describedBy, invalid }) => html`<label for=${id}>${texts[name]}</label>
      <div class="color">
        <input
          name=${name}
          id=${id}
          autocomplete="off"
          spellcheck="false"
          aria-describedby=${describedBy}
          aria-invalid=${invalid}
          .defaultValue=${saved[name]}
          @input=${(/** @type {FieldEvent} */ { currentTarget }) => {
            if (COLOR.test(currentTarget.value)) {
              /** @type {HTMLInputElement} */ (currentTarget.nextElementSibling).value = currentTarget.value;
            }
          }}
        /><input
          type="color"
          aria-label=${fill(texts.pick, { name: texts[name] })}
          .defaultValue=${saved[name]}
          @input=${(/** @type {FieldEvent} */ { currentTarget }) => {
            /** @type {HTMLInputElement} */ (document.getElementById(id)).value = currentTarget.value;
          }}
        />
      </div>`,
  });

  return formView("branding", {
    fields: () => [
      { name: "brandName", label: texts.brandName, help: texts.brandNameHelp, value: saved.brandName },
      { name: "logoDataUrl", help: texts.logoHelp, ...pictureField(texts.logo, texts.removeLogo, logo) },
      ...COLORS.map(colorField),
      { name: "borderRadius", label: texts.borderRadius, inputmode: "numeric", value: saved.borderRadius },
      { name: "termsUrl", type: "url", label: texts.termsUrl, value: saved.termsUrl },
      { name: "privacyUrl", type: "url", label: texts.privacyUrl, value: saved.privacyUrl },
      ...SWITCHES.map((name) => /** @type {const} */ ({ name, type: "checkbox", label: texts[name], value: saved[name] })),
      { name: "providerOrder", label: texts.providerOrder, help: texts.providerOrderHelp, value: saved.providerOrder.join(" ") },
      {
        name: "hiddenProviders",
        type: "choices",
        label: texts.hiddenProviders,
        value: saved.hiddenProviders,
        options: known.map(({ provider, name }) => /** @type {const} */ ([provider, name])),
      },
      { name: "customCss", type: "lines", rows: 8, label: texts.customCss, help: texts.customCssHelp, value: saved.customCss },
    ],
    button: messages.save,
    draft: (values) => preview.show(changes(values)),
    submit: async (values) => {
      const change = changes(values);
      if (Object.keys(change).length > 0) {
        saved = await call("PATCH", path, change);
        logo.dataUrl = saved.logoDataUrl;
      }
      announce(messages.saved);
      preview.show({});
    },
  });
}

/**
 * The server's preview of a draft, in a document with a policy of its own: nothing in it can run, and its styles do not
 * affect this page.
 * @param {`${ProjectPath}/branding`} path
 */
function previewOf(path) {
  const choice = /** @type {Pick<Schemas["PreviewBrandingRequest"], "show" | "language" | "scheme">} */ ({
    show: "signIn",
    language: document.documentElement.lang,
    scheme: isDark() ? "dark" : "light",
  });
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
      const answer = await call("POST", `${path}/preview`, { ...choice, branding: draft });
      if (turn === newest) {
        found = { ...answer, language: choice.language ?? "" };
        problem = "";
        write();
      }
    } catch (failure) {
      if (turn === newest) {
        problem = texts.notShown;
      }
      const refused = asRefusal(failure);
      refused.details = (refused.details ?? []).map(({ field, message }) => ({ field: field.replace(PREFIX, ""), message }));
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
   * @param {keyof typeof choice} name
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
      ${options.map(([value, text]) => html`<option value=${value} .defaultSelected=${value === choice[name]}>${text}</option>`)}
    </select>
  </div>`;

  /** @type {View} */
  const view = () => html`<section class="preview">
    <h2>${texts.preview}</h2>
    <div class="filter">
      ${selectView("show", texts.what, [...PAGES, ...MAILS].map((name) => [name, texts.shown[name]]))}
      ${selectView("language", texts.language, Object.entries(LANGUAGES))}
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
