// @ts-check
/** The roles that members of organizations can have: what each may do, a role at a time. */
import { ApiError, call } from "../api.js";
import { fill, messages } from "../messages.js";
import { announce, askFirst, formView, html, loadedView, nothing, reported, tableView, wordsOf } from "../parts.js";

const texts = messages.roles;
const ALL = "owner";
/** Those of the server, by role; a declaration of the project replaces them. */
const ORIGINAL = {
  admin: [
    "org.update",
    "org.members.read",
    "org.members.manage",
    "org.domains.manage",
    "org.connections.manage",
    "org.directories.manage",
    "org.keys.manage",
  ],
  member: ["org.members.read"],
};
const PERMISSIONS = ["org.delete", ...ORIGINAL.admin];
const NAME = /^[a-z][a-z0-9_-]{0,49}$/;

/** @typedef {Record<string, string[]>} Roles */

/** @param {string} permission */
const nameOf = (permission) =>
  texts.names[/** @type {keyof typeof texts.names} */ (permission.replaceAll(".", "_"))] ?? permission;

/** @param {ProjectContext} context */
const rolesOf = ({ project }) => /** @type {Roles} */ ({ ...ORIGINAL, ...project.organizationRoles });

/** @param {string} name */
const isOriginal = (name) => Object.hasOwn(ORIGINAL, name);

/**
 * The server replaces all roles at once, so each change begins with what it knows now.
 * @param {ProjectContext} context
 * @param {(now: Roles) => void} change
 * @param {string} [field] of the form that has the name of a role
 */
async function changeRoles(context, change, field = "name") {
  const roles = { ...(await call("GET", context.path)).organizationRoles };
  change(roles);
  try {
    context.project = (await call("PATCH", context.path, { organizationRoles: roles })).project;
  } catch (failure) {
    const { status, message, details, lang } = /** @type {ApiError} */ (failure);
    throw new ApiError(status, message, details?.map((detail) => ({ ...detail, field })), { lang });
  }
}

/**
 * @param {Roles} roles
 * @param {string} name
 */
function requireFree(roles, name) {
  if (name === ALL || isOriginal(name) || Object.hasOwn(roles, name)) {
    throw new ApiError(422, texts.taken, [{ field: "name", message: texts.taken }]);
  }
}

/** @param {ProjectContext} context */
const rootOf = (context) => `#/projects/${context.id}/organizations/roles`;

/**
 * All roles, and a form for a new one.
 * @param {ProjectContext} context
 * @returns {View}
 */
export function rolesView(context) {
  const create = formView("new-role", {
    fields: [{ name: "name", label: messages.members.role, help: texts.nameHelp, required: true }],
    button: texts.new,
    submit: async (values) => {
      const name = values.name.trim();
      await changeRoles(context, (roles) => {
        requireFree(roles, name);
        roles[name] = [];
      });
      location.hash = `${rootOf(context)}/${name}`;
    },
  });
  return () => html`<section>
    <h2>${texts.title}</h2>
    <p class="note">${texts.help}</p>
    ${tableView(
      texts.title,
      [messages.members.role, texts.permissions],
      [
        [ALL, texts.all],
        ...Object.entries(rolesOf(context)).map(([name, permissions]) => [
          context.isDeveloper
            ? html`<a href="${rootOf(context)}/${name}">${name}</a>`
            : name,
          permissions.map(nameOf).join(", ") || messages.none,
        ]),
      ],
    )}
    ${context.isDeveloper ? create() : nothing}
  </section>`;
}

/**
 * One role.
 * @param {ProjectContext} context
 * @param {string} name
 * @returns {View}
 */
export const roleView = (context, name) =>
  loadedView(
    async () => {
      if (!Object.hasOwn(rolesOf(context), name)) {
        throw new ApiError(404, messages.notFound);
      }
      return oneRoleView(context, name);
    },
    (view) => view(),
  );

/**
 * @param {ProjectContext} context
 * @param {string} name
 * @returns {View}
 */
function oneRoleView(context, name) {
  const back = rootOf(context);
  const isDeclared = () => Object.hasOwn(context.project.organizationRoles, name);
  const permissions = () => rolesOf(context)[name] ?? [];
  const editor = formView("role", {
    fields: () => [
      {
        name: "given",
        type: /** @type {const} */ ("choices"),
        label: texts.permissions,
        value: permissions(),
        options: PERMISSIONS.map((permission) => /** @type {const} */ ([permission, nameOf(permission)])),
      },
      {
        name: "own",
        label: texts.own,
        help: texts.ownHelp,
        value: permissions()
          .filter((permission) => !PERMISSIONS.includes(permission))
          .join(" "),
      },
    ],
    button: messages.save,
    submit: async ({ given, own }) => {
      await changeRoles(context, (roles) => (roles[name] = [...given, ...wordsOf(own)]), "own");
      announce(messages.saved);
    },
  });
  const rename = formView("rename", {
    fields: [{ name: "name", label: messages.name, help: texts.nameHelp, value: name, required: true }],
    button: texts.rename,
    submit: async (values) => {
      const next = values.name.trim();
      requireFree(rolesOf(context), next);
      if (!NAME.test(next)) {
        throw new ApiError(422, texts.nameHelp, [{ field: "name", message: texts.nameHelp }]);
      }
      askFirst(fill(texts.endAsk, { name }), texts.rename, () => end((roles) => (roles[next] = roles[name] ?? []), next));
    },
  });
  /**
   * @param {(roles: Roles) => unknown} before
   * @param {string} [next] the role to open
   */
  const end = (before, next) =>
    reported(async () => {
      await changeRoles(context, (roles) => {
        before(roles);
        delete roles[name];
      });
      location.hash = next ? `${back}/${next}` : back;
    }, messages.saved)();
  return () => html`<p class="crumb"><a href=${back}>${texts.title}</a></p>
    <h1>${messages.members.role}: ${name}</h1>
    ${context.isDeveloper
      ? html`<section>${editor()}</section>
          ${isOriginal(name)
            ? isDeclared()
              ? html`<section><button type="button" @click=${() => end(() => {})}>${texts.reset}</button></section>`
              : nothing
            : html`<section>
                  <h2>${texts.rename}</h2>
                  ${rename()}
                </section>
                <section class="dangerous">
                  <h2>${texts.remove}</h2>
                  <button
                    type="button"
                    class="danger"
                    @click=${() => askFirst(fill(texts.endAsk, { name }), texts.remove, () => end(() => {}))}
                  >
                    ${texts.remove}
                  </button>
                </section>`}`
      : nothing}`;
}
