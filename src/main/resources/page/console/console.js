// @ts-check
/** The console: chooses the screen, and draws the frame around it. */
import { accountScreen } from "./account.js";
import { asRefusal, currentUser, onSessionEnd, refreshSession } from "./api.js";
import { entranceView, signInAgainView } from "./entrance.js";
import { invitationScreen, isInvited, takeToken } from "./invitation.js";
import { messages } from "./messages.js";
import { alertView, announce, drawWith, html, nothing, questionView, renderInto, statusView, update } from "./parts.js";
import { projectScreen } from "./project.js";
import { newProjectScreen, projectsScreen } from "./projects.js";

const root = /** @type {HTMLElement} */ (document.getElementById("console"));

/** @type {ConsoleScreen | null} */
let screen = null;
/** @type {{ view: View, finished: Promise<void> } | null} */
let signInAgain = null;
/** @type {Refusal | null} */
let failure = null;
let isKnown = false;

function showEntrance() {
  isKnown = true;
  if (isInvited()) {
    takeToken(location.hash.split("/")[2]);
  }
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
      return accountScreen({ onSignedOut: showEntrance });
    case "invitation":
      takeToken(parts[1]);
      return invitationScreen({ onSignedOut: showEntrance });
    case "projects":
      return parts.length > 1 ? projectScreen(parts[1], parts.slice(2)) : null;
    default:
      return null;
  }
}

/** @param {string} segment */
function decodeSegment(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function openScreen() {
  isKnown = true;
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

function headerView() {
  const user = currentUser();
  return html`<header>
    <a class="brand" href="#/">Vestibule</a>
    ${user ? html`<a href="#/account" class="me">${user.email}</a>` : nothing}
  </header>`;
}

function bodyView() {
  if (failure) {
    return html`${alertView(failure)}<button type="button" @click=${start}>${messages.tryAgain}</button>`;
  }
  return isKnown && screen ? screen.view() : html`<p role="status">${messages.loading}</p>`;
}

function draw() {
  document.title = screen ? `${screen.title} · ${messages.title}` : messages.title;
  renderInto(
    html`<a class="skip" href="#content" @click=${skipToContent}>${messages.skip}</a>
      ${headerView()}
      <main id="content" tabindex="-1" class=${currentUser() ? "" : "narrow"}>${bodyView()} ${statusView()}</main>
      ${questionView()}
      <dialog id="again" aria-labelledby="again-title" @cancel=${(/** @type {Event} */ event) => event.preventDefault()}>
        ${signInAgain ? signInAgain.view() : nothing}
      </dialog>`,
    root,
  );
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
addEventListener("hashchange", () => (currentUser() ? openScreen() : isKnown ? showEntrance() : undefined));
start();
