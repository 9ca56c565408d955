// @ts-check
/** Whether a user can sign in, as a tag. */
import { fill, formatTime, messages } from "../messages.js";
import { html } from "../parts.js";

const texts = messages.users;

/** @param {Pick<Schemas["UserDetail"], "isBanned" | "lockedUntil">} user */
export const stateView = ({ isBanned, lockedUntil }) =>
  isBanned || !lockedUntil
    ? html`<span class="tag ${isBanned ? "bad" : "good"}">${isBanned ? texts.banned : texts.active}</span>`
    : html`<span class="tag bad">${texts.locked}</span> <span class="help">${fill(messages.members.until, { date: formatTime(lockedUntil) })}</span>`;
