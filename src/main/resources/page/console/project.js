/** A project and its parts: each is a screen below the same head, which knows whether the person may change anything. */
import { ApiError, call } from "./api.js";
import { audit } from "./audit.js";
import { imports } from "./imports.js";
import { keys } from "./keys.js";
import { members } from "./members.js";
import { t } from "./messages.js";
import { overview } from "./overview.js";
import { form, html, loaded, nothing, say, update } from "./parts.js";
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

const TEXTS = ["callbackUrl", "passwordResetUrl", "emailUndoUrl", "magicLinkUrl"];
const MFA = { off: x.mfaOff, required: x.mfaRequired };
const SECONDS = ["accessTokenTtl", "refreshTokenTtl", "maxLifetime", "maxConcurrentSessions"];

/** Saves what has changed alone, so that two people who save do not undo each other's. */
function settings(space) {
  const project = () => space.project;
  const save = (read) => async (values) => {
    const change = read(values);
    const before = space.project;
    const changed = Object.fromEntries(
      Object.entries(change).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
    );
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
    ],
    button: t.save,
    submit: save((values) => ({
      name: values.name.trim(),
      allowedOrigins: lines(values.allowedOrigins),
      ...Object.fromEntries(TEXTS.map((name) => [name, values[name].trim() || null])),
    })),
  });
  const signIn = form("sign-in-settings", {
    fields: () => [
      ...["requireEmailVerification", "passwordlessSignUp", "allowSelfDeletion"].map((name) => ({
        name,
        type: "checkbox",
        label: x[name],
        value: project()[name],
      })),
      {
        name: "requireMfa",
        type: "select",
        label: x.requireMfa,
        value: project().requireMfa,
        options: Object.entries(MFA),
      },
    ],
    button: t.save,
    submit: save((values) => values),
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
        SECONDS.map((name) => {
          const text = values[`sessionConfig.${name}`].trim();
          return [name, text === "" ? null : /^\d+$/.test(text) ? Number(text) : text];
        }),
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
  const facts = () => html`<dl>
    <dt>${x.id}</dt>
    <dd><code>${project().id}</code></dd>
    ${space.owner
      ? nothing
      : [...TEXTS.map((name) => [name, project()[name]]), ["requireMfa", MFA[project().requireMfa]]].map(
          ([name, value]) =>
            html`<dt>${x[name]}</dt>
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
            <h2>${x.sessions}</h2>
            ${sessions()}
          </section>
          <section class="dangerous">
            <h2>${x.danger}</h2>
            <p>${x.deleteHelp}</p>
            ${remove()}
          </section>`
      : nothing}`;
}
