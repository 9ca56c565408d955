import { call } from "./api.js";
import { t } from "./messages.js";
import { form, html, pages, secret, update } from "./parts.js";

const x = t.projects;

/** All projects of the dashboard user. */
export function projects() {
  const list = pages(
    async (offset) => {
      const page = await call("GET", `dashboard/projects?limit=50&offset=${offset}`);
      return { items: page.projects, total: page.total };
    },
    (found) =>
      found.length === 0
        ? html`<p>${x.empty}</p>`
        : html`<ul class="cards">
            ${found.map(
              (project) =>
                html`<li>
                  <a href="#/projects/${project.id}"><strong>${project.name}</strong></a
                  ><span class="tag">${x[project.environment]}</span>
                </li>`,
            )}
          </ul>`,
  );
  return {
    title: x.title,
    view: () => html`<div class="head">
        <h1>${x.title}</h1>
        <a class="button main" href="#/new">${x.create}</a>
      </div>
      ${list()}
      <p class="links"><a href="#/invitation">${t.invitation.have}</a></p>`,
  };
}

/** Makes a project, and shows its keys this once. */
export function newProject() {
  let made = null;
  const create = form("new-project", {
    fields: [
      { name: "name", label: t.name, required: true },
      {
        name: "environment",
        type: "select",
        label: x.environment,
        help: x.environmentHelp,
        value: "live",
        options: [
          ["live", x.live],
          ["test", x.test],
        ],
      },
    ],
    button: x.create,
    submit: async (values) => {
      made = await call("POST", "dashboard/projects", values);
      update();
    },
  });
  return {
    title: x.create,
    view: () =>
      made === null
        ? html`<h1>${x.create}</h1>
            ${create()}`
        : html`<h1>${x.created}</h1>
            <p role="status">${x.secretOnce}</p>
            ${secret(x.publishableKey, made.publishableKey)} ${secret(x.secretKey, made.secretKey)}
            <a class="button main" href="#/projects/${made.id}">${x.toSettings}</a>`,
  };
}
