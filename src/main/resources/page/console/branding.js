/** The look of a project's pages and mails, with what they would look like beside the form while it is filled in. */
import { call } from "./api.js";
import { LANGUAGES, t } from "./messages.js";
import { alert, form, html, loaded, nothing, say, update } from "./parts.js";

const x = t.branding;
const COLORS = ["primaryColorStart", "primaryColorEnd", "lightBg", "lightText", "darkBg", "darkText"];
const SWITCHES = ["showEmailPassword", "showDivider", "showSecuredBy"];
const PAGES = ["signIn", "signUp", "forgotPassword"];
const MAILS = ["verificationMail", "passwordResetMail", "magicLinkMail", "signInCodeMail", "emailChangeMail", "newSignInMail"];
const PICTURES = "image/png,image/jpeg,image/webp,image/svg+xml";
const COLOR = /^#[\da-f]{6}$/i; // as the browser's own field has it
const PREFIX = /^branding\./;

const words = (text) => text.split(/[\s,]+/).filter((word) => word !== "");

export function branding(space) {
  const path = `${space.path}/branding`;
  let saved;
  let logo;
  let known;
  const shown = preview(path);

  /** What differs from what is saved; an empty text resets. */
  function changes(values) {
    const radius = values.borderRadius.trim();
    const texts = Object.fromEntries(
      ["brandName", ...COLORS, "termsUrl", "privacyUrl"].map((name) => [name, values[name].trim() || null]),
    );
    const all = {
      ...texts,
      borderRadius: radius === "" ? null : /^\d+$/.test(radius) ? Number(radius) : radius,
      logoDataUrl: values.logoDataUrl,
      providerOrder: words(values.providerOrder),
      hiddenProviders: [...saved.hiddenProviders.filter((name) => !known.includes(name)), ...values.hiddenProviders],
      customCss: values.customCss.trim() === "" ? null : values.customCss,
      ...Object.fromEntries(SWITCHES.map((name) => [name, values[name]])),
    };
    const before = { ...saved, customCss: saved.customCss || null, hiddenProviders: sorted(saved.hiddenProviders) };
    return Object.fromEntries(
      Object.entries(all).filter(([name, value]) => {
        const now = name === "hiddenProviders" ? sorted(value) : value;
        return JSON.stringify(now) !== JSON.stringify(before[name]);
      }),
    );
  }

  const sorted = (names) => [...names].sort();

  const color = (name) => ({
    name,
    type: "own",
    value: () => document.getElementById(`branding-${name}`).value,
    view: ({ id, describedBy, invalid }) => html`<label for=${id}>${x[name]}</label>
      <div class="color">
        <input
          name=${name}
          id=${id}
          autocomplete="off"
          spellcheck="false"
          aria-describedby=${describedBy}
          aria-invalid=${invalid}
          .defaultValue=${saved[name]}
          @input=${(event) => {
            if (COLOR.test(event.currentTarget.value)) {
              event.currentTarget.nextElementSibling.value = event.currentTarget.value;
            }
          }}
        /><input
          type="color"
          aria-label=${x.pick(x[name])}
          .defaultValue=${saved[name]}
          @input=${(event) => (document.getElementById(id).value = event.currentTarget.value)}
        />
      </div>`,
  });

  const picture = {
    name: "logoDataUrl",
    type: "own",
    value: () => logo,
    view: ({ id, describedBy, invalid }) => html`<label for=${id}>${x.logo}</label>
      ${logo
        ? html`<p class="row">
            <img class="logo" src=${logo} alt=${x.logo} /><button
              type="button"
              @click=${(event) => {
                logo = null;
                changed(event.currentTarget.form);
              }}
            >
              ${x.removeLogo}
            </button>
          </p>`
        : nothing}
      <input
        type="file"
        id=${id}
        accept=${PICTURES}
        aria-describedby=${describedBy}
        aria-invalid=${invalid}
        @change=${(event) => take(event.currentTarget)}
      />`,
  };

  function take(input) {
    const [file] = input.files;
    if (file) {
      const reader = new FileReader();
      reader.addEventListener("load", () => {
        logo = reader.result;
        changed(input.form);
      });
      reader.readAsDataURL(file);
    }
  }

  function changed(element) {
    element.dispatchEvent(new Event("input"));
    update();
  }

  const editor = form("branding", {
    fields: () => [
      { name: "brandName", label: x.brandName, help: x.brandNameHelp, value: saved.brandName },
      { ...picture, help: x.logoHelp },
      ...COLORS.map(color),
      { name: "borderRadius", label: x.borderRadius, inputmode: "numeric", value: saved.borderRadius },
      { name: "termsUrl", type: "url", label: x.termsUrl, value: saved.termsUrl },
      { name: "privacyUrl", type: "url", label: x.privacyUrl, value: saved.privacyUrl },
      ...SWITCHES.map((name) => ({ name, type: "checkbox", label: x[name], value: saved[name] })),
      { name: "providerOrder", label: x.providerOrder, help: x.providerOrderHelp, value: saved.providerOrder.join(" ") },
      {
        name: "hiddenProviders",
        type: "choices",
        label: x.hiddenProviders,
        value: saved.hiddenProviders,
        options: known.map((name) => [name, name]),
      },
      { name: "customCss", type: "lines", rows: 8, label: x.customCss, help: x.customCssHelp, value: saved.customCss },
    ],
    button: t.save,
    draft: (values) => shown.show(changes(values)),
    submit: async (values) => {
      const change = changes(values);
      if (Object.keys(change).length > 0) {
        saved = await call("PATCH", path, change);
        logo = saved.logoDataUrl;
      }
      say(t.saved);
      await shown.show({});
    },
  });

  const facts = () => html`<dl>
    <dt>${x.brandName}</dt>
    <dd>${saved.brandName}</dd>
    ${[...COLORS, "borderRadius", "termsUrl", "privacyUrl"].map(
      (name) =>
        html`<dt>${x[name]}</dt>
          <dd>${saved[name] ?? t.none}</dd>`,
    )}
  </dl>`;

  return loaded(
    async () => {
      const [found, providers] = await Promise.all([call("GET", path), call("GET", `${space.path}/providers`)]);
      saved = found;
      logo = found.logoDataUrl;
      known = providers.available.map((one) => one.provider);
      shown.show({}).catch((refused) => say(refused.message, { stays: true }));
      return found;
    },
    () => html`<div class="beside">
      <section>
        <h2>${t.project.branding}</h2>
        ${space.owner ? editor() : facts()}
      </section>
      ${shown.view()}
    </div>`,
  );
}

/**
 * What the server writes for a draft, in a document of its own with a policy of its own: nothing runs in it, whatever it
 * holds, and its styles are no concern of this page.
 */
function preview(path) {
  const choice = {
    show: "signIn",
    language: document.documentElement.lang,
    scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  };
  let draft = {};
  let asked = 0;
  let found = null;
  let problem = "";
  let frame = null;

  async function show(change) {
    draft = change;
    await render();
  }

  async function render() {
    const turn = ++asked;
    try {
      const answer = await call("POST", `${path}/preview`, { ...choice, branding: draft });
      if (turn === asked) {
        found = { ...answer, language: choice.language };
        problem = "";
        write();
      }
    } catch (refused) {
      if (turn === asked) {
        problem = x.notShown;
      }
      refused.details = (refused.details ?? []).map((detail) => ({ ...detail, field: detail.field.replace(PREFIX, "") }));
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

  const choose = (name) => (event) => {
    choice[name] = event.currentTarget.value;
    render().catch(() => {}); // the form says what is wrong with the draft
  };

  const select = (name, label, groups) => html`<div>
    <label for="preview-${name}">${label}</label>
    <select id="preview-${name}" @change=${choose(name)}>
      ${groups.map(([value, text]) => html`<option value=${value} .defaultSelected=${value === choice[name]}>${text}</option>`)}
    </select>
  </div>`;

  const view = () => html`<section class="preview">
    <h2>${x.preview}</h2>
    <div class="filter">
      ${select("show", x.what, [...PAGES, ...MAILS].map((name) => [name, x.shown[name]]))}
      ${select("language", x.language, Object.entries(LANGUAGES))}
      ${select("scheme", x.scheme, ["light", "dark"].map((name) => [name, x[name]]))}
    </div>
    ${alert(problem)} ${found?.subject ? html`<p><b>${x.subject}:</b> ${found.subject}</p>` : nothing}
    <iframe
      sandbox="allow-same-origin"
      src="preview"
      title=${x.preview}
      @load=${(event) => {
        frame = event.currentTarget;
        write();
      }}
    ></iframe>
  </section>`;

  return { show, view };
}
