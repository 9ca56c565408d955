// @ts-check
/** The look of a project's pages and mails, with a preview next to the form while it is filled in. */
import { call } from "../api.js";
import { fill, LANGUAGES, messages } from "../messages.js";
import { announce, formView, html, isSame, loadedView, pictureField, wordsOf } from "../parts.js";
import { previewOf } from "./preview.js";

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
const FACTS = /** @type {const} */ ([...COLORS, "borderRadius", "termsUrl", "privacyUrl"]);
const COLOR = /^#[\da-f]{6}$/i; // as the browser's own colour field writes it

/** @typedef {Schemas["Branding"]} Branding */
/** @typedef {Event & { currentTarget: HTMLInputElement & { form: HTMLFormElement } }} FieldEvent */

/**
 * @param {ProjectContext} context
 * @returns {View}
 */
export function brandingView(context) {
  const path = /** @type {const} */ (`${context.path}/branding`);
  const preview = previewOf({
    chosen: {
      show: /** @type {Schemas["PreviewBrandingRequest"]["show"]} */ ("signIn"),
      language: /** @type {Schemas["MessageTexts"]["language"]} */ (document.documentElement.lang),
    },
    selects: [
      ["show", texts.what, [...PAGES, ...MAILS].map((name) => [name, texts.shown[name]])],
      ["language", texts.language, Object.entries(LANGUAGES)],
    ],
    group: "branding",
    ask: (chosen, draft) => call("POST", `${path}/preview`, { ...chosen, branding: draft }),
  });
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
