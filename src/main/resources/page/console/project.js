// @ts-check
/** A project and its sections: each is a screen below the same header, which knows whether the person can change anything. */
import { call } from "./api.js";
import { auditView } from "./audit.js";
import { brandingView } from "./branding.js";
import { importView } from "./imports.js";
import { keysView } from "./keys.js";
import { membersView } from "./members.js";
import { messages } from "./messages.js";
import { overviewView } from "./overview.js";
import { html, loadedView, nothing } from "./parts.js";
import { providersView, providerView } from "./providers.js";
import { settingsView } from "./settings.js";
import { userView } from "./user.js";
import { usersView } from "./users.js";
import { webhooksView, webhookView } from "./webhooks.js";

const texts = messages.project;

/** By their segment of the address; each gets those below it. */
const PARTS = {
  overview: overviewView,
  users: usersPart,
  keys: keysView,
  providers: providersPart,
  branding: brandingView,
  webhooks: webhooksPart,
  members: membersView,
  audit: auditView,
  settings: settingsView,
};
const PART_NAMES = /** @type {(keyof typeof PARTS)[]} */ (Object.keys(PARTS));

/**
 * @param {ProjectContext} context
 * @param {string[]} below
 */
function usersPart(context, [id]) {
  return id === "import" ? importView(context) : id ? userView(context, id) : usersView(context);
}

/**
 * @param {ProjectContext} context
 * @param {string[]} below
 */
function providersPart(context, [provider]) {
  return provider ? providerView(context, provider) : providersView(context);
}

/**
 * @param {ProjectContext} context
 * @param {string[]} below
 */
function webhooksPart(context, [id, deliveryId]) {
  return id ? webhookView(context, id, deliveryId) : webhooksView(context);
}

/**
 * @param {string} id
 * @param {string[]} segments of the address below the project
 * @returns {ConsoleScreen | null}
 */
export function projectScreen(id, [segment = "overview", ...below]) {
  const part = PART_NAMES.find((name) => name === segment);
  return part ? { title: texts[part], view: partView(id, part, below) } : null;
}

/**
 * @param {string} id
 * @param {keyof typeof PARTS} part
 * @param {string[]} below
 */
function partView(id, part, below) {
  /** @type {ProjectPath} */
  const path = `dashboard/projects/${encodeURIComponent(id)}`;
  return loadedView(
    async () => {
      const project = await call("GET", path);
      /** @type {ProjectContext} */
      const context = { project, isOwner: project.role === "owner", path, id: project.id, reload: async () => {} };
      return { context, inner: PARTS[part](context, below) };
    },
    ({ context, inner }, reload) => {
      context.reload = reload;
      return html`<p class="crumb"><a href="#/">${messages.projects.title}</a></p>
        <div class="head">
          <h1>${context.project.name}</h1>
          <span class="tag">${messages.projects[context.project.environment]}</span>
          <a class="outward" href=${`../p/${context.project.slug}/`} target="_blank" rel="noopener">${texts.signInPage}</a>
        </div>
        <nav class="parts" aria-label=${texts.parts}>
          ${PART_NAMES.map(
            (name) =>
              html`<a href="#/projects/${context.id}/${name}" aria-current=${name === part ? "page" : nothing}>${texts[name]}</a>`,
          )}
        </nav>
        ${context.isOwner ? nothing : html`<p class="note">${texts.viewer}</p>`} ${inner()}`;
    },
  );
}
