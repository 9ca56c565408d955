// @ts-check
import { call } from "../api.js";
import { messages } from "../messages.js";
import { formView, html, reported } from "../parts.js";

const texts = messages.users;
const INVITATION = /** @type {const} */ ({ name: "invite", type: "checkbox", label: texts.invite, value: true });
const TEXTS = /** @type {const} */ (["email", "displayName", "phone", "externalId", "password"]);

/**
 * Creates a user, who can get a mail to set a password: an invitation.
 * @param {ProjectContext} context
 * @returns {View}
 */
export function newUserView(context) {
  const create = formView("new-user", {
    fields: [
      { name: "email", type: "email", label: texts.email, required: true },
      { name: "displayName", label: messages.name },
      { name: "phone", type: "tel", label: messages.person.phone, help: messages.person.phoneHelp },
      { name: "externalId", label: texts.externalId, help: texts.externalIdHelp },
      { name: "password", type: "password", label: messages.password, help: texts.passwordHelp, autocomplete: "new-password" },
      { name: "emailVerified", type: "checkbox", label: texts.emailVerified },
      ...(context.project.factors.password ? [INVITATION] : []),
    ],
    button: texts.create,
    submit: async ({ emailVerified, invite, ...values }) => {
      const given = TEXTS.map((name) => [name, name === "password" ? values[name] : values[name].trim()]);
      const user = await call("POST", `dashboard/users?projectId=${context.id}`, {
        emailVerified,
        .../** @type {{ email: string }} */ (Object.fromEntries(given.filter(([, value]) => value !== ""))),
      });
      location.hash = `#/projects/${context.id}/users/${user.id}`; // which can send a mail that fails now
      await reported(async () => {
        if (invite && user.email) {
          await call("POST", `dashboard/users/${user.id}/password-reset?projectId=${context.id}`);
        }
      }, texts.userCreated)();
    },
  });
  return () => html`<p class="crumb"><a href="#/projects/${context.id}/users">${texts.back}</a></p>
    <h1>${texts.new}</h1>
    ${context.isSupport ? html`<section class="slim">${create()}</section>` : ""}`;
}
