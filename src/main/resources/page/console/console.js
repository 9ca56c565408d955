/** The console: which screen is shown, and what is around it. */
import { account } from "./account.js";
import { me, onSessionEnd, refresh } from "./api.js";
import { again, entrance } from "./entrance.js";
import { invitation, isInvited, takeToken } from "./invitation.js";
import { t } from "./messages.js";
import { alert, drawnBy, html, nothing, questionView, say, show, status, update } from "./parts.js";
import { project } from "./project.js";
import { newProject, projects } from "./projects.js";

const root = document.getElementById("console");

let screen = null;
let askAgain = null;
let failure = null;
let isKnown = false;

function outside() {
  isKnown = true;
  if (isInvited()) {
    takeToken(location.hash.split("/")[2]);
  }
  screen = { title: isInvited() ? t.invitation.title : t.entrance.signIn, view: entrance(inside, update) };
  update();
}

function inside() {
  say("");
  open();
}

function route() {
  const parts = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decode);
  switch (parts[0]) {
    case undefined:
      return projects();
    case "new":
      return newProject();
    case "account":
      return account({ signedOut: outside });
    case "invitation":
      takeToken(parts[1]);
      return invitation({ signedOut: outside });
    case "projects":
      return parts.length > 1 ? project(parts.slice(1)) : null;
    default:
      return null;
  }
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function open() {
  isKnown = true;
  screen = route() ?? { title: t.notFound, view: () => html`<h1>${t.notFound}</h1>` };
  update();
  queueMicrotask(() => setTimeout(() => document.getElementById("content")?.focus()));
}

async function start() {
  failure = null;
  update();
  try {
    await refresh();
    open();
  } catch (refused) {
    if (refused.status === 401) {
      outside();
    } else {
      failure = refused;
      update();
    }
  }
}

function top() {
  return html`<header>
    <a class="brand" href="#/">Vestibule</a>
    ${me() ? html`<a href="#/account" class="me">${me().email}</a>` : nothing}
  </header>`;
}

function body() {
  if (failure) {
    return html`${alert(failure)}<button type="button" @click=${start}>${t.tryAgain}</button>`;
  }
  return isKnown ? screen.view() : html`<p role="status">${t.loading}</p>`;
}

function draw() {
  document.title = screen ? `${screen.title} · ${t.title}` : t.title;
  show(
    html`<a class="skip" href="#content" @click=${skip}>${t.skip}</a>
      ${top()}
      <main id="content" tabindex="-1" class=${me() ? "" : "narrow"}>${[{ screen, view: body() }].map((it) => it.view)} ${status()}</main>
      ${questionView()}
      <dialog id="again" aria-labelledby="again-title" @cancel=${(event) => event.preventDefault()}>
        ${askAgain ? askAgain.view() : nothing}
      </dialog>`,
    root,
  );
}

function skip(event) {
  event.preventDefault(); // the address names the screen
  document.getElementById("content").focus();
}

/** One dialog for all calls that wait. */
onSessionEnd((isTooOld) => {
  if (askAgain === null) {
    let done;
    const finished = new Promise((resolve) => {
      done = resolve;
    });
    const view = again(() => {
      document.getElementById("again").close();
      askAgain = null;
      update();
      done();
    }, update, isTooOld);
    askAgain = { view, finished };
    update();
    setTimeout(() => document.getElementById("again").showModal());
  }
  return askAgain.finished;
});

drawnBy(draw);
addEventListener("hashchange", () => (me() ? open() : isKnown ? outside() : undefined));
start();
