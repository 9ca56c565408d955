/** A project and its parts: each is a screen below the same head, which knows whether the person may change anything. */
import { ApiError, call } from "./api.js";
import { audit } from "./audit.js";
import { branding } from "./branding.js";
import { imports } from "./imports.js";
import { keys } from "./keys.js";
import { members } from "./members.js";
import { LANGUAGES, t, when } from "./messages.js";
import { overview } from "./overview.js";
import { action, ask, form, html, loaded, nothing, say, update } from "./parts.js";
import { provider, providers } from "./providers.js";
import { user } from "./user.js";
import { users } from "./users.js";
import { webhook, webhooks } from "./webhooks.js";

const x = t.project;
const PARTS = {
  overview,
  users: (space, [id]) => (id === "import" ? imports(space) : id ? user(space, id) : users(space)),
  keys,
  providers: (space, [name]) => (name ? provider(space, name) : providers(space)),
  branding,
  webhooks: (space, [id, delivery]) => (id ? webhook(space, id, delivery) : webhooks(space)),
  members,
  audit,
  settings,
};
export function project([id, part = "overview", ...below]) {
  const path = `dashboard/projects/${encodeURIComponent(id)}`;
  let inner = null;
  const body = loaded(
    async () => {
      const found = await call("GET", path);
      const space = { project: found, owner: found.role === "owner", path, id: found.id };
      inner = PARTS[part](space, below);
      return space;
    },
    (space, reload) => {
      space.reload = reload;
      return html`<p class="crumb"><a href="#/">${t.projects.title}</a></p>
      <div class="head">
        <h1>${space.project.name}</h1>
        <span class="tag">${t.projects[space.project.environment]}</span>
        <a class="outward" href=${`../p/${space.project.slug}/`} target="_blank" rel="noopener">${x.signInPage}</a>
      </div>
      <nav class="parts" aria-label=${x.parts}>
        ${Object.keys(PARTS).map(
          (name) =>
            html`<a href="#/projects/${space.id}/${name}" aria-current=${name === part ? "page" : nothing}>${x[name]}</a>`,
        )}
      </nav>
      ${space.owner ? nothing : html`<p class="note">${x.viewer}</p>`} ${inner()}`;
    },
  );
  return Object.hasOwn(PARTS, part) ? { title: x[part], view: body } : null;
}

const lines = (text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const y = t.settings;
const TEXTS = ["callbackUrl", "passwordResetUrl", "emailUndoUrl", "magicLinkUrl"];
const MFA = { off: x.mfaOff, required: x.mfaRequired };
const FACTORS = ["password", "totp", "passwordless", "passkeys", "sms"];
const SWITCHES = ["requireEmailVerification", "passwordlessSignUp", "allowSelfDeletion", "securityNotices"];
const LOCALES = [["", y.localeOfUser], ...Object.entries(LANGUAGES)];
const SECONDS = ["accessTokenTtl", "refreshTokenTtl", "maxLifetime", "maxConcurrentSessions"];

/** What is no number goes to the server as it is, which says what is wrong. */
function wholeNumber(text) {
  const trimmed = text.trim();
  return trimmed === "" ? null : /^\d+$/.test(trimmed) ? Number(trimmed) : trimmed;
}

const isSame = (left, right) => JSON.stringify(left) === JSON.stringify(right);
const isGroup = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** Of the values that which is not so yet, also within a group. */
function difference(values, before) {
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, isGroup(value) ? difference(value, before[name]) : value])
      .filter(([name, value]) => (isGroup(value) ? Object.keys(value).length > 0 : !isSame(value, before[name]))),
  );
}

/** Saves what has changed alone, so that two people who save do not undo each other's. */
function settings(space) {
  const project = () => space.project;
  let needsConfirmation = false;
  const save = (read) => async (values) => {
    const changed = difference(read(values), space.project);
    if (Object.keys(changed).length > 0) {
      space.project = (await call("PATCH", space.path, changed)).project;
    }
    say(t.saved);
  };
  const general = form("general", {
    fields: () => [
      { name: "name", label: t.name, value: project().name, required: true },
      { name: "callbackUrl", type: "url", label: x.callbackUrl, help: x.callbackUrlHelp, value: project().callbackUrl },
      {
        name: "allowedOrigins",
        type: "lines",
        label: x.allowedOrigins,
        help: x.allowedOriginsHelp,
        value: project().allowedOrigins.join("\n"),
      },
      { name: "passwordResetUrl", type: "url", label: x.passwordResetUrl, value: project().passwordResetUrl },
      { name: "emailUndoUrl", type: "url", label: x.emailUndoUrl, value: project().emailUndoUrl },
      { name: "magicLinkUrl", type: "url", label: x.magicLinkUrl, value: project().magicLinkUrl },
      { name: "locale", type: "select", label: y.locale, value: project().locale ?? "", options: LOCALES },
      { name: "defaultCountry", label: y.defaultCountry, help: y.defaultCountryHelp, value: project().defaultCountry },
    ],
    button: t.save,
    submit: save((values) => ({
      name: values.name.trim(),
      allowedOrigins: lines(values.allowedOrigins),
      locale: values.locale || null,
      defaultCountry: values.defaultCountry.trim() || null,
      ...Object.fromEntries(TEXTS.map((name) => [name, values[name].trim() || null])),
    })),
  });
  const signIn = form("sign-in-settings", {
    fields: () => [
      ...SWITCHES.map((name) => ({ name, type: "checkbox", label: x[name] ?? y[name], value: project()[name] })),
      {
        name: "factors",
        type: "choices",
        label: y.factors,
        value: FACTORS.filter((name) => project().factors[name]),
        options: FACTORS.map((name) => [name, y[`factors.${name}`]]),
      },
      { name: "requireMfa", type: "select", label: x.requireMfa, value: project().requireMfa, options: Object.entries(MFA) },
      {
        name: "requireRecentSignIn",
        label: y.requireRecentSignIn,
        help: y.requireRecentSignInHelp,
        inputmode: "numeric",
        value: project().requireRecentSignIn,
      },
      ...(needsConfirmation ? [{ name: "confirm", type: "checkbox", label: y.confirm }] : []),
    ],
    button: t.save,
    submit: async ({ confirm, factors, requireRecentSignIn, ...values }) => {
      try {
        await save(() => ({
          ...values,
          requireRecentSignIn: wholeNumber(requireRecentSignIn) ?? 0,
          factors: Object.fromEntries(FACTORS.map((name) => [name, factors.includes(name)])),
          ...(confirm ? { confirm } : {}),
        }))();
        needsConfirmation = false;
      } catch (refused) {
        needsConfirmation ||= refused.details?.some((detail) => detail.field === "confirm") ?? false;
        throw refused;
      }
    },
  });
  const passkeys = form("passkey-settings", {
    fields: () => [
      { name: "passkeyRpId", label: y.passkeyRpId, help: y.passkeyRpIdHelp, value: project().passkeyRpId },
      {
        name: "passkeyOrigins",
        type: "lines",
        label: y.passkeyOrigins,
        help: y.passkeyOriginsHelp,
        value: project().passkeyOrigins.join("\n"),
      },
    ],
    button: t.save,
    submit: save(({ passkeyRpId, passkeyOrigins }) => ({
      passkeyRpId: passkeyRpId.trim() || null,
      passkeyOrigins: lines(passkeyOrigins),
    })),
  });
  const sessions = form("sessions", {
    fields: () =>
      SECONDS.map((name) => ({
        name: `sessionConfig.${name}`,
        label: x[name],
        inputmode: "numeric",
        value: project().sessionConfig[name],
      })),
    button: t.save,
    submit: save((values) => ({
      sessionConfig: Object.fromEntries(
        SECONDS.map((name) => [name, wholeNumber(values[`sessionConfig.${name}`])]),
      ),
    })),
  });
  const remove = form("delete", {
    fields: () => [{ name: "confirm", label: x.confirm(project().name) }],
    button: x.delete,
    isDanger: true,
    submit: async ({ confirm }) => {
      if (confirm.trim() !== project().name.trim()) {
        throw new ApiError(422, x.confirmWrong, [{ field: "confirm", message: x.confirmWrong }]);
      }
      await call("DELETE", space.path);
      location.hash = "#/";
      update();
    },
  });
  const rotate = (revoke) =>
    action(async () => {
      const made = await call("POST", `${space.path}/signing-keys/rotate`, { revoke });
      say(y.rotated(when(made.signsFrom)), { stays: true });
    });
  const yes = (isOn) => (isOn ? t.users.yes : t.users.no);
  /** What a viewer sees of the settings. */
  const told = () => [
    ...TEXTS.map((name) => [x[name], project()[name]]),
    [x.allowedOrigins, project().allowedOrigins.join(", ") || null],
    [y.locale, LANGUAGES[project().locale] ?? y.localeOfUser],
    [y.defaultCountry, project().defaultCountry],
    ...SWITCHES.map((name) => [x[name] ?? y[name], yes(project()[name])]),
    [y.factors, FACTORS.filter((name) => project().factors[name]).map((name) => y[`factors.${name}`]).join(", ")],
    [x.requireMfa, MFA[project().requireMfa]],
    [y.requireRecentSignIn, project().requireRecentSignIn],
    [y.passkeyRpId, project().passkeyRpId],
    [y.passkeyOrigins, project().passkeyOrigins.join(", ") || null],
    ...SECONDS.map((name) => [x[name], project().sessionConfig[name]]),
  ];
  const facts = () => html`<dl>
    <dt>${x.id}</dt>
    <dd><code>${project().id}</code></dd>
    ${space.owner
      ? nothing
      : told().map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd>${value ?? t.none}</dd>`,
        )}
  </dl>`;
  return () => html`<section>
      <h2>${x.general}</h2>
      ${facts()} ${space.owner ? general() : nothing}
    </section>
    ${space.owner
      ? html`<section>
            <h2>${x.signIn}</h2>
            ${signIn()}
          </section>
          <section>
            <h2>${t.users.passkeys}</h2>
            ${passkeys()}
          </section>
          <section>
            <h2>${x.sessions}</h2>
            ${sessions()}
          </section>
          <section class="dangerous">
            <h2>${x.danger}</h2>
            <h3>${y.signingKeys}</h3>
            <p>${y.rotateHelp}</p>
            <div class="row spaced">
              <button type="button" @click=${() => ask(y.rotateAsk, y.rotate, rotate(false))}>${y.rotate}</button>
              <button type="button" class="danger" @click=${() => ask(y.revokeAllAsk, y.revokeAll, rotate(true))}>
                ${y.revokeAll}
              </button>
            </div>
            <h3>${x.delete}</h3>
            <p>${x.deleteHelp}</p>
            ${remove()}
          </section>`
      : nothing}`;
}
