/** The way back for who forgot the password, or whose account another person has changed. */
import { tell } from "./api.js";
import { t } from "./messages.js";
import { form, html, nothing, say, update } from "./parts.js";

const x = t.person;

/** `back` leads to the sign in. */
export function forgotten(back) {
  let sentTo = null;
  let isUndoing = false;
  const forgot = form("forgot", {
    fields: [{ name: "email", type: "email", label: t.email, help: x.forgotHelp, autocomplete: "username", required: true }],
    button: x.sendCode,
    submit: async ({ email }) => {
      await tell("dashboard/auth/password/forgot", { email });
      sentTo = email.trim();
      update();
    },
  });
  const reset = form("reset", {
    fields: [
      { name: "code", label: t.code, autocomplete: "one-time-code", required: true },
      {
        name: "password",
        type: "password",
        label: t.account.newPassword,
        help: t.entrance.passwordHelp,
        autocomplete: "new-password",
        required: true,
      },
    ],
    button: x.reset,
    submit: async ({ code, password }) => {
      await tell("dashboard/auth/password/reset", { email: sentTo, code: code.trim(), password });
      say(x.isReset);
      back();
    },
  });
  const undo = form("undo", {
    fields: [{ name: "token", label: t.code, help: x.undoHelp, required: true }],
    button: x.undo,
    submit: async ({ token }) => {
      await tell("dashboard/auth/email/undo", { token: token.trim() });
      isUndoing = false;
      say(x.undone);
    },
  });
  const links = () => html`<p class="links">
    <button type="button" class="link" @click=${back}>${t.entrance.toSignIn}</button>
    ${sentTo === null && !isUndoing
      ? html`<button type="button" class="link" @click=${() => ((isUndoing = true), update())}>${x.undo}</button>`
      : nothing}
  </p>`;
  return () =>
    isUndoing
      ? html`<h1>${x.undo}</h1>
          ${undo()} ${links()}`
      : html`<h1>${x.forgot}</h1>
          ${sentTo === null
            ? forgot()
            : html`<p role="status">${x.resetSent(sentTo)}</p>
                ${reset()}`}
          ${links()}`;
}
