// @ts-check
import { asRefusal, call, download, onSignOut } from "../api.js";
import { datedName, saveFile } from "./files.js";
import { fill, formatNumber, formatTime, messages } from "../messages.js";
import { alertView, announce, html, nothing, reported, tableView, update } from "../parts.js";

const texts = messages.users;
const PAUSE = 250; // milliseconds after the last key
const ROOT = "dashboard/users";
const PAGE = 50;

/** @typedef {{ project: string, search: string, cursors: string[] }} Place */

/** @type {Place | null} */
let lastPlace = null; // where the person was before opening a user

onSignOut(() => {
  lastPlace = null;
});

/**
 * The users of a project, a page at a time, however many there are: the screen keeps only a cursor for the beginning of each
 * page up to this one. It searches while the person types; the answer to an older search never replaces that of a newer one.
 * @param {ProjectContext} context
 * @returns {View}
 */
export function usersView(context) {
  /** @type {Place} */
  let place = lastPlace?.project === context.id ? lastPlace : { project: context.id, search: "", cursors: [""] };
  /** @type {Schemas["UserList"] | null} */
  let page = null;
  /** @type {Refusal | null} */
  let refusal = null;
  let isBusy = false;
  let newest = 0;
  /** @type {number | undefined} */
  let typingTimer;

  /**
   * @param {string} search
   * @param {string[]} cursors
   */
  async function load(search, cursors) {
    const turn = ++newest;
    isBusy = true;
    update();
    const asked = { projectId: context.id, limit: String(PAGE), search, cursor: cursors.at(-1) ?? "" };
    const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== ""));
    try {
      const found = await call("GET", `${ROOT}?${query}`);
      if (turn === newest) {
        page = found;
        place = lastPlace = { project: context.id, search, cursors };
        refusal = null;
      }
    } catch (failure) {
      refusal = turn === newest ? asRefusal(failure) : refusal;
    }
    if (turn === newest) {
      isBusy = false;
      update();
    }
    return turn === newest;
  }

  /**
   * @param {string} name
   * @param {string[] | null} cursors
   */
  const pageButton = (name, cursors) => html`<button
    type="button"
    aria-disabled=${cursors === null || isBusy ? "true" : "false"}
    @click=${async () => {
      if (cursors !== null && !isBusy && (await load(place.search, cursors))) {
        document.querySelector(".scroll")?.scrollIntoView({ block: "nearest" });
      }
    }}
  >
    ${name}
  </button>`;

  function listView() {
    if (refusal) {
      return html`${alertView(refusal)}
        <button type="button" @click=${() => load(place.search, place.cursors)}>${messages.tryAgain}</button>`;
    }
    if (page === null) {
      return html`<p role="status">${messages.loading}</p>`;
    }
    const { cursors } = place;
    const { users, total, nextCursor } = page;
    const before = (cursors.length - 1) * PAGE;
    if (users.length === 0 && before === 0) {
      return html`<p class="blank" role="status">${texts.empty}</p>`;
    }
    const shown = `${formatNumber(before + 1)}–${formatNumber(before + users.length)}`;
    return html`<div aria-busy=${isBusy ? "true" : "false"}>
        ${tableView(
          messages.project.users,
          [texts.email, messages.name, texts.lastSignIn, texts.state],
          users.map((user) => [
            html`<a href="#/projects/${context.id}/users/${user.id}">${user.email ?? texts.noEmail}</a>`,
            user.displayName ?? "–",
            formatTime(user.lastSignInAt),
            html`<span class="tag ${user.isBanned ? "bad" : "good"}">${user.isBanned ? texts.banned : texts.active}</span>`,
          ]),
        )}
      </div>
      <div class="row">
        <span role="status">${fill(messages.of, { shown, total: formatNumber(total) })}</span>
        ${nextCursor === null && before === 0
          ? nothing
          : html`${pageButton(texts.first, before > 0 ? [""] : null)}
            ${pageButton(texts.previous, before > 0 ? cursors.slice(0, -1) : null)}
            ${pageButton(texts.next, nextCursor === null ? null : [...cursors, nextCursor])}`}
      </div>`;
  }

  const save = reported(async () => {
    announce(texts.exporting, { stays: true });
    saveFile(await download(`${ROOT}/export?projectId=${context.id}`), datedName("users", "ndjson"));
  }, texts.exported);

  load(place.search, place.cursors);
  return () => html`<div class="head">
      <h1>${messages.project.users}</h1>
      ${context.isOwner
        ? html`<div class="group">
            <a class="button" href="#/projects/${context.id}/users/import">${texts.import}</a
            ><button type="button" @click=${save}>${texts.export}</button>
          </div>`
        : nothing}
    </div>
    <section>
    <div class="field">
      <label for="search">${texts.search}</label>
      <input
        type="search"
        id="search"
        autocomplete="off"
        spellcheck="false"
        maxlength="100"
        .defaultValue=${place.search}
        @input=${(/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => {
          const typed = event.currentTarget.value.trim();
          clearTimeout(typingTimer);
          typingTimer = setTimeout(() => load(typed, [""]), PAUSE);
        }}
      />
    </div>
    ${listView()}
  </section>`;
}
