// @ts-check
/** Fields that find users, members and organizations by what they are called; ids serve too. */
import { ApiError, call } from "../api.js";
import { messages } from "../messages.js";
import { html, update } from "../parts.js";

const texts = messages.audit;
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const TYPING = 250; // milliseconds without a key
const SUGGESTED = 8;

/** @typedef {{ id: string, name: string }} Found */

/** @param {{ id: string, email: string | null, displayName: string | null }} person */
const nameOf = ({ id, email, displayName }) => [displayName, email].filter(Boolean).join(" · ") || id;

/**
 * @param {ProjectContext} context
 * @returns {(search: string) => Promise<Found[]>}
 */
export function findUsers(context) {
  return async (search) => {
    const query = new URLSearchParams({ projectId: context.id, limit: String(SUGGESTED), search });
    const { users } = await call("GET", `dashboard/users?${query}`);
    return users.map((user) => ({ id: user.id, name: nameOf(user) }));
  };
}

/**
 * @param {ProjectContext} context
 * @returns {(search: string) => Promise<Found[]>}
 */
export function findMembers(context) {
  return async (search) => {
    const { members } = await call("GET", `${context.path}/members?limit=100`);
    return members
      .map(({ userId, email, displayName }) => ({ id: userId ?? "", name: nameOf({ id: "", email, displayName }) }))
      .filter(({ id, name }) => id !== "" && name.toLowerCase().includes(search.toLowerCase()));
  };
}

/**
 * @param {ProjectContext} context
 * @returns {(search: string) => Promise<Found[]>}
 */
export function findOrganizations(context) {
  return async (search) => {
    const query = new URLSearchParams({ projectId: context.id, limit: String(SUGGESTED), search });
    const { organizations } = await call("GET", `dashboard/organizations?${query}`);
    return organizations.map(({ id, name }) => ({ id, name }));
  };
}

/**
 * A field that suggests what it finds while somebody types. What was typed is its value, and `idOf` says whom that means.
 * @template {string} Name
 * @param {Name} name
 * @param {string} label
 * @param {readonly ((search: string) => Promise<Found[]>)[]} sources
 */
export function foundField(name, label, sources) {
  let text = "";
  /** @type {Found[]} */
  let suggested = [];
  let newest = 0;
  /** @type {number | undefined} */
  let timer;

  /** @param {string} search */
  const find = async (search) => (await Promise.all(sources.map((source) => source(search)))).flat();

  /** @param {string} typed */
  function suggest(typed) {
    text = typed;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const turn = ++newest;
      const found = text.trim().length < 2 ? [] : await find(text.trim()).catch(() => []);
      if (turn === newest) {
        suggested = found;
        update();
      }
    }, TYPING);
  }

  return {
    /** @type {OwnField & { name: Name }} */
    field: {
      name,
      type: "own",
      help: texts.findHelp,
      value: () => text,
      view: ({ id, describedBy, invalid }) => html`<label for=${id}>${label}</label>
        <input
          id=${id}
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          list="${id}-list"
          aria-describedby=${describedBy}
          aria-invalid=${invalid}
          .value=${text}
          @input=${(/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => suggest(event.currentTarget.value)}
        />
        <datalist id="${id}-list">${suggested.map((one) => html`<option value=${one.name}></option>`)}</datalist>`,
    },
    /**
     * Shows who is chosen, and keeps who that is: the name alone can mean nobody here, or several.
     * @param {string} chosen
     * @param {string} id
     */
    show(chosen, id) {
      text = chosen;
      suggested = [{ id, name: chosen }];
    },
    /** Empty if nothing was typed; a refusal of the field if that means nobody, or several. */
    async idOf() {
      const typed = text.trim();
      if (typed === "" || ID.test(typed)) {
        return typed;
      }
      const called = suggested.filter((one) => one.name === typed);
      const found = called.length > 0 ? called : await find(typed);
      if (found.length !== 1) {
        throw new ApiError(422, texts.noneFound, [{ field: name, message: texts.noneFound }]);
      }
      text = found[0].name;
      return found[0].id;
    },
  };
}
