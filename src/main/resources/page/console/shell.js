// @ts-check
/** The frame around each screen: the bar with the project and the account, and the menu of the project's sections. */
import { call, currentUser, signOut } from "./api.js";
import { iconView, markView } from "./icons.js";
import { chooseLanguage, chosenLanguage, LANGUAGES, messages } from "./messages.js";
import { html, loadedView, nothing, reported, update } from "./parts.js";
import { GROUPS } from "./project.js";
import { chosenTheme, chooseTheme, THEMES } from "./theme.js";

const texts = messages.shell;
const IS_MAC = /Mac|iP(hone|ad)/.test(navigator.userAgent);

/**
 * Those that this page has seen, so that the bar names the project while a screen loads.
 * @type {Map<string, { id: string, name: string, slug: string, environment: Schemas["Environment"] }>}
 */
const seen = new Map();

/** @type {View | null} */
let projectList = null;

/**
 * Whether the person administrates the server; null until their menu has been opened.
 * @type {boolean | null}
 */
let isAdministrator = null;

/** @param {Place} place */
export function projectOf(place) {
  if (place.context) {
    seen.set(place.id, place.context.project);
  }
  return seen.get(place.id);
}

/** @param {Schemas["Environment"]} environment */
export const environmentView = (environment) =>
  html`<span class="tag ${environment}">${messages.projects[environment]}</span>`;

/** Closes what lies above the page, since the person has gone somewhere. */
export function closeMenus() {
  for (const menu of document.querySelectorAll("[popover]")) {
    /** @type {HTMLElement} */ (menu).hidePopover();
  }
}

/** @param {ToggleEvent} event */
function loadProjects(event) {
  if (event.newState === "open") {
    projectList = loadedView(
      () => call("GET", "dashboard/projects?limit=50"),
      ({ projects }) => html`${projects.map(
        ({ id, name, environment }) =>
          html`<a href="#/projects/${id}" aria-current=${location.hash.startsWith(`#/projects/${id}`) ? "true" : nothing}
            ><span class="name">${name}</span> ${environmentView(environment)}</a
          >`,
      )}`,
    );
    update();
  }
}

/** @param {Place} place */
function switcherView(place) {
  const project = projectOf(place);
  return html`<button type="button" id="switcher" class="switcher" popovertarget="projects-menu">
      <span class="name">${project?.name ?? "…"}</span> ${project ? environmentView(project.environment) : nothing}
      ${iconView("open")} <span class="unseen">${texts.switchProject}</span>
    </button>
    <div id="projects-menu" class="menu" popover @toggle=${loadProjects}>
      <div class="many">${projectList?.() ?? nothing}</div>
      <hr />
      <a href="#/">${iconView("projects")} ${texts.allProjects}</a>
      <a href="#/new">${iconView("add")} ${messages.projects.create}</a>
    </div>`;
}

/** @param {ToggleEvent} event */
async function askWhetherAdministrator(event) {
  if (event.newState === "open" && isAdministrator === null) {
    await reported(async () => {
      ({ isAdministrator } = await call("GET", "dashboard/projects?limit=1"));
      update();
    })();
  }
}

/** @param {{ onSignedOut: () => void }} next */
function accountView({ onSignedOut }) {
  const email = currentUser()?.email ?? "";
  const language = chosenLanguage();
  /** @param {string} chosen */
  const speak = (chosen) =>
    reported(() => {
      chooseLanguage(chosen);
      location.reload();
    });
  return html`<button type="button" id="me" class="avatar" popovertarget="account-menu" aria-label=${email} title=${email}>
      ${[...email][0]?.toUpperCase() ?? iconView("person")}
    </button>
    <div id="account-menu" class="menu" popover @toggle=${askWhetherAdministrator}>
      <p class="who">${email}</p>
      <a href="#/account">${iconView("person")} ${messages.account.title}</a>
      ${isAdministrator ? html`<a href="#/operator">${iconView("settings")} ${messages.operator.title}</a>` : nothing}
      <a href="../docs/" target="_blank">${iconView("docs")} ${texts.docs}</a>
      <hr />
      <div class="themes" role="group" aria-label=${texts.theme}>
        ${THEMES.map(
          (theme) =>
            html`<button
              type="button"
              aria-pressed=${theme === chosenTheme() ? "true" : "false"}
              @click=${() => (chooseTheme(theme), update())}
            >
              ${texts.themes[theme]}
            </button>`,
        )}
      </div>
      <details>
        <summary>${iconView("language")} ${messages.account.language}</summary>
        ${[["", messages.account.languageOfBrowser], ...Object.entries(LANGUAGES)].map(
          ([code, name]) =>
            html`<button type="button" lang=${code || nothing} aria-pressed=${code === language} @click=${speak(code)}>
              ${name}
            </button>`,
        )}
      </details>
      <hr />
      <button
        type="button"
        @click=${reported(async () => {
          await signOut();
          seen.clear();
          projectList = null;
          isAdministrator = null;
          onSignedOut();
        })}
      >
        ${iconView("leave")} ${messages.account.signOut}
      </button>
    </div>`;
}

/** @param {Place} place */
function tryView(place) {
  const project = projectOf(place);
  return project
    ? html`<a class="button plain try" href="../p/${project.slug}/" target="_blank" rel="noopener"
        >${messages.project.signInPage} ${iconView("outward")}</a
      >`
    : nothing;
}

/** @param {Place} place */
const menuView = (place) => html`<nav id="rail" popover aria-label=${messages.project.parts}>
  ${GROUPS.map(
    ({ name, parts }) => html`<div class="parts">
      <p id="group-${name}">${texts.groups[name]}</p>
      <ul aria-labelledby="group-${name}">
        ${parts.map(
          (part) =>
            html`<li>
              <a href="#/projects/${place.id}/${part}" aria-current=${part === place.part ? "page" : nothing}
                >${iconView(part)}${messages.project[part]}</a
              >
            </li>`,
        )}
      </ul>
    </div>`,
  )}
  <div class="parts try">${tryView(place)}</div>
</nav>`;

/**
 * @param {Place | undefined} place
 * @param {{ onSignedOut: () => void, onSearch: () => void }} next
 */
export function barView(place, next) {
  const project = place && projectOf(place);
  return html`<header class=${project?.environment ?? nothing}>
    ${place
      ? html`<button type="button" class="plain to-rail" popovertarget="rail" aria-label=${messages.project.parts}>
          ${iconView("menu")}
        </button>`
      : nothing}
    <a class="brand" href="#/" aria-label=${messages.projects.title}>${markView()}<span>Vestibule</span></a>
    ${place ? switcherView(place) : nothing}
    <div class="tools">
      <button type="button" class="search" aria-label=${texts.search} aria-keyshortcuts="Control+K Meta+K" @click=${next.onSearch}>
        ${iconView("search")} <span>${texts.search}</span> <kbd>${IS_MAC ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      ${place ? tryView(place) : nothing}
      ${accountView(next)}
    </div>
  </header>`;
}

/**
 * What is below the bar: the menu of the project, if it is one's screen, and the screen.
 * @param {Place | undefined} place
 * @param {Template} content
 */
export const frameView = (place, content) =>
  place ? html`<div class="frame">${menuView(place)}${content}</div>` : content;

/** Above the forms of a person who is not signed in. */
export const nameplateView = () => html`<p class="nameplate">${markView()} Vestibule</p>`;

