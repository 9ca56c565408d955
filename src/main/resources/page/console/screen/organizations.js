// @ts-check
/** The organizations of a project, and what its users can do with them. */
import { call } from "../api.js";
import { formatNumber, messages } from "../messages.js";
import { announce, formView, html, nothing, pagedView, tableView, timeView } from "../parts.js";
import { numberOf, userOf } from "./given.js";
import { rolesView } from "./roles.js";

const texts = messages.organizations;
const ROOT = "dashboard/organizations";
const PAGE = 50;

const TITLES = { list: messages.project.organizations, rules: texts.rules, roles: messages.roles.title };

/**
 * @param {ProjectContext} context
 * @param {string} [tab]
 * @returns {View}
 */
export function organizationsView(context, tab = "list") {
  const here = `#/projects/${context.id}/organizations`;
  const inner = tab === "roles" ? rolesView(context) : tab === "rules" ? rulesView(context) : listView(context);
  const tabs = context.isDeveloper ? /** @type {const} */ (["list", "rules", "roles"]) : /** @type {const} */ (["list", "roles"]);
  return () => html`<h1>${messages.project.organizations}</h1>
    <nav class="tabs" aria-label=${messages.project.organizations}>
      ${tabs.map(
        (name) =>
          html`<a href=${name === "list" ? here : `${here}/${name}`} aria-current=${name === tab ? "page" : nothing}
            >${TITLES[name]}</a
          >`,
      )}
    </nav>
    ${inner()}`;
}

/**
 * @param {ProjectContext} context
 * @returns {View}
 */
function listView(context) {
  let search = "";
  let reload = async () => {};
  const list = pagedView(
    async (offset) => {
      const asked = { projectId: context.id, limit: String(PAGE), offset: String(offset), search };
      const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== ""));
      const page = await call("GET", `${ROOT}?${query}`);
      return { items: page.organizations, total: page.total };
    },
    (found, reloadList) => {
      reload = reloadList;
      return found.length === 0
        ? html`<p class="blank" role="status">${texts.empty}</p>`
        : tableView(
            messages.project.organizations,
            [messages.name, texts.slug, messages.project.members, messages.users.created],
            found.map((organization) => [
              html`<a href="#/projects/${context.id}/organizations/${organization.id}">${organization.name}</a>`,
              organization.slug,
              `${formatNumber(organization.memberCount)} / ${formatNumber(organization.maxMembers)}`,
              timeView(organization.createdAt),
            ]),
          );
    },
  );
  const find = formView("find", {
    isFilter: true,
    fields: [{ name: "search", label: texts.search }],
    button: messages.audit.filter,
    submit: async (values) => {
      search = values.search.trim();
      await reload();
    },
  });
  const create = formView("create", {
    fields: [
      { name: "name", label: messages.name, required: true },
      { name: "email", type: "email", label: texts.owner, help: texts.ownerHelp, required: true },
    ],
    button: texts.create,
    submit: async (values, element) => {
      const createdBy = await userOf(context, values.email);
      await call("POST", `${ROOT}?projectId=${context.id}`, { name: values.name, createdBy });
      element.reset();
      announce(texts.created);
      await reload();
    },
  });
  return () => html`<section>${find()} ${list()}</section>
    ${context.isSupport
      ? html`<section>
          <h2>${texts.new}</h2>
          ${create()}
        </section>`
      : nothing}`;
}

/**
 * @param {ProjectContext} context
 * @returns {View}
 */
function rulesView(context) {
  const form = formView("rules", {
    fields: () => {
      const { organizations } = context.project;
      return [
        {
          name: "creation",
          type: /** @type {const} */ ("select"),
          label: texts.creation,
          value: organizations.creation ?? "users",
          options: [
            /** @type {const} */ (["users", texts.creationUsers]),
            /** @type {const} */ (["management", texts.creationManagement]),
          ],
        },
        { name: "maxPerUser", label: texts.maxPerUser, inputmode: "numeric", value: organizations.maxPerUser },
        { name: "maxMembers", label: texts.maxMembersOfUsers, inputmode: "numeric", value: organizations.maxMembers },
        {
          name: "invitationUrl",
          type: /** @type {const} */ ("url"),
          label: texts.invitationUrl,
          help: texts.invitationUrlHelp,
          value: organizations.invitationUrl,
        },
      ];
    },
    button: messages.save,
    submit: async (values) => {
      const { project } = await call("PATCH", context.path, {
        organizations: {
          creation: /** @type {Schemas["Project"]["organizations"]["creation"]} */ (values.creation),
          maxPerUser: numberOf(values.maxPerUser),
          maxMembers: numberOf(values.maxMembers),
          invitationUrl: values.invitationUrl.trim() || null,
        },
      });
      context.project = project;
      announce(messages.saved);
    },
  });
  return () => html`<section>
    <h2>${texts.rules}</h2>
    ${form()}
  </section>`;
}
