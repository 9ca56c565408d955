// @ts-check
/** A project and its sections: each is a screen of its own, whose module is loaded when it is first opened. */
import { call } from "./api.js";
import { messages, screenMessages } from "./messages.js";
import { html, loadModule, loadedView, nothing } from "./parts.js";

const texts = messages.project;

/** The audit log's module, with its sentences. */
export async function loadAudit() {
  const audit = await import("./screen/audit.js");
  await audit.loadSentences();
  return audit;
}

/**
 * By their segment of the address; each gets those below it, and loads no more than they need.
 * @type {Record<PartName, (below: string[]) => Promise<(context: ProjectContext, below: string[]) => View>>}
 */
const PARTS = {
  overview: async () => (await import("./screen/overview.js")).overviewView,
  users: async ([id, tab]) => {
    if (id === "import") {
      return (await import("./screen/imports.js")).importView;
    }
    if (id === "new") {
      return (await import("./screen/newuser.js")).newUserView;
    }
    if (id) {
      const { userView } = await import("./screen/user.js");
      return (context) => userView(context, id, tab);
    }
    return (await import("./screen/users.js")).usersView;
  },
  organizations: async ([id, tab, item]) => {
    if (id === "rules" || (id === "roles" && !tab)) {
      const { organizationsView } = await import("./screen/organizations.js");
      return (context) => organizationsView(context, id);
    }
    if (id === "roles") {
      const { roleView } = await import("./screen/roles.js");
      return (context) => roleView(context, tab);
    }
    if (id) {
      const { organizationView } = await import("./screen/organization.js");
      return (context) => organizationView(context, id, tab, item);
    }
    const { organizationsView } = await import("./screen/organizations.js");
    return (context) => organizationsView(context);
  },
  providers: async ([provider]) => {
    const { providersView, providerView } = await import("./screen/providers.js");
    return (context) => (provider ? providerView(context, provider) : providersView(context));
  },
  factors: async () => (await import("./screen/settings.js")).factorsView,
  branding: async () => (await import("./screen/branding.js")).brandingView,
  mails: async ([message, language]) => {
    const [{ mailsView }, texts] = await Promise.all([import("./screen/mails.js"), screenMessages("mails")]);
    return (context) => mailsView(context, texts, message, language);
  },
  quickstart: async () => (await import("./screen/quickstart.js")).quickstartView,
  keys: async () => (await import("./screen/keys.js")).keysView,
  applications: async ([id, kind]) => {
    const { applicationsView, applicationView, newApplicationView } = await import("./screen/applications.js");
    return (context) =>
      id === "new" ? newApplicationView(context, kind) : id ? applicationView(context, id) : applicationsView(context);
  },
  apis: async ([id, scope]) => {
    const { apisView, apiView } = await import("./screen/apis.js");
    return (context) => (id ? apiView(context, id, scope) : apisView(context));
  },
  webhooks: async ([id, deliveryId]) => {
    const { webhooksView, webhookView } = await import("./screen/webhooks.js");
    return (context) => (id ? webhookView(context, id, deliveryId) : webhooksView(context));
  },
  tokens: async ([id]) => {
    const { templatesView, templateView } = await import("./screen/templates.js");
    const { tokensView } = await import("./screen/settings.js");
    return (context) => (id ? templateView(context, id) : tokensView(context, templatesView(context)));
  },
  members: async () => (await import("./screen/members.js")).membersView,
  audit: async () => (await loadAudit()).auditView,
  settings: async () => (await import("./screen/settings.js")).settingsView,
};

/**
 * The sections as the menu groups them.
 * @type {readonly { name: "people" | "signIn" | "developers" | "project", parts: readonly PartName[] }[]}
 */
export const GROUPS = [
  { name: "people", parts: ["overview", "users", "organizations"] },
  { name: "signIn", parts: ["providers", "factors", "branding", "mails"] },
  { name: "developers", parts: ["quickstart", "keys", "applications", "apis", "webhooks", "tokens"] },
  { name: "project", parts: ["members", "audit", "settings"] },
];
export const PART_NAMES = GROUPS.flatMap(({ parts }) => parts);

/**
 * @param {string} id
 * @param {string[]} segments of the address below the project
 * @returns {ConsoleScreen | null}
 */
export function projectScreen(id, [segment = "overview", ...below]) {
  const part = PART_NAMES.find((name) => name === segment);
  if (!part) {
    return null;
  }
  /** @type {Place} */
  const place = { id, part, context: null };
  return { title: texts[part], view: partView(place, below), place };
}

/**
 * @param {Place} place
 * @param {string[]} below
 */
function partView(place, below) {
  /** @type {ProjectPath} */
  const path = `dashboard/projects/${encodeURIComponent(place.id)}`;
  return loadedView(
    async () => {
      const [project, open] = await Promise.all([call("GET", path), loadModule(() => PARTS[place.part](below))]);
      /** @type {ProjectContext} */
      const context = {
        project,
        isOwner: project.role === "owner",
        isDeveloper: ["owner", "developer"].includes(project.role),
        isSupport: project.role !== "viewer",
        path,
        id: project.id,
        reload: async () => {},
      };
      place.context = context;
      return { context, inner: open(context, below) };
    },
    ({ context, inner }, reload) => {
      context.reload = reload;
      return html`${context.isDeveloper
        ? nothing
        : html`<p class="note viewer">${context.isSupport ? texts.support : texts.viewer}</p>`} ${inner()}`;
    },
  );
}
