// @ts-check
import { call, currentUser } from "../api.js";
import { fill, formatTime, messages } from "../messages.js";
import { announce, askFirst, formView, html, nothing, pagedView, reported, tableView } from "../parts.js";

const texts = messages.members;
const ROLES = /** @type {const} */ (["owner", "developer", "support", "viewer"]);

/** @typedef {Schemas["Member"]} Member */

/**
 * Who can see and change the project, and who is invited.
 * @param {ProjectContext} context
 * @returns {View}
 */
export function membersView(context) {
  let reload = async () => {};
  /** @param {Member} member */
  const isMe = (member) => member.userId === currentUser()?.id;
  const list = pagedView(
    async (offset) => {
      const page = await call("GET", `${context.path}/members?limit=50&offset=${offset}`);
      return { items: page.members, total: page.total };
    },
    (found, reloadMembers) => {
      reload = reloadMembers;
      const withActions = context.isOwner || found.some(isMe);
      return tableView(
        messages.project.members,
        [messages.email, messages.name, texts.role, texts.status, ...(withActions ? [""] : [])],
        found.map((member) => [
          member.email,
          member.displayName ?? "–",
          context.isOwner ? roleView(member) : texts[member.role],
          statusOf(member),
          ...(withActions ? [html`<div class="buttons">${buttonsOf(member)}</div>`] : []),
        ]),
      );
    },
  );
  /** @param {Member} member */
  const statusOf = (member) =>
    html`${texts[member.status]}${member.status === "invited"
      ? html`<br /><span class="help">${fill(texts.until, { date: formatTime(member.expiresAt) })}</span>`
      : nothing}`;

  /**
   * @param {string} label
   * @param {string} name
   * @param {() => void} run
   */
  const button = (label, name, run) => html`<button type="button" aria-label=${name} @click=${run}>${label}</button>`;

  /** @param {Member} member */
  function buttonsOf(member) {
    if (!context.isOwner) {
      return isMe(member) ? leaveButton(member) : nothing;
    }
    const email = { email: member.email ?? messages.none };
    const isOpen = member.status !== "active";
    return html`${isOpen ? button(texts.resend, fill(texts.resendOf, email), resend(member)) : nothing}
    ${isOpen
      ? removeButton(member, texts.withdraw, fill(texts.withdrawOf, email), fill(texts.withdrawAsk, email), texts.withdrawn)
      : isMe(member)
        ? leaveButton(member)
        : removeButton(member, texts.remove, fill(texts.removeOf, email), fill(texts.removeAsk, email), texts.removed)}`;
  }

  /**
   * The list shows the role that the server knows until the person has confirmed another.
   * @param {Member} member
   */
  const roleView = (member) => html`<select
    aria-label=${fill(texts.roleOf, { email: member.email ?? messages.none })}
    @change=${(/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => {
      const role = /** @type {Schemas["Role"]} */ (event.currentTarget.value);
      event.currentTarget.value = member.role;
      askFirst(
        `${fill(texts.roleAsk, { email: member.email ?? messages.none, role: texts[role] })} ${texts.roleHelp[role]}`,
        texts.change,
        reported(async () => {
          await call("PATCH", `${context.path}/members/${member.id}`, { role });
          await (isMe(member) ? context.reload() : reload()); // anyone who stops being an owner sees the project otherwise
        }, texts.roleChanged),
      );
    }}
  >
    ${ROLES.map((role) => html`<option value=${role} .selected=${role === member.role}>${texts[role]}</option>`)}
  </select>`;

  /**
   * @param {Member} member
   * @param {string} label
   * @param {string} name
   * @param {string} question
   * @param {string} done
   */
  const removeButton = (member, label, name, question, done) =>
    button(label, name, () =>
      askFirst(
        question,
        label,
        reported(async () => {
          await call("DELETE", `${context.path}/members/${member.id}`);
          await reload();
        }, done),
      ),
    );

  /** @param {Member} member */
  const resend = (member) =>
    reported(async () => {
      const email = /** @type {string} */ (member.email);
      await call("POST", `${context.path}/members`, { email, role: member.role });
      await reload();
    }, texts.resent);

  /** @param {Member} member */
  const leaveButton = (member) =>
    button(texts.leave, texts.leave, () =>
      askFirst(
        texts.leaveAsk,
        texts.leave,
        reported(async () => {
          await call("DELETE", `${context.path}/members/${member.id}`);
          location.hash = "#/";
        }, texts.left),
      ),
    );

  const invite = formView("invite", {
    fields: [
      { name: "email", type: "email", label: messages.email, help: texts.inviteHelp, required: true },
      {
        name: "role",
        type: "select",
        label: texts.role,
        help: ROLES.map((role) => `${texts[role]}: ${texts.roleHelp[role]}`).join("\n"),
        value: "viewer",
        options: ROLES.map((role) => /** @type {const} */ ([role, texts[role]])),
      },
    ],
    button: texts.invite,
    submit: async (values, element) => {
      await call("POST", `${context.path}/members`, values);
      element.reset();
      announce(texts.sent);
      await reload();
    },
  });
  return () => html`<h1>${messages.project.members}</h1>
    <section>
      ${list()}
    </section>
    ${context.isOwner
      ? html`<section>
          <h2>${texts.invite}</h2>
          ${invite()}
        </section>`
      : nothing}`;
}
