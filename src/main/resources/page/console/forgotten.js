// @ts-check
/** For people who forgot their password, or whose account somebody else changed. */
import { postWithoutSession } from "./api.js";
import { fill, messages } from "./messages.js";
import { announce, formView, html, nothing, update } from "./parts.js";

const texts = messages.person;

/**
 * @param {() => void} backToSignIn
 * @returns {View}
 */
export function forgottenView(backToSignIn) {
  /** @type {string | null} */
  let sentTo = null;
  let isUndoing = false;
  const forgot = formView("forgot", {
    fields: [
      { name: "email", type: "email", label: messages.email, help: texts.forgotHelp, autocomplete: "username", required: true },
    ],
    button: texts.sendCode,
    submit: async ({ email }) => {
      await postWithoutSession("dashboard/auth/password/forgot", { email });
      sentTo = email.trim();
      update();
    },
  });
  const reset = formView("reset", {
    fields: [
      { name: "code", label: messages.code, autocomplete: "one-time-code", required: true },
      {
        name: "password",
        type: "password",
        label: messages.account.newPassword,
        help: messages.entrance.passwordHelp,
        autocomplete: "new-password",
        required: true,
      },
    ],
    button: texts.reset,
    submit: async ({ code, password }) => {
      const email = /** @type {string} */ (sentTo);
      await postWithoutSession("dashboard/auth/password/reset", { email, code: code.trim(), password });
      announce(texts.isReset);
      backToSignIn();
    },
  });
  const undo = formView("undo", {
    fields: [{ name: "token", label: messages.code, help: texts.undoHelp, required: true }],
    button: texts.undo,
    submit: async ({ token }) => {
      await postWithoutSession("dashboard/auth/email/undo", { token: token.trim() });
      isUndoing = false;
      announce(texts.undone);
    },
  });
  const links = () => html`<p class="links">
    <button type="button" class="link" @click=${backToSignIn}>${messages.entrance.toSignIn}</button>
    ${sentTo === null && !isUndoing
      ? html`<button type="button" class="link" @click=${() => ((isUndoing = true), update())}>${texts.undo}</button>`
      : nothing}
  </p>`;
  return () =>
    isUndoing
      ? html`<h1>${texts.undo}</h1>
          ${undo()} ${links()}`
      : html`<h1>${texts.forgot}</h1>
          ${sentTo === null
            ? forgot()
            : html`<p role="status">${fill(texts.resetSent, { email: sentTo })}</p>
                ${reset()}`}
          ${links()}`;
}
