import { call, download, onSignOut } from "./api.js";
import { keep, named } from "./files.js";
import { number, t, when } from "./messages.js";
import { action, alert, html, nothing, say, table, update } from "./parts.js";

const x = t.users;
const PAUSE = 250; // milliseconds after the last key
const ROOT = "dashboard/users";
const PAGE = 50;

let left = null; // where the person was, who comes back from a user

onSignOut(() => {
  left = null;
});

/**
 * The users of a project, a page at a time, however many there are: a cursor for the beginning of each page up to this one is
 * all that is kept. They are searched while typing; the answer to an older question never replaces a newer one's.
 */
export function users(space) {
  let place = left?.project === space.id ? left : { project: space.id, search: "", cursors: [""] };
  let found = null;
  let error = null;
  let isBusy = false;
  let newest = 0;
  let timer;

  async function load(search, cursors) {
    const own = ++newest;
    isBusy = true;
    update();
    const asked = { projectId: space.id, limit: PAGE, search, cursor: cursors.at(-1) };
    const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== ""));
    try {
      const page = await call("GET", `${ROOT}?${query}`);
      if (own === newest) {
        found = page;
        place = left = { project: space.id, search, cursors };
        error = null;
      }
    } catch (refused) {
      error = own === newest ? refused : error;
    }
    if (own === newest) {
      isBusy = false;
      update();
    }
    return own === newest;
  }

  const turn = (name, cursors) => html`<button
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

  function list() {
    if (error) {
      return html`${alert(error)}
        <button type="button" @click=${() => load(place.search, place.cursors)}>${t.tryAgain}</button>`;
    }
    if (found === null) {
      return html`<p role="status">${t.loading}</p>`;
    }
    const { cursors } = place;
    const before = (cursors.length - 1) * PAGE;
    if (found.users.length === 0 && before === 0) {
      return html`<p role="status">${x.empty}</p>`;
    }
    return html`<div aria-busy=${isBusy ? "true" : "false"}>
        ${table(
          t.project.users,
          [x.email, t.name, x.lastSignIn, x.state],
          found.users.map((one) => [
            html`<a href="#/projects/${space.id}/users/${one.id}">${one.email ?? x.noEmail}</a>`,
            one.displayName ?? "–",
            when(one.lastSignInAt),
            one.isBanned ? x.banned : x.active,
          ]),
        )}
      </div>
      <div class="row">
        <span role="status">${t.of(`${number(before + 1)}–${number(before + found.users.length)}`, number(found.total))}</span>
        ${found.nextCursor === null && before === 0
          ? nothing
          : html`${turn(x.first, before > 0 ? [""] : null)} ${turn(x.previous, before > 0 ? cursors.slice(0, -1) : null)}
            ${turn(x.next, found.nextCursor && [...cursors, found.nextCursor])}`}
      </div>`;
  }

  const save = action(async () => {
    say(x.exporting, { stays: true });
    keep(await download(`${ROOT}/export?projectId=${space.id}`), named("users", "ndjson"));
  }, x.exported);

  load(place.search, place.cursors);
  return () => html`<section>
    <div class="head">
      <h2>${t.project.users}</h2>
      ${space.owner
        ? html`<div class="group">
            <a class="button" href="#/projects/${space.id}/users/import">${x.import}</a
            ><button type="button" @click=${save}>${x.export}</button>
          </div>`
        : nothing}
    </div>
    <div class="field">
      <label for="search">${x.search}</label>
      <input
        type="search"
        id="search"
        autocomplete="off"
        spellcheck="false"
        maxlength="100"
        .defaultValue=${place.search}
        @input=${(event) => {
          const typed = event.currentTarget.value.trim();
          clearTimeout(timer);
          timer = setTimeout(() => load(typed, [""]), PAUSE);
        }}
      />
    </div>
    ${list()}
  </section>`;
}
