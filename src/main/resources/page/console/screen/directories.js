// @ts-check
/** The directories of an organization, from which its identity provider provisions its members (SCIM). */
import { ApiError, call } from "../api.js";
import { fill, formatNumber, messages } from "../messages.js";
import {
  announce,
  askFirst,
  formView,
  html,
  loadedView,
  nothing,
  reported,
  secretView,
  tableView,
  timeView,
  update,
} from "../parts.js";

const texts = messages.directories;
const words = messages.providers;
const GUIDE = "../docs/scim";
const MOST_TOKENS = 2;

/** @typedef {Schemas["Directory"]} Directory */

/** @param {Directory} directory */
const stateView = ({ enabled }) => html`<span class="tag ${enabled ? "good" : ""}">${enabled ? words.on : words.off}</span>`;

/** @param {Directory} directory */
const lastSync = ({ tokens }) =>
  tokens.reduce(
    (latest, { lastUsedAt }) => (lastUsedAt !== null && (latest === null || latest < lastUsedAt) ? lastUsedAt : latest),
    /** @type {string | null} */ (null),
  );

/**
 * A token that is shown only once.
 * @param {string} text
 * @param {string} token
 */
const tokenView = (text, token) =>
  html`<div role="status"><p>${text}</p></div>
    ${secretView(texts.token, token)}`;

/** @param {Record<string, string>} roles */
const linesOf = (roles) =>
  Object.entries(roles)
    .map(([group, role]) => `${group} = ${role}`)
    .join("\n");

/**
 * The name of a group can have anything in it, that of a role no sign.
 * @param {string} text
 */
function rolesOf(text) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.lastIndexOf("=");
      const [group, role] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      if (at < 0 || group === "" || role === "") {
        throw new ApiError(422, texts.groupRolesWrong, [{ field: "groupRoles", message: texts.groupRolesWrong }]);
      }
      return [group, role];
    }),
  );
}

/** @param {Directory} [directory] */
const groupRolesField = (directory) =>
  /** @type {const} */ ({
    name: "groupRoles",
    type: "lines",
    label: texts.groupRoles,
    help: texts.groupRolesHelp,
    value: directory ? linesOf(directory.groupRoles) : "",
  });

/**
 * @param {ProjectContext} context
 * @param {OrganizationPlace} place
 * @returns {View}
 */
export function directoriesTab(context, { path, here }) {
  const inProject = /** @type {const} */ (`projectId=${context.id}`);
  /** @type {Schemas["CreatedDirectory"] | null} */
  let made = null;
  let reload = async () => {};
  const list = loadedView(
    () => call("GET", `${path}/directories?${inProject}`),
    (found, reloadList) => {
      reload = reloadList;
      return found.length === 0
        ? html`<p class="blank">${texts.empty}</p>`
        : tableView(
            texts.title,
            [messages.name, words.state, messages.project.users, texts.groups, texts.lastSync],
            found.map((directory) => [
              html`<a href="${here}/directories/${directory.id}">${directory.name}</a>`,
              stateView(directory),
              formatNumber(directory.userCount),
              formatNumber(directory.groupCount),
              timeView(lastSync(directory)),
            ]),
          );
    },
  );
  const create = formView("directory", {
    fields: [{ name: "name", label: messages.name, help: texts.nameHelp, required: true }, groupRolesField()],
    button: texts.create,
    submit: async ({ name, groupRoles }, element) => {
      made = await call("POST", `${path}/directories?${inProject}`, {
        name: name.trim(),
        groupRoles: rolesOf(groupRoles),
      });
      element.reset();
      update();
      await reload();
    },
  });
  return () => html`<section>
      <p class="note">${texts.help} <a href=${GUIDE} target="_blank">${words.guide}</a></p>
      ${list()}
    </section>
    ${context.isDeveloper
      ? html`<section>
          <h2>${texts.create}</h2>
          ${made === null
            ? nothing
            : html`${tokenView(texts.created, made.token)} ${secretView(texts.baseUrl, made.baseUrl)}`}
          ${create()}
        </section>`
      : nothing}`;
}

/**
 * One of them: its address, its tokens and the roles of its groups.
 * @param {ProjectContext} context
 * @param {OrganizationPlace} place
 * @param {string} id
 * @returns {View}
 */
export function directoryView(context, { path, here }, id) {
  const inProject = /** @type {const} */ (`projectId=${context.id}`);
  const directory$ = /** @type {const} */ (`${path}/directories/${encodeURIComponent(id)}`);
  /** @type {string | null} */
  let token = null;
  /** @type {Directory | undefined} */
  let current;
  let reload = async () => {};
  const editor = formView("directory", {
    fields: () => [
      { name: "enabled", type: /** @type {const} */ ("checkbox"), label: texts.enabled, value: current?.enabled },
      { name: "name", label: messages.name, value: current?.name, required: true },
      groupRolesField(current),
    ],
    button: messages.save,
    submit: async ({ enabled, name, groupRoles }) => {
      await call("PATCH", `${directory$}?${inProject}`, {
        enabled,
        name: name.trim(),
        groupRoles: rolesOf(groupRoles),
      });
      announce(messages.saved);
      await reload();
    },
  });
  const addToken = reported(async () => {
    ({ token } = await call("POST", `${directory$}/tokens?${inProject}`));
    await reload();
  });
  /** @param {string} tokenId */
  const withdraw = (tokenId) =>
    reported(async () => {
      await call("DELETE", `${directory$}/tokens/${tokenId}?${inProject}`);
      token = null;
      await reload();
    }, texts.withdrawn);
  const remove = reported(async () => {
    await call("DELETE", `${directory$}?${inProject}`);
    location.hash = `${here}/directories`;
  }, texts.deleted);

  /** @param {Directory} directory */
  const tokensView = ({ tokens }) => html`<section>
    <h2>${texts.tokens}</h2>
    ${tokens.length === 0
      ? html`<p>${texts.noTokens}</p>`
      : tableView(
          texts.tokens,
          [texts.token, messages.users.created, messages.keys.lastUsed, ...(context.isDeveloper ? [""] : [])],
          tokens.map(({ id: tokenId, ending, createdAt, lastUsedAt }) => [
            html`<code>…${ending}</code>`,
            timeView(createdAt),
            timeView(lastUsedAt),
            ...(context.isDeveloper
              ? [
                  html`<button
                    type="button"
                    aria-label=${fill(texts.withdrawOf, { ending })}
                    @click=${() => askFirst(fill(texts.withdrawAsk, { ending }), messages.members.withdraw, withdraw(tokenId))}
                  >
                    ${messages.members.withdraw}
                  </button>`,
                ]
              : []),
          ]),
        )}
    ${token === null ? nothing : tokenView(texts.tokenMade, token)}
    ${context.isDeveloper && tokens.length < MOST_TOKENS
      ? html`<p class="note">${texts.tokenHelp}</p>
          <button type="button" @click=${addToken}>${texts.newToken}</button>`
      : nothing}
  </section>`;

  /** @param {Directory} directory */
  const factsView = (directory) => html`<dl>
    <dt>${messages.project.users}</dt>
    <dd>${formatNumber(directory.userCount)}</dd>
    <dt>${texts.groups}</dt>
    <dd>${formatNumber(directory.groupCount)}</dd>
    <dt>${texts.lastSync}</dt>
    <dd>${timeView(lastSync(directory))}</dd>
    ${context.isDeveloper
      ? nothing
      : html`<dt>${texts.groupRoles}</dt>
          <dd>${linesOf(directory.groupRoles) || messages.none}</dd>`}
  </dl>`;

  return loadedView(
    async () => {
      const directories = await call("GET", `${path}/directories?${inProject}`);
      current = directories.find((one) => one.id === id);
      return { directory: current };
    },
    ({ directory }, reloadAll) => {
      reload = reloadAll;
      return html`<p class="crumb"><a href="${here}/directories">${texts.back}</a></p>
        ${directory === undefined
          ? html`<section><p>${messages.notFound}</p></section>`
          : html`<section>
                <div class="head">
                  <h2>${directory.name}</h2>
                  ${stateView(directory)}
                </div>
                ${secretView(texts.baseUrl, directory.baseUrl)} ${factsView(directory)}
              </section>
              ${tokensView(directory)}
              ${context.isDeveloper
                ? html`<section>
                      <h2>${words.change}</h2>
                      ${editor()}
                    </section>
                    <section class="dangerous">
                      <h2>${texts.delete}</h2>
                      <p>${texts.deleteHelp}</p>
                      <button
                        type="button"
                        class="danger"
                        @click=${() => askFirst(fill(texts.deleteAsk, { name: directory.name }), texts.delete, remove)}
                      >
                        ${texts.delete}
                      </button>
                    </section>`
                : nothing}`}`;
    },
  );
}
