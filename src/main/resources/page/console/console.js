// @ts-check
/** The console: chooses the screen, and draws the frame around it. */
import "./theme.js";
import { asRefusal, currentUser, onSessionEnd, refreshSession } from "./api.js";
import { entranceView, signInAgainView } from "./entrance.js";
import { invitationScreen, isInvited, takeToken } from "./invitation.js";
import { messages } from "./messages.js";
import {
  alertView,
  announce,
  askFirst,
  drawWith,
  forgetUnsaved,
  hasUnsaved,
  html,
  leaveScreen,
  loadedView,
  loadModule,
  nothing,
  questionView,
  renderInto,
  reported,
  statusView,
  update,
} from "./parts.js";
import { projectScreen } from "./project.js";
import { newProjectScreen, projectsScreen } from "./projects.js";
import { barView, closeMenus, frameView, nameplateView, projectOf } from "./shell.js";

const root = /** @type {HTMLElement} */ (document.getElementById("console"));

/** @type {ConsoleScreen | null} */
let screen = null;
/** @type {{ view: View, finished: Promise<void> } | null} */
let signInAgain = null;
/** @type {Refusal | null} */
let failure = null;
let isKnown = false;
/** @type {typeof import("./screen/palette.js") | null} */
let palette = null;

function showEntrance() {
  isKnown = true;
  if (isInvited()) {
    takeToken(location.hash.split("/")[2]);
  }
  closeMenus();
  screen = { title: isInvited() ? messages.invitation.title : messages.entrance.signIn, view: entranceView(leaveEntrance) };
  update();
}

function leaveEntrance() {
  announce("");
  openScreen();
}

/** The screen of the address, if there is one. */
function screenOfAddress() {
  const parts = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeSegment);
  switch (parts[0]) {
    case undefined:
      return projectsScreen();
    case "new":
      return newProjectScreen();
    case "account":
      return accountScreen();
    case "operator":
      return operatorScreen();
    case "invitation":
      takeToken(parts[1]);
      return invitationScreen({ onSignedOut: showEntrance });
    case "projects":
      return parts.length > 1 ? projectScreen(parts[1], parts.slice(2)) : null;
    default:
      return null;
  }
}

/** @returns {ConsoleScreen} */
const accountScreen = () => ({
  title: messages.account.title,
  view: loadedView(
    async () => (await loadModule(() => import("./screen/account.js"))).accountView(),
    (view) => view(),
  ),
});

/** @returns {ConsoleScreen} */
const operatorScreen = () => ({
  title: messages.operator.title,
  view: loadedView(
    async () => (await loadModule(() => import("./screen/operator.js"))).operatorView(),
    (view) => view(),
  ),
});

/** @param {string} segment */
function decodeSegment(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The address of the screen that is shown. */
let shown = location.hash;

/** Opens the screen of the new address, or asks before unsaved changes are lost: the address then waits for the answer. */
function followAddress() {
  const wanted = location.hash;
  if (hasUnsaved() && wanted !== shown) {
    history.replaceState(null, "", shown || "#/");
    askFirst(messages.unsaved, messages.discard, () => {
      forgetUnsaved();
      location.hash = wanted;
    });
  } else {
    openScreen();
  }
}

function openScreen() {
  isKnown = true;
  shown = location.hash;
  forgetUnsaved();
  closeMenus();
  leaveScreen();
  screen = screenOfAddress() ?? { title: messages.notFound, view: () => html`<h1>${messages.notFound}</h1>` };
  update();
  queueMicrotask(() => setTimeout(() => document.getElementById("content")?.focus()));
}

async function start() {
  failure = null;
  update();
  try {
    await refreshSession();
    openScreen();
  } catch (refused) {
    if (asRefusal(refused).status === 401) {
      showEntrance();
    } else {
      failure = asRefusal(refused);
      update();
    }
  }
}

function bodyView() {
  if (failure) {
    return html`${alertView(failure)}<button type="button" @click=${start}>${messages.tryAgain}</button>`;
  }
  return isKnown && screen ? screen.view() : html`<p role="status">${messages.loading}</p>`;
}

/** The title says where one is, from the nearest outwards. */
const titleOfPage = () =>
  [screen?.title, screen?.place && projectOf(screen.place)?.name, messages.title].filter(Boolean).join(" · ");

function pageView() {
  const isIn = currentUser() !== null;
  const place = isIn ? screen?.place : undefined;
  const content = html`<main id="content" tabindex="-1" class=${isIn ? (place ? "" : "alone") : "narrow"}>
    ${isIn || !isKnown ? nothing : nameplateView()} ${bodyView()}
  </main>`;
  return html`${isIn ? barView(place, { onSignedOut: showEntrance, onSearch: search }) : nothing} ${statusView()}
    ${frameView(place, content)}`;
}

function draw() {
  const view = html`<a class="skip" href="#content" @click=${skipToContent}>${messages.skip}</a>
    ${pageView()} ${questionView()}
    <dialog id="again" aria-labelledby="again-title" @cancel=${(/** @type {Event} */ event) => event.preventDefault()}>
      ${signInAgain ? signInAgain.view() : nothing}
    </dialog>
    ${palette && currentUser() ? palette.paletteView() : nothing}`;
  document.title = titleOfPage();
  renderInto(view, root);
}

const search = reported(async () => {
  palette ??= await loadModule(() => import("./screen/palette.js"));
  closeMenus();
  update();
  setTimeout(() => palette?.openPalette(screen?.place?.context ?? null));
});

/** @param {KeyboardEvent} event */
function searchByKey(event) {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k" && currentUser()) {
    event.preventDefault();
    if (!document.querySelector("dialog[open]")) {
      search();
    }
  }
}

/** @param {Event} event */
function skipToContent(event) {
  event.preventDefault(); // the address names the screen
  document.getElementById("content")?.focus();
}

const signInDialog = () => /** @type {HTMLDialogElement} */ (document.getElementById("again"));

/** One dialog for all calls that wait. */
onSessionEnd((isTooOld) => {
  if (signInAgain === null) {
    /** @type {View} */
    let view = () => html``;
    /** @type {Promise<void>} */
    const finished = new Promise((resolve) => {
      view = signInAgainView(() => {
        signInDialog().close();
        signInAgain = null;
        update();
        resolve();
      }, isTooOld);
    });
    signInAgain = { view, finished };
    update();
    setTimeout(() => signInDialog().showModal());
  }
  return signInAgain.finished;
});

drawWith(draw);
addEventListener("keydown", searchByKey);
addEventListener("hashchange", () => (currentUser() ? followAddress() : isKnown ? showEntrance() : undefined));
start();
