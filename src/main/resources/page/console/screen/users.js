// @ts-check
import { asRefusal, call, download, onSignOut } from "../api.js";
import { datedName, saveFile } from "./files.js";
import { fill, formatDate, formatNumber, formatTime, messages } from "../messages.js";
import {
  alertView,
  announce,
  askFirst,
  avatarView,
  html,
  loadedView,
  nothing,
  reported,
  tableView,
  timeView,
  update,
} from "../parts.js";
import { stateView } from "./state.js";

const texts = messages.users;
const PAUSE = 250; // milliseconds after the last key
const ROOT = "dashboard/users";
const PAGE = 50;

/** @type {Record<string, readonly Option[]>} */
const FILTERS = {
  isBanned: [
    ["true", texts.banned],
    ["false", texts.active],
  ],
  emailVerified: [
    ["true", texts.yes],
    ["false", texts.no],
  ],
  mfaEnabled: [
    ["true", texts.yes],
    ["false", texts.no],
  ],
};
/** @type {Record<string, string>} */
const LABELS = { isBanned: texts.state, emailVerified: texts.verified, mfaEnabled: texts.secondFactor };

/** @typedef {{ project: string, search: string, filters: Record<string, string>, cursors: string[] }} Place */

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
  let place = lastPlace?.project === context.id ? lastPlace : { project: context.id, search: "", filters: {}, cursors: [""] };
  /** @type {Schemas["UserList"] | null} */
  let page = null;
  /** @type {Refusal | null} */
  let refusal = null;
  let isBusy = false;
  let newest = 0;
  /** @type {Set<string>} */
  const chosen = new Set(); // the ids of users
  /** @type {number | undefined} */
  let typingTimer;

  /**
   * @param {string} search
   * @param {string[]} cursors
   * @param {Record<string, string>} [filters]
   */
  async function load(search, cursors, filters = place.filters) {
    const turn = ++newest;
    isBusy = true;
    update();
    const asked = { projectId: context.id, limit: String(PAGE), search, ...filters, cursor: cursors.at(-1) ?? "" };
    const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== ""));
    try {
      const found = await call("GET", `${ROOT}?${query}`);
      if (turn === newest) {
        page = found;
        place = lastPlace = { project: context.id, search, filters, cursors };
        chosen.clear();
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

  /** @param {Schemas["UserList"]["users"][number]} user */
  const chooseView = ({ id, email }) => html`<label class="check"
    ><input
      type="checkbox"
      aria-label=${`${texts.choose}: ${email ?? id}`}
      .checked=${chosen.has(id)}
      @change=${() => {
        if (!chosen.delete(id)) {
          chosen.add(id);
        }
        update();
      }}
  /></label>`;

  /**
   * Does the same to each of the given users, in turn.
   * @param {readonly string[]} ids those whom the question is about: what is chosen can change while this goes on
   * @param {(path: `dashboard/users/${string}`, inProject: `projectId=${string}`) => Promise<unknown>} change
   */
  const changeEach = (ids, change) =>
    reported(async () => {
      try {
        for (const id of ids) {
          await change(`dashboard/users/${encodeURIComponent(id)}`, `projectId=${context.id}`);
        }
      } finally {
        await load(place.search, place.cursors);
      }
    }, texts.done);

  function chosenView() {
    const ids = [...chosen];
    const count = formatNumber(ids.length);
    const ban = changeEach(ids, (path, inProject) => call("PATCH", `${path}/ban?${inProject}`));
    const remove = changeEach(ids, (path, inProject) => call("DELETE", `${path}?${inProject}`));
    return html`<div class="row chosen">
      <span role="status">${fill(texts.chosen, { count })}</span>
      <button type="button" @click=${() => askFirst(fill(texts.banManyAsk, { count }), texts.ban, ban)}>${texts.ban}</button>
      <button
        type="button"
        class="danger"
        @click=${() => askFirst(fill(texts.deleteManyAsk, { count }), texts.delete, remove)}
      >
        ${texts.delete}
      </button>
    </div>`;
  }

  /**
   * @param {string} name
   * @param {string} label
   * @param {readonly Option[]} options
   */
  const selectView = (name, label, options) => html`<div class="field">
    <label for="filter-${name}">${label}</label>
    <select id="filter-${name}" @change=${(/** @type {Event} */ event) => narrow(name, valueOf(event))}>
      ${options.map(
        ([value, text]) =>
          html`<option value=${value} .defaultSelected=${value === (place.filters[name] ?? "")}>${text}</option>`,
      )}
    </select>
  </div>`;

  /** @param {Event} event */
  const valueOf = (event) => /** @type {HTMLInputElement} */ (event.currentTarget).value;

  /**
   * @param {string} name
   * @param {string} value
   */
  const narrow = (name, value) => load(place.search, [""], { ...place.filters, [name]: value });

  const providers = loadedView(
    () => call("GET", `${context.path}/providers`),
    ({ available }) =>
      selectView("provider", texts.provider, [
        ["", texts.any],
        ...available.map(({ provider, name }) => /** @type {Option} */ ([provider, name])),
      ]),
  );

  /** @param {string} date in the person's own time zone */
  const midnight = (date) => (date ? new Date(`${date}T00:00`).toISOString() : "");

  /** @param {string | undefined} timestamp */
  const dateOf = (timestamp) => (timestamp ? new Date(timestamp).toLocaleDateString("sv") : ""); // as a field writes it

  const filtersView = () => html`<details ?open=${Object.values(place.filters).some(Boolean)}>
    <summary>${texts.filters}</summary>
    <div class="filter">
      ${Object.entries(FILTERS).map(([name, options]) => selectView(name, LABELS[name], [["", texts.any], ...options]))}
      ${providers()}
      <div class="field">
        <label for="filter-createdFrom">${texts.createdFrom}</label>
        <input
          type="date"
          id="filter-createdFrom"
          .defaultValue=${dateOf(place.filters.createdFrom)}
          @change=${(/** @type {Event} */ event) => narrow("createdFrom", midnight(valueOf(event)))}
        />
      </div>
      <div class="field">
        <label for="filter-createdTo">${texts.createdTo}</label>
        <input
          type="date"
          id="filter-createdTo"
          .defaultValue=${dateOf(place.filters.createdTo)}
          @change=${(/** @type {Event} */ event) => narrow("createdTo", midnight(valueOf(event)))}
        />
      </div>
      ${selectView("order", texts.order, [
        ["", texts.newest],
        ["oldest", texts.oldest],
      ])}
    </div>
  </details>`;

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
    return html`${chosen.size === 0 ? nothing : chosenView()}
      <div aria-busy=${isBusy ? "true" : "false"}>
        ${tableView(
          messages.project.users,
          [
            ...(context.isSupport ? [texts.choose] : []),
            texts.email,
            messages.name,
            texts.lastSignIn,
            texts.created,
            texts.state,
          ],
          users.map((user) => [
            ...(context.isSupport ? [chooseView(user)] : []),
            html`<span class="person"
              >${avatarView(user)}<a href="#/projects/${context.id}/users/${user.id}">${user.email ?? texts.noEmail}</a></span
            >`,
            user.displayName ?? "–",
            timeView(user.lastSignInAt),
            html`<time datetime=${user.createdAt} title=${formatTime(user.createdAt)}>${formatDate(user.createdAt)}</time>`,
            stateView(user),
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
      ${context.isSupport
        ? html`<div class="group">
            <a class="button main" href="#/projects/${context.id}/users/new">${texts.new}</a
            >${context.isDeveloper
              ? html`<a class="button" href="#/projects/${context.id}/users/import">${texts.import}</a>`
              : nothing}<button type="button" @click=${save}>${texts.export}</button>
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
    ${filtersView()} ${listView()}
  </section>`;
}
