// @ts-check
import { call } from "./api.js";
import { fill, formatNumber, messages } from "./messages.js";
import { formView, html, nothing, pagedView, secretView, update } from "./parts.js";
import { environmentView } from "./shell.js";

const texts = messages.projects;

/**
 * All projects of the dashboard user.
 * @returns {ConsoleScreen}
 */
export function projectsScreen() {
  let isAdministrator = false;
  const list = pagedView(
    async (offset) => {
      const page = await call("GET", `dashboard/projects?limit=50&offset=${offset}`);
      isAdministrator = page.isAdministrator;
      return { items: page.projects, total: page.total };
    },
    (found) =>
      found.length === 0
        ? html`<p class="blank">${texts.empty}</p>`
        : html`<ul class="cards">
            ${found.map(
              (project) =>
                html`<li>
                  <span class="initial" aria-hidden="true">${[...project.name][0]}</span
                  >
                  <div>
                    <a href="#/projects/${project.id}">${project.name}</a>
                    <p class="help">${messages.project.users}: ${project.userCount === undefined ? "?" : formatNumber(project.userCount)}</p>
                  </div>
                  ${environmentView(project.environment)}
                </li>`,
            )}
          </ul>`,
  );
  return {
    title: texts.title,
    view: () => html`<div class="head">
        <h1>${texts.title}</h1>
        <a class="button main" href="#/new">${texts.create}</a>
      </div>
      ${list()}
      <p class="links">
        <a href="#/invitation">${messages.invitation.have}</a>
        ${isAdministrator ? html`<a href="#/operator">${messages.operator.title}</a>` : nothing}
      </p>`,
  };
}

/**
 * The address of a project's sign-in page.
 * @param {string} slug
 */
export const addressOf = (slug) => new URL(`../p/${slug}/`, location.href).href;

/**
 * Empty for a name in another script.
 * @param {string} name
 */
const proposalOf = (name) =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);

/**
 * Creates a project, and shows its keys this one time.
 * @returns {ConsoleScreen}
 */
export function newProjectScreen() {
  /** @type {Schemas["CreatedProject"] | null} */
  let made = null;
  let proposed = "";
  const create = formView("new-project", {
    fields: [
      { name: "name", label: messages.name, required: true },
      { name: "slug", label: texts.slug, help: fill(texts.slugHelp, { url: addressOf("acme") }) },
      {
        name: "environment",
        type: "select",
        label: texts.environment,
        help: texts.environmentHelp,
        value: "live",
        options: [
          ["live", texts.live],
          ["test", texts.test],
        ],
      },
    ],
    button: texts.create,
    draft: async ({ name, slug }) => {
      if (slug.trim() === proposed) {
        proposed = proposalOf(name);
        /** @type {HTMLInputElement} */ (document.getElementById("new-project-slug")).value = proposed;
      }
    },
    submit: async ({ slug, ...values }) => {
      const chosen = slug.trim();
      // The server writes any script in letters of URLs, and finds one that is free.
      made = await call("POST", "dashboard/projects", chosen === proposed ? values : { ...values, slug: chosen });
      update();
    },
  });
  return {
    title: texts.create,
    view: () =>
      made === null
        ? html`<h1>${texts.create}</h1>
            <section class="slim">${create()}</section>`
        : html`<h1>${texts.created}</h1>
            <section class="slim">
              <p role="status">${texts.secretOnce}</p>
              ${secretView(texts.publishableKey, made.publishableKey)} ${secretView(texts.secretKey, made.secretKey)}
              <a class="button main" href="#/projects/${made.id}/quickstart">${texts.toQuickstart}</a>
            </section>`,
  };
}
