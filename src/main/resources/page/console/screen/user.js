// @ts-check
/** One user of a project: the profile, what can be done to it, its ways to sign in, its sessions and what happened. */
import { ApiError, call } from "../api.js";
import { fill, formatTime, messages } from "../messages.js";
import {
  announce,
  askFirst,
  avatarView,
  deviceView,
  formView,
  html,
  idView,
  isSame,
  isUrl,
  loadedView,
  loadModule,
  nothing,
  pagedView,
  reported,
  secretView,
  tableView,
  timeView,
} from "../parts.js";
import { loadAudit } from "../project.js";
import { stateView } from "./state.js";

const texts = messages.users;
const METADATA = /** @type {const} */ (["publicMetadata", "privateMetadata"]);
const LATEST = 10;
const TABS = /** @type {const} */ (["profile", "signInWays", "sessions", "organizations", "metadataTitle", "trail"]);
const PROFILE = /** @type {const} */ (["email", "displayName", "phone", "externalId", "avatarUrl"]);

/** @param {typeof TABS[number]} name */
const titleOf = (name) => (name === "organizations" ? messages.project.organizations : texts[name]);

/** @typedef {Schemas["UserDetail"]} User */
/** @typedef {() => Promise<void>} Reload */

/** @param {object | null | undefined} metadata */
const writtenOut = (metadata) => JSON.stringify(metadata ?? {}, null, 2);

/**
 * Parses an object, or throws a refusal with the browser's own message, which is always in English.
 * @param {string} name
 * @param {string} text
 * @returns {object}
 */
function parseMetadata(name, text) {
  /** @param {string | Template} message */
  const refusal = (message) => new ApiError(422, texts.metadataWrong, [{ field: name, message }]);
  let value;
  try {
    value = JSON.parse(text.trim() === "" ? "{}" : text);
  } catch (failure) {
    throw refusal(html`${texts.jsonWrong} <span lang="en">${/** @type {SyntaxError} */ (failure).message}</span>`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw refusal(texts.metadataWrong);
  }
  return value;
}

/**
 * @param {ProjectContext} context
 * @param {string} id
 * @param {string | undefined} tabOfAddress
 */
export function userView(context, id, tabOfAddress) {
  const tab = TABS.find((name) => name === tabOfAddress) ?? "profile";
  const path = /** @type {const} */ (`dashboard/users/${encodeURIComponent(id)}`);
  const inProject = /** @type {const} */ (`projectId=${context.id}`);

  /**
   * Only what has changed is sent, so that two people who save do not undo each other's changes.
   * @param {User} user
   * @param {Reload} reload
   */
  const metadataForm = (user, reload) =>
    formView("metadata", {
      fields: METADATA.map((name) => ({
        name,
        type: /** @type {const} */ ("lines"),
        rows: 6,
        label: texts[name],
        help: texts[/** @type {const} */ (`${name}Help`)],
        value: writtenOut(user[name]),
      })),
      button: messages.save,
      submit: async (values) => {
        const changed = METADATA.map((name) => /** @type {const} */ ([name, parseMetadata(name, values[name])])).filter(
          ([name, value]) => writtenOut(value) !== writtenOut(user[name]),
        );
        if (changed.length > 0) {
          Object.assign(user, await call("PATCH", `${path}?${inProject}`, Object.fromEntries(changed)));
        }
        announce(messages.saved);
        await reload();
      },
    });
  /**
   * @param {User} user
   * @param {Reload} reload
   */
  const profileForm = (user, reload) =>
    formView("profile", {
      fields: [
        { name: "email", type: "email", label: texts.email, value: user.email },
        { name: "emailVerified", type: "checkbox", label: texts.emailVerified, value: user.emailVerified },
        { name: "displayName", label: messages.name, value: user.displayName },
        { name: "phone", type: "tel", label: messages.person.phone, help: messages.person.phoneHelp, value: user.phone },
        { name: "externalId", label: texts.externalId, help: texts.externalIdHelp, value: user.externalId },
        { name: "avatarUrl", type: "url", label: messages.person.avatarUrl, value: user.avatarUrl },
      ],
      button: messages.save,
      submit: async ({ emailVerified, ...values }) => {
        /** @type {[string, unknown][]} */
        const typed = PROFILE.map((name) => [name, values[name].trim() || null]);
        const before = /** @type {Record<string, unknown>} */ ({ ...user });
        const changed = [...typed, /** @type {[string, unknown]} */ (["emailVerified", emailVerified])].filter(
          ([name, value]) => !isSame(value, before[name] ?? null),
        );
        if (changed.length > 0) {
          Object.assign(user, await call("PATCH", `${path}?${inProject}`, Object.fromEntries(changed)));
        }
        announce(messages.saved);
        await reload();
      },
    });
  /** @type {View | null} */
  let profile = null;
  /** @type {View | null} */
  let metadata = null;

  /**
   * @param {() => Promise<unknown>} change
   * @param {Reload} reload
   */
  const changeUser = (change, reload) =>
    reported(async () => {
      await change();
      await Promise.all([reload(), reloadTrail()]);
    }, texts.done);

  /**
   * @param {User} user
   * @param {Reload} reload
   */
  function buttonsView({ email, isBanned, lockedUntil }, reload) {
    const ban = changeUser(() => call("PATCH", `${path}/ban?${inProject}`), reload);
    const unban = changeUser(() => call("PATCH", `${path}/unban?${inProject}`), reload);
    const unlock = changeUser(() => call("POST", `${path}/unlock?${inProject}`), reload);
    const sendReset = reported(() => call("POST", `${path}/password-reset?${inProject}`), texts.resetSent);
    const resetFactors = changeUser(() => call("DELETE", `${path}/factors?${inProject}`), reload);
    const remove = reported(async () => {
      await call("DELETE", `${path}?${inProject}`);
      location.hash = `#/projects/${context.id}/users`;
    }, texts.done);
    return html`<div class="row">
      ${isBanned
        ? html`<button type="button" @click=${unban}>${texts.unban}</button>`
        : html`<button type="button" @click=${() => askFirst(texts.banAsk, texts.ban, ban)}>${texts.ban}</button>`}
      ${email && context.project.factors.password
        ? html`<button
            type="button"
            @click=${() => askFirst(fill(texts.resetAsk, { email }), texts.reset, sendReset)}
          >
            ${texts.reset}
          </button>`
        : nothing}
      ${lockedUntil ? html`<button type="button" @click=${unlock}>${texts.unlock}</button>` : nothing}
      <button type="button" @click=${() => askFirst(texts.factorsAsk, texts.resetFactors, resetFactors)}>
        ${texts.resetFactors}
      </button>
      <button type="button" class="danger" @click=${() => askFirst(texts.deleteAsk, texts.delete, remove)}>
        ${texts.delete}
      </button>
    </div>`;
  }

  /**
   * @param {User["sessions"]} sessions
   * @param {Reload} reload
   */
  function sessionsView(sessions, reload) {
    if (sessions.length === 0) {
      return html`<p class="blank">${texts.noSessions}</p>`;
    }
    const accountTexts = messages.account;
    const endAll = changeUser(() => call("DELETE", `${path}/sessions?${inProject}`), reload);
    return html`${tableView(
      texts.sessions,
      [accountTexts.device, accountTexts.address, accountTexts.since, ...(context.isSupport ? [""] : [])],
      sessions.map((session) => {
        const endSession = changeUser(() => call("DELETE", `dashboard/sessions/${session.id}?${inProject}`), reload);
        return [
          deviceView(session),
          session.ipAddress ?? messages.none,
          timeView(session.createdAt),
          ...(context.isSupport
            ? [
                html`<button
                  type="button"
                  aria-label=${fill(accountTexts.endOf, { device: session.deviceName ?? accountTexts.unknownDevice })}
                  @click=${() => askFirst(texts.endAsk, accountTexts.end, endSession)}
                >
                  ${accountTexts.end}
                </button>`,
              ]
            : []),
        ];
      }),
    )}
    ${context.isSupport
      ? html`<button type="button" @click=${() => askFirst(texts.endAllAsk, texts.endAll, endAll)}>${texts.endAll}</button>`
      : nothing}`;
  }

  /**
   * @param {Schemas["Passkey"][]} passkeys
   * @param {Reload} reload
   */
  const passkeysView = (passkeys, reload) =>
    passkeys.length === 0
      ? html`<p class="blank">${texts.noPasskeys}</p>`
      : tableView(
          texts.passkeys,
          [messages.name, texts.created, texts.lastUsed, ...(context.isSupport ? [""] : [])],
          passkeys.map((passkey) => {
            const name = passkey.name ?? texts.unnamed;
            const remove = changeUser(() => call("DELETE", `${path}/passkeys/${passkey.id}?${inProject}`), reload);
            return [
              name,
              timeView(passkey.createdAt),
              timeView(passkey.lastUsedAt),
              ...(context.isSupport
                ? [
                    html`<button
                      type="button"
                      aria-label=${fill(texts.removeOf, { name })}
                      @click=${() => askFirst(fill(texts.removeAsk, { name }), texts.remove, remove)}
                    >
                      ${texts.remove}
                    </button>`,
                  ]
                : []),
            ];
          }),
        );

  /** @type {{ accessToken: string, refreshToken: string } | { url: string | null } | null} */
  let opened = null;
  let reloadTrail = async () => {};
  let reloadUser = async () => {};
  /** @param {"actorId" | "targetId"} filter */
  const entriesBy = (filter) =>
    call("GET", `${context.path}/audit-logs?limit=${LATEST}&${filter}=${encodeURIComponent(id)}`);
  /** What the user did and what was done to the user, each newest first. */
  const trail = loadedView(
    async () => {
      const [{ entriesView }, did, happened] = await Promise.all([
        loadModule(loadAudit),
        entriesBy("actorId"),
        entriesBy("targetId"),
      ]);
      const entries = new Map([...did.data, ...happened.data].map((entry) => [entry.id, entry]));
      return {
        entries: [...entries.values()]
          .sort((left, right) => Date.parse(right.createdAt) - Date.parse(left.createdAt))
          .slice(0, LATEST),
        known: { people: { ...did.people, ...happened.people }, names: { ...did.names, ...happened.names } },
        entriesView,
      };
    },
    ({ entries, known, entriesView }, reload) => {
      reloadTrail = reload;
      return entries.length === 0
        ? html`<p class="blank">${messages.audit.empty}</p>`
        : entriesView(texts.trail, context.id, entries, known);
    },
  );
  const impersonate = formView("impersonate", {
    fields: [
      { name: "reason", label: texts.reason, help: texts.reasonHelp, required: true },
      { name: "tokens", type: "checkbox", label: texts.showTokens, help: texts.showTokensHelp },
    ],
    button: texts.impersonate,
    submit: async ({ reason, tokens }, element) => {
      const actPath = /** @type {const} */ (`${context.path}/users/${encodeURIComponent(id)}/impersonate`);
      const why = { reason: reason.trim() };
      if (tokens) {
        opened = await call("POST", actPath, why);
      } else {
        opened = await call("POST", `${actPath}/in-browser`, why);
        if (isUrl(opened.url)) {
          window.open(opened.url, "_blank", "noopener,noreferrer");
        }
      }
      element.reset();
      await reloadUser();
    },
  });
  const openedView = () => {
    if (opened === null) {
      return nothing;
    }
    if ("accessToken" in opened) {
      return html`<p>${texts.tokensOnce}</p>
        ${secretView(texts.accessToken, opened.accessToken)} ${secretView(texts.refreshToken, opened.refreshToken)}`;
    }
    return html`<p>${texts.actingWaits}</p>
      ${isUrl(opened.url)
        ? html`<p><a href=${opened.url} target="_blank" rel="noopener noreferrer">${texts.openApplication}</a></p>`
        : nothing}`;
  };
  const impersonationView = () => html`<section>
    <h2>${texts.impersonate}</h2>
    <p class="note">${texts.impersonateHelp}</p>
    <div role="status">${openedView()}</div>
    ${impersonate()}
  </section>`;

  const organizations =
    tab !== "organizations"
      ? null
      : pagedView(
          async (offset) => {
            const page = await call("GET", `${path}/organizations?${inProject}&limit=50&offset=${offset}`);
            return { items: page.organizations, total: page.total };
          },
          (found) =>
            found.length === 0
              ? html`<p class="blank">${messages.organizations.none}</p>`
              : tableView(
                  messages.project.organizations,
                  [messages.name, messages.members.role],
                  found.map((organization) => [
                    html`<a href="#/projects/${context.id}/organizations/${organization.id}">${organization.name}</a>`,
                    organization.role,
                  ]),
                ),
        );
  return loadedView(
    async () => {
      const [user, passkeys] = await Promise.all([
        call("GET", `${path}?${inProject}`),
        call("GET", `${path}/passkeys?${inProject}`),
      ]);
      return { user, passkeys };
    },
    ({ user, passkeys }, reload) => {
      reloadUser = reload;
      metadata ??= metadataForm(user, reload);
      profile ??= profileForm(user, reload);
      const log = `#/projects/${context.id}/audit`;
      const views = {
        profile: () => html`<section>
            <dl>
              <dt>${texts.state}</dt>
              <dd>${stateView(user)}</dd>
              <dt>${texts.secondFactor}</dt>
              <dd>${user.mfaEnabled ? texts.yes : texts.no}</dd>
              ${context.isSupport
                ? nothing
                : html`<dt>${messages.name}</dt>
                    <dd>${user.displayName ?? "–"}</dd>
                    <dt>${texts.verified}</dt>
                    <dd>${user.emailVerified ? texts.yes : texts.no}</dd>
                    <dt>${messages.person.phone}</dt>
                    <dd>${user.phone ?? "–"}</dd>
                    <dt>${texts.externalId}</dt>
                    <dd>${user.externalId ?? "–"}</dd>`}
              <dt>${texts.lastSignIn}</dt>
              <dd>${formatTime(user.lastSignInAt)}</dd>
              <dt>${texts.signIns}</dt>
              <dd>${user.signInCount}</dd>
              <dt>${texts.created}</dt>
              <dd>${formatTime(user.createdAt)}</dd>
            </dl>
            ${context.isSupport ? buttonsView(user, reload) : nothing}
          </section>
          ${context.isSupport ? html`<section>${profile?.()}</section>` : nothing}
          ${context.isOwner ? impersonationView() : nothing}`,
        signInWays: () => html`<section>
          <h2>${texts.providers}</h2>
          <p>${user.providers.length === 0 ? texts.noProviders : user.providers.join(", ")}</p>
          <h2>${texts.passkeys}</h2>
          ${passkeysView(passkeys, reload)}
        </section>`,
        sessions: () => html`<section>${sessionsView(user.sessions, reload)}</section>`,
        organizations: () => html`<section>${organizations?.()}</section>`,
        metadataTitle: () => html`<section>
          ${context.isDeveloper
            ? metadata?.()
            : html`<h3>${texts.publicMetadata}</h3>
                <pre>${writtenOut(user.publicMetadata)}</pre>`}
        </section>`,
        trail: () => html`<section>
          ${trail()}
          <p class="links">
            <a href="${log}/actorId/${user.id}">${texts.did}</a> <a href="${log}/targetId/${user.id}">${texts.happened}</a>
          </p>
        </section>`,
      };
      const here = `#/projects/${context.id}/users/${encodeURIComponent(id)}`;
      return html`<p class="crumb"><a href="#/projects/${context.id}/users">${texts.back}</a></p>
        <div class="head">
          ${avatarView(user)}
          <h1>${user.email ?? user.displayName ?? texts.noEmail}</h1>
        </div>
        ${idView(texts.id, user.id)}
        <nav class="tabs" aria-label=${user.email ?? texts.noEmail}>
          ${TABS.map(
            (name) => html`<a href="${here}/${name}" aria-current=${name === tab ? "page" : nothing}>${titleOf(name)}</a>`,
          )}
        </nav>
        ${views[tab]()}`;
    },
  );
}
