// @ts-check
/** The settings of a project, by what they are about. */
import { ApiError, asRefusal, call } from "../api.js";
import { fill, formatExactly, formatTime, LANGUAGES, messages } from "../messages.js";
import { announce, askFirst, formView, html, isSame, nothing, reported, update } from "../parts.js";
import { addressOf } from "../projects.js";

const texts = messages.settings;

const URLS = /** @type {const} */ (["callbackUrl", "passwordResetUrl", "emailUndoUrl", "magicLinkUrl"]);
const MFA = { off: texts.mfaOff, required: texts.mfaRequired };
const CAPTCHA_WHEN = { pressure: texts.captchaPressure, always: texts.captchaAlways, never: texts.captchaNever };
const CAPTCHA_PROVIDERS = { proof_of_work: texts.captchaProofOfWork, turnstile: "Turnstile", hcaptcha: "hCaptcha" };
const DISPOSABLE = { allow: texts.disposableAllow, flag: texts.disposableFlag, refuse: texts.disposableRefuse };
const FACTORS = /** @type {const} */ (["password", "totp", "passwordless", "passkeys", "sms", "web3"]);
const SWITCHES = /** @type {const} */ ([
  "requireEmailVerification",
  "passwordlessSignUp",
  "allowSelfDeletion",
  "clientMetadataDocuments",
  "dynamicRegistration",
  "securityNotices",
]);
/** @type {Option[]} */
const LOCALES = [["", texts.localeOfUser], ...Object.entries(LANGUAGES)];
const SESSION_TIMES = /** @type {const} */ (["accessTokenTtl", "refreshTokenTtl", "maxLifetime"]);

/** @param {string} text */
const linesOf = (text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/**
 * Text that is not a number goes to the server as it is, which says what is wrong.
 * @param {string} text
 */
function wholeNumber(text) {
  const trimmed = text.trim();
  return trimmed === "" ? null : /^\d+$/.test(trimmed) ? Number(trimmed) : trimmed;
}

/** @typedef {{ [name: string]: unknown }} Group */

/**
 * @param {unknown} value
 * @returns {value is Group}
 */
const isGroup = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/**
 * The values that differ from before, also within a group.
 * @param {Group} values
 * @param {Group} before
 * @returns {Group}
 */
function difference(values, before) {
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => {
        const changed = isGroup(value) ? difference(value, /** @type {Group} */ (before[name])) : value;
        return /** @type {const} */ ([name, changed]);
      })
      .filter(([name, value]) => (isGroup(value) ? Object.keys(value).length > 0 : !isSame(value, before[name]))),
  );
}

/**
 * Saves only what has changed, so that two people who save do not undo each other's changes.
 * @param {ProjectContext} context
 * @param {Group} values
 */
async function save(context, values) {
  const change = difference(values, { ...context.project });
  if (Object.keys(change).length > 0) {
    context.project = (await call("PATCH", context.path, change)).project;
  }
  announce(messages.saved);
}

/** @typedef {[name: string, value: unknown]} Fact */

/** @param {Fact[]} facts */
const factsView = (facts) => html`<dl>
  ${facts.map(
    ([name, value]) =>
      html`<dt>${name}</dt>
        <dd>${value ?? messages.none}</dd>`,
  )}
</dl>`;

/** @param {number | null | undefined} seconds */
const timeOf = (seconds) => (seconds == null ? null : formatExactly(seconds));

/** @param {boolean} isOn */
const yesOrNo = (isOn) => (isOn ? messages.users.yes : messages.users.no);

/**
 * What the project is called and where its pages are, and its end.
 * @param {ProjectContext} context
 * @returns {View}
 */
export function settingsView(context) {
  const project = () => context.project;
  const general = formView("general", {
    fields: () => [
      { name: "name", label: messages.name, value: project().name, required: true },
      {
        name: "slug",
        label: messages.projects.slug,
        help: fill(messages.projects.slugChange, { url: addressOf(project().slug) }),
        value: project().slug,
        required: true,
      },
      { name: "callbackUrl", type: "url", label: texts.callbackUrl, help: texts.callbackUrlHelp, value: project().callbackUrl },
      {
        name: "allowedOrigins",
        type: "lines",
        label: texts.allowedOrigins,
        help: texts.allowedOriginsHelp,
        value: project().allowedOrigins.join("\n"),
      },
      {
        name: "passwordResetUrl",
        type: "url",
        label: texts.passwordResetUrl,
        help: texts.passwordResetUrlHelp,
        value: project().passwordResetUrl,
      },
      {
        name: "emailUndoUrl",
        type: "url",
        label: texts.emailUndoUrl,
        help: texts.emailUndoUrlHelp,
        value: project().emailUndoUrl,
      },
      {
        name: "magicLinkUrl",
        type: "url",
        label: texts.magicLinkUrl,
        help: texts.magicLinkUrlHelp,
        value: project().magicLinkUrl,
      },
      { name: "locale", type: "select", label: texts.locale, value: project().locale ?? "", options: LOCALES },
      { name: "defaultCountry", label: texts.defaultCountry, help: texts.defaultCountryHelp, value: project().defaultCountry },
    ],
    button: messages.save,
    submit: (values) =>
      save(context, {
        name: values.name.trim(),
        slug: values.slug.trim(),
        allowedOrigins: linesOf(values.allowedOrigins),
        locale: values.locale || null,
        defaultCountry: values.defaultCountry.trim() || null,
        ...Object.fromEntries(URLS.map((name) => [name, values[name].trim() || null])),
      }),
  });
  const remove = formView("delete", {
    fields: () => [{ name: "confirm", label: fill(texts.confirmName, { name: project().name }) }],
    button: texts.delete,
    isDanger: true,
    submit: async ({ confirm }) => {
      if (confirm.trim() !== project().name.trim()) {
        throw new ApiError(422, texts.confirmNameWrong, [{ field: "confirm", message: texts.confirmNameWrong }]);
      }
      await call("DELETE", context.path);
      location.hash = "#/";
      update();
    },
  });
  /** @returns {Fact[]} */
  const facts = () => [
    [texts.id, html`<code>${project().id}</code>`],
    ...(context.isDeveloper
      ? []
      : /** @type {Fact[]} */ ([
          ...URLS.map((name) => [texts[name], project()[name]]),
          [texts.allowedOrigins, project().allowedOrigins.join(", ") || null],
          [texts.locale, LOCALES.find(([locale]) => locale === (project().locale ?? ""))?.[1]],
          [texts.defaultCountry, project().defaultCountry],
        ])),
  ];
  return () => html`<h1>${messages.project.settings}</h1>
    <section>
      <h2>${texts.general}</h2>
      ${factsView(facts())} ${context.isDeveloper ? general() : nothing}
    </section>
    ${context.isOwner
      ? html`<section class="dangerous">
          <h2>${texts.danger}</h2>
          <h3>${texts.delete}</h3>
          <p>${texts.deleteHelp}</p>
          ${remove()}
        </section>`
      : nothing}`;
}

/**
 * How users sign up and in.
 * @param {ProjectContext} context
 * @returns {View}
 */
export function factorsView(context) {
  const project = () => context.project;
  let needsConfirmation = false;
  const signIn = formView("sign-in-settings", {
    fields: () => [
      ...SWITCHES.map((name) => /** @type {const} */ ({ name, type: "checkbox", label: texts[name], value: project()[name] })),
      {
        name: "factors",
        type: "choices",
        label: texts.factors,
        value: FACTORS.filter((name) => project().factors[name]),
        options: FACTORS.map((name) => /** @type {const} */ ([name, texts.factorNames[name]])),
      },
      { name: "requireMfa", type: "select", label: texts.requireMfa, value: project().requireMfa, options: Object.entries(MFA) },
      {
        name: "requireRecentSignIn",
        label: texts.requireRecentSignIn,
        type: "duration",
        help: texts.requireRecentSignInHelp,
        value: project().requireRecentSignIn,
      },
      ...(needsConfirmation ? /** @type {const} */ ([{ name: "confirm", type: "checkbox", label: texts.confirm }]) : []),
    ],
    button: messages.save,
    submit: async ({ confirm, factors, requireRecentSignIn, ...values }) => {
      try {
        await save(context, {
          ...values,
          requireRecentSignIn: requireRecentSignIn ?? 0,
          factors: Object.fromEntries(FACTORS.map((name) => [name, factors.includes(name)])),
          ...(confirm ? { confirm } : {}),
        });
        needsConfirmation = false;
      } catch (failure) {
        needsConfirmation ||= asRefusal(failure).details?.some((detail) => detail.field === "confirm") ?? false;
        throw failure;
      }
    },
  });
  const passkeys = formView("passkey-settings", {
    fields: () => [
      { name: "passkeyRpId", label: texts.passkeyRpId, help: texts.passkeyRpIdHelp, value: project().passkeyRpId },
      {
        name: "passkeyOrigins",
        type: "lines",
        label: texts.passkeyOrigins,
        help: texts.passkeyOriginsHelp,
        value: project().passkeyOrigins?.join("\n"),
      },
    ],
    button: messages.save,
    submit: ({ passkeyRpId, passkeyOrigins }) =>
      save(context, { passkeyRpId: passkeyRpId.trim() || null, passkeyOrigins: linesOf(passkeyOrigins) }),
  });
  const bots = formView("bot-settings", {
    fields: () => [
      { name: "when", type: "select", label: texts.captchaWhen, value: project().captcha.when ?? "pressure", options: Object.entries(CAPTCHA_WHEN) },
      {
        name: "provider",
        type: "select",
        label: texts.captchaProvider,
        value: project().captcha.provider ?? "proof_of_work",
        options: Object.entries(CAPTCHA_PROVIDERS),
      },
      { name: "siteKey", label: texts.captchaSiteKey, value: project().captcha.siteKey },
      { name: "secretKey", type: "password", label: texts.captchaSecretKey, help: texts.captchaSecretKeyHelp, autocomplete: "off" },
      {
        name: "disposableEmails",
        type: "select",
        label: texts.disposableEmails,
        value: project().disposableEmails,
        options: Object.entries(DISPOSABLE),
      },
    ],
    button: messages.save,
    submit: async ({ when, provider, siteKey, secretKey, disposableEmails }) => {
      if (secretKey !== "") {
        await call("PUT", `${context.path}/captcha-secret`, { secretKey });
      }
      await save(context, { captcha: { when, provider, siteKey: siteKey.trim() || null }, disposableEmails });
    },
  });
  /** @returns {Fact[]} */
  const facts = () => [
    ...SWITCHES.map((name) => /** @type {Fact} */ ([texts[name], yesOrNo(project()[name])])),
    [texts.captchaWhen, CAPTCHA_WHEN[project().captcha.when ?? "pressure"]],
    [texts.captchaProvider, CAPTCHA_PROVIDERS[project().captcha.provider ?? "proof_of_work"]],
    [texts.disposableEmails, DISPOSABLE[project().disposableEmails]],
    [texts.factors, FACTORS.filter((name) => project().factors[name]).map((name) => texts.factorNames[name]).join(", ")],
    [texts.requireMfa, MFA[project().requireMfa]],
    [texts.requireRecentSignIn, timeOf(project().requireRecentSignIn)],
    [texts.passkeyRpId, project().passkeyRpId],
    [texts.passkeyOrigins, project().passkeyOrigins?.join(", ") || null],
  ];
  return () => html`<h1>${messages.project.factors}</h1>
    ${context.isDeveloper
      ? html`<section>
            <h2>${texts.signIn}</h2>
            ${signIn()}
          </section>
          <section>
            <h2>${messages.users.passkeys}</h2>
            ${passkeys()}
          </section>
          <section>
            <h2>${texts.bots}</h2>
            ${bots()}
          </section>`
      : html`<section>${factsView(facts())}</section>`}`;
}

/**
 * How long sessions and their tokens live, what is in the tokens, and the keys that sign them.
 * @param {ProjectContext} context
 * @param {View} templates
 * @returns {View}
 */
export function tokensView(context, templates) {
  const project = () => context.project;
  const sessions = formView("sessions", {
    fields: () => [
      ...SESSION_TIMES.map(
        (name) =>
          /** @type {const} */ ({
            name: `sessionConfig.${name}`,
            type: "duration",
            label: texts[name],
            value: project().sessionConfig[name],
          }),
      ),
      {
        name: "sessionConfig.maxConcurrentSessions",
        label: texts.maxConcurrentSessions,
        inputmode: "numeric",
        value: project().sessionConfig.maxConcurrentSessions,
      },
    ],
    button: messages.save,
    submit: (values) =>
      save(context, {
        sessionConfig: {
          ...Object.fromEntries(SESSION_TIMES.map((name) => [name, values[`sessionConfig.${name}`]])),
          maxConcurrentSessions: wholeNumber(values["sessionConfig.maxConcurrentSessions"]),
        },
      }),
  });
  /** @param {boolean} revoke */
  const rotate = (revoke) =>
    reported(async () => {
      const rotated = await call("POST", `${context.path}/signing-keys/rotate`, { revoke });
      announce(fill(texts.rotated, { date: formatTime(rotated.signsFrom) }), { stays: true });
    });
  /** @returns {Fact[]} */
  const facts = () => [
    ...SESSION_TIMES.map((name) => /** @type {Fact} */ ([texts[name], timeOf(project().sessionConfig[name])])),
    [texts.maxConcurrentSessions, project().sessionConfig.maxConcurrentSessions],
  ];
  return () => html`<h1>${messages.project.tokens}</h1>
    <section>
      <h2>${texts.sessions}</h2>
      ${context.isDeveloper ? sessions() : factsView(facts())}
      <p class="links"><a href="../docs/verify-tokens/" target="_blank">${texts.verifyGuide}</a></p>
    </section>
    ${templates()}
    ${context.isDeveloper
      ? html`<section class="dangerous">
          <h2>${texts.signingKeys}</h2>
          <p>${texts.rotateHelp}</p>
          <div class="row">
            <button type="button" @click=${() => askFirst(texts.rotateAsk, texts.rotate, rotate(false))}>${texts.rotate}</button>
            <button type="button" class="danger" @click=${() => askFirst(texts.revokeAllAsk, texts.revokeAll, rotate(true))}>
              ${texts.revokeAll}
            </button>
          </div>
        </section>`
      : nothing}`;
}
