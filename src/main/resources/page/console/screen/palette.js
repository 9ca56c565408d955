// @ts-check
/** A dialog that leads to any screen, project or user by part of its name. */
import { call, onSignOut } from "../api.js";
import { iconView } from "../icons.js";
import { messages } from "../messages.js";
import { html, nothing, update } from "../parts.js";
import { PART_NAMES } from "../project.js";

const texts = messages.palette;
const PAUSE = 200; // milliseconds after the last key
const USERS = 5;
const LIMIT = 8; // of a kind, so that none hides the others

/** @typedef {{ kind: string, name: string, icon: import("../icons.js").IconName, href: string, more?: string }} Target */

let typed = "";
let active = 0;
let newest = 0;
/** @type {number | undefined} */
let typingTimer;
/** @type {ProjectContext | null} */
let context = null;
/** @type {Schemas["ProjectList"]["projects"]} */
let projects = [];
/** @type {Target[]} */
let users = [];

onSignOut(() => {
  projects = []; // the person who signs in next must not see them
});

const dialog = () => /** @type {HTMLDialogElement} */ (document.getElementById("palette"));

/** @param {ProjectContext | null} current */
export function openPalette(current) {
  context = current;
  typed = "";
  active = 0;
  users = [];
  update();
  const input = /** @type {HTMLInputElement} */ (dialog().querySelector("input"));
  input.value = "";
  dialog().showModal();
  input.focus();
  loadProjects();
}

/** Without them, and without users, the screens are still found. */
async function loadProjects() {
  try {
    ({ projects } = await call("GET", "dashboard/projects?limit=100"));
    update();
  } catch {
    projects = [];
  }
}

/** @returns {Target[]} */
function screens() {
  const place = context && `#/projects/${context.id}`;
  return [
    ...(place
      ? PART_NAMES.map((part) => ({ kind: texts.screens, name: messages.project[part], icon: part, href: `${place}/${part}` }))
      : []),
    { kind: texts.screens, name: messages.projects.title, icon: "projects", href: "#/" },
    { kind: texts.screens, name: messages.projects.create, icon: "add", href: "#/new" },
    { kind: texts.screens, name: messages.account.title, icon: "person", href: "#/account" },
  ];
}

/** @returns {Target[]} */
function targets() {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  /** @param {Target} target */
  const isMeant = ({ name, more = "" }) => words.every((word) => `${name} ${more}`.toLowerCase().includes(word));
  const ofProjects = projects.map(({ id, name, slug, environment }) => ({
    kind: messages.projects.title,
    name,
    icon: /** @type {const} */ ("projects"),
    href: `#/projects/${id}`,
    more: `${slug} ${messages.projects[environment]}`,
  }));
  return [...screens().filter(isMeant).slice(0, words.length ? LIMIT : undefined), ...ofProjects.filter(isMeant).slice(0, LIMIT), ...users];
}

/** @param {string} search */
async function findUsers(search) {
  const turn = ++newest;
  const project = context;
  if (project === null || search.length < 2) {
    users = [];
    return;
  }
  try {
    const query = new URLSearchParams({ projectId: project.id, limit: String(USERS), search });
    const found = await call("GET", `dashboard/users?${query}`);
    if (turn === newest) {
      users = found.users.map(({ id, email, displayName }) => ({
        kind: messages.project.users,
        name: email ?? displayName ?? id,
        icon: "person",
        href: `#/projects/${project.id}/users/${id}`,
        more: (email && displayName) || undefined,
      }));
    }
  } catch {
    users = turn === newest ? [] : users;
  }
  update();
}

/** @param {Event & { currentTarget: HTMLInputElement }} event */
function onInput({ currentTarget }) {
  typed = currentTarget.value.trim();
  active = 0;
  users = [];
  newest++;
  clearTimeout(typingTimer);
  typingTimer = setTimeout(() => findUsers(typed), PAUSE);
  update();
}

/** @param {Target | undefined} target */
function go(target) {
  if (target) {
    dialog().close();
    location.hash = target.href;
  }
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const found = targets();
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step !== 0 && found.length > 0) {
    event.preventDefault();
    active = (active + step + found.length) % found.length;
    update();
    setTimeout(() => document.getElementById(`target-${active}`)?.scrollIntoView({ block: "nearest" }));
  } else if (event.key === "Enter" && !event.isComposing) {
    event.preventDefault();
    go(found[active]);
  }
}

/** @returns {Template} */
export function paletteView() {
  const found = targets();
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  return html`<dialog
    id="palette"
    aria-label=${messages.shell.search}
    @click=${(/** @type {Event} */ event) => event.target === dialog() && dialog().close()}
  >
    <input
      type="text"
      role="combobox"
      aria-label=${texts.find}
      placeholder=${texts.find}
      aria-expanded="true"
      aria-controls="palette-list"
      aria-autocomplete="list"
      aria-activedescendant=${found.length > 0 ? `target-${active}` : nothing}
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      maxlength="100"
      @input=${onInput}
      @keydown=${onKey}
    />
    <div id="palette-list" role="listbox" aria-label=${messages.shell.search}>
      ${kinds.map(
        (kind) => html`<div role="group" aria-label=${kind}>
          <div class="kind" aria-hidden="true">${kind}</div>
          ${found.map((target, index) =>
            target.kind === kind
              ? html`<div
                  role="option"
                  id="target-${index}"
                  aria-selected=${index === active ? "true" : "false"}
                  @click=${() => go(target)}
                >
                  ${iconView(target.icon)}<span>${target.name}</span>${target.more
                    ? html`<span class="more">${target.more}</span>`
                    : nothing}
                </div>`
              : nothing,
          )}
        </div>`,
      )}
    </div>
    <p role="status">${found.length === 0 ? texts.none : ""}</p>
  </dialog>`;
}
