import { ApiError, call } from "./api.js";
import { entriesTable } from "./audit.js";
import { t, when } from "./messages.js";
import { action, ask, form, html, loaded, nothing, say, secret, table } from "./parts.js";

const x = t.users;
const ROOT = "dashboard/users";
const METADATA = ["publicMetadata", "privateMetadata"];
const LATEST = 10;

const written = (metadata) => JSON.stringify(metadata ?? {}, null, 2);

/** An object, or a refusal with what the browser says of it, which each browser says in its own English. */
function parsed(name, text) {
  const refused = (message) => new ApiError(422, x.metadataWrong, [{ field: name, message }]);
  let value;
  try {
    value = JSON.parse(text.trim() === "" ? "{}" : text);
  } catch (fault) {
    throw refused(html`${x.jsonWrong} <span lang="en">${fault.message}</span>`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw refused(x.metadataWrong);
  }
  return value;
}

/** One user: the profile, what can be done to it, its ways to sign in and its sessions. */
export function user(space, id) {
  const own = `${ROOT}/${encodeURIComponent(id)}`;
  const inProject = `projectId=${space.id}`;
  /** Only what has changed is sent, so that two people who save do not undo each other's. */
  const metadata = (one, reload) =>
    form("metadata", {
      fields: METADATA.map((name) => ({ name, type: "lines", rows: 6, label: x[name], help: x[`${name}Help`], value: written(one[name]) })),
      button: t.save,
      submit: async (values) => {
        const changed = METADATA.map((name) => [name, parsed(name, values[name])]).filter(
          ([name, value]) => written(value) !== written(one[name]),
        );
        if (changed.length > 0) {
          Object.assign(one, await call("PATCH", `${own}?${inProject}`, Object.fromEntries(changed)));
        }
        say(t.saved);
        await reload();
      },
    });
  let editor = null;
  const act = (method, below, reload) =>
    action(async () => {
      await call(method, `${below}?${inProject}`);
      await Promise.all([reload(), reloadTrail()]);
    }, x.done);
  /** As the user asks for it on a sign-in page: the server sends one mail a minute. */
  const sendReset = (email) => action(() => call("POST", "auth/password/forgot", { projectId: space.id, email }), x.resetSent);
  const actions = (one, reload) => html`<div class="row">
    ${one.isBanned
      ? html`<button type="button" @click=${act("PATCH", `${own}/unban`, reload)}>${x.unban}</button>`
      : html`<button type="button" @click=${() => ask(x.banAsk, x.ban, act("PATCH", `${own}/ban`, reload))}>${x.ban}</button>`}
    ${one.email
      ? html`<button type="button" @click=${() => ask(x.resetAsk(one.email), x.reset, sendReset(one.email))}>${x.reset}</button>`
      : nothing}
    ${one.lockedUntil
      ? html`<button type="button" @click=${act("POST", `${own}/unlock`, reload)}>${x.unlock}</button>`
      : nothing}
    <button type="button" @click=${() => ask(x.factorsAsk, x.resetFactors, act("DELETE", `${own}/factors`, reload))}>
      ${x.resetFactors}
    </button>
    <button
      type="button"
      class="danger"
      @click=${() =>
        ask(
          x.deleteAsk,
          x.delete,
          action(async () => {
            await call("DELETE", `${own}?${inProject}`);
            location.hash = `#/projects/${space.id}/users`;
          }, x.done),
        )}
    >
      ${x.delete}
    </button>
  </div>`;
  const sessions = (one, reload) =>
    one.sessions.length === 0
      ? html`<p>${x.noSessions}</p>`
      : html`${table(
          x.sessions,
          [t.account.device, t.account.address, t.account.since, ...(space.owner ? [""] : [])],
          one.sessions.map((session) => [
            session.userAgent ?? t.account.unknownDevice,
            session.ipAddress ?? t.none,
            when(session.createdAt),
            ...(space.owner
              ? [
                  html`<button
                    type="button"
                    aria-label=${t.account.endOf(session.userAgent ?? t.account.unknownDevice)}
                    @click=${() =>
                      ask(x.endAsk, t.account.end, act("DELETE", `dashboard/sessions/${session.id}`, reload))}
                  >
                    ${t.account.end}
                  </button>`,
                ]
              : []),
          ]),
        )}
        ${space.owner
          ? html`<button type="button" @click=${() => ask(x.endAllAsk, x.endAll, act("DELETE", `${own}/sessions`, reload))}>
              ${x.endAll}
            </button>`
          : nothing}`;
  const passkeys = (list, reload) =>
    list.length === 0
      ? html`<p>${x.noPasskeys}</p>`
      : table(
          x.passkeys,
          [t.name, x.created, x.lastUsed, ...(space.owner ? [""] : [])],
          list.map((passkey) => {
            const name = passkey.name ?? x.unnamed;
            const remove = act("DELETE", `${own}/passkeys/${passkey.id}`, reload);
            return [
              name,
              when(passkey.createdAt),
              when(passkey.lastUsedAt),
              ...(space.owner
                ? [
                    html`<button
                      type="button"
                      aria-label=${x.removeOf(name)}
                      @click=${() => ask(x.removeAsk(name), x.remove, remove)}
                    >
                      ${x.remove}
                    </button>`,
                  ]
                : []),
            ];
          }),
        );
  let opened = null;
  let reloadTrail = () => {};
  let reloadAll = () => {};
  /** What the user did and what was done to the user, each newest first. */
  const trail = loaded(
    async () => {
      const [did, happened] = await Promise.all(
        ["actorId", "targetId"].map((filter) => call("GET", `${space.path}/audit-logs?limit=${LATEST}&${filter}=${encodeURIComponent(id)}`)),
      );
      const all = new Map([...did.data, ...happened.data].map((entry) => [entry.id, entry]));
      return [...all.values()].sort((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt)).slice(0, LATEST);
    },
    (entries, reload) => {
      reloadTrail = reload;
      return entries.length === 0 ? html`<p>${t.audit.empty}</p>` : entriesTable(x.trail, entries);
    },
  );
  const impersonate = form("impersonate", {
    fields: [{ name: "reason", label: x.reason, help: x.reasonHelp, required: true }],
    button: x.impersonate,
    submit: async ({ reason }, element) => {
      opened = await call("POST", `${space.path}/users/${encodeURIComponent(id)}/impersonate`, { reason: reason.trim() });
      element.reset();
      await reloadAll();
    },
  });
  const impersonation = () => html`<section>
    <h2>${x.impersonate}</h2>
    <p class="note">${x.impersonateHelp}</p>
    ${opened === null
      ? nothing
      : html`<div role="status"><p>${x.tokensOnce}</p></div>
          ${secret(x.accessToken, opened.accessToken)} ${secret(x.refreshToken, opened.refreshToken)}`}
    ${impersonate()}
  </section>`;
  return loaded(
    async () => {
      const [one, keys] = await Promise.all([
        call("GET", `${own}?${inProject}`),
        call("GET", `${own}/passkeys?${inProject}`),
      ]);
      return { one, keys };
    },
    ({ one, keys }, reload) => {
      reloadAll = reload;
      editor ??= metadata(one, reload);
      const log = `#/projects/${space.id}/audit`;
      return html`<section>
          <p class="crumb"><a href="#/projects/${space.id}/users">${x.back}</a></p>
          <h2>${one.email ?? x.noEmail}</h2>
          <dl>
            <dt>${t.name}</dt>
            <dd>${one.displayName ?? "–"}</dd>
            <dt>${x.state}</dt>
            <dd>${one.isBanned ? x.banned : one.lockedUntil ? x.locked : x.active}</dd>
            <dt>${x.verified}</dt>
            <dd>${one.emailVerified ? x.yes : x.no}</dd>
            <dt>${x.lastSignIn}</dt>
            <dd>${when(one.lastSignInAt)}</dd>
            <dt>${x.signIns}</dt>
            <dd>${one.signInCount}</dd>
            <dt>${x.created}</dt>
            <dd>${when(one.createdAt)}</dd>
          </dl>
          ${space.owner ? actions(one, reload) : nothing}
        </section>
        <section>
          <h2>${x.signInWays}</h2>
          <dl>
            <dt>${x.providers}</dt>
            <dd>${one.providers.length === 0 ? x.noProviders : one.providers.join(", ")}</dd>
          </dl>
          <h3>${x.passkeys}</h3>
          ${passkeys(keys, reload)}
        </section>
        <section>
          <h2>${x.sessions}</h2>
          ${sessions(one, reload)}
        </section>
        <section>
          <h2>${x.metadataTitle}</h2>
          ${space.owner
            ? editor()
            : html`<h3>${x.publicMetadata}</h3>
                <pre>${written(one.publicMetadata)}</pre>`}
        </section>
        <section>
          <h2>${x.trail}</h2>
          ${trail()}
          <p class="links">
            <a href="${log}/actorId/${one.id}">${x.did}</a> <a href="${log}/targetId/${one.id}">${x.happened}</a>
          </p>
        </section>
        ${space.owner ? impersonation() : nothing}`;
    },
  );
}
