// @ts-check
/** The first run, sign in and registration, and the dialog that asks again when a session has ended. */
import { currentUser, fetchRegistration, openSession } from "./api.js";
import { forgottenView } from "./forgotten.js";
import { isInvited, joinView } from "./invitation.js";
import { messages } from "./messages.js";
import { formView, html, loadedView, nothing, update } from "./parts.js";

const texts = messages.entrance;

/**
 * @param {string} value
 * @returns {TextField & { name: "email" }}
 */
const emailField = (value) => ({
  name: "email",
  type: "email",
  label: messages.email,
  autocomplete: "username",
  value,
  required: true,
});

/**
 * @param {string} key
 * @param {string} email
 * @param {() => void} onSignedIn
 */
function signInView(key, email, onSignedIn) {
  /** @type {string | null} */
  let mfaToken = null;
  const password = formView(key, {
    fields: [
      emailField(email),
      { name: "password", type: "password", label: messages.password, autocomplete: "current-password", required: true },
    ],
    button: texts.signIn,
    submit: async (values) => {
      const answer = await openSession("login", values);
      if ("mfaRequired" in answer) {
        mfaToken = answer.mfaToken;
        update();
      } else {
        onSignedIn();
      }
    },
  });
  const factor = formView(`${key}-factor`, {
    fields: [
      { name: "code", label: messages.code, help: texts.secondFactorHelp, autocomplete: "one-time-code", required: true },
    ],
    button: texts.goOn,
    submit: async ({ code }) => {
      await openSession("mfa/verify", { mfaToken: /** @type {string} */ (mfaToken), code: code.trim() });
      onSignedIn();
    },
  });
  return () =>
    mfaToken === null
      ? password()
      : html`<h2>${texts.secondFactor}</h2>
          ${factor()}
          <button type="button" class="link" @click=${() => ((mfaToken = null), update())}>${texts.back}</button>`;
}

/**
 * The whole page while nobody is signed in.
 * @param {() => void} onSignedIn
 */
export function entranceView(onSignedIn) {
  if (isInvited()) {
    return invitedView(onSignedIn);
  }
  let isRegistering = false;
  /** @type {View | null} */
  let reset = null;
  /** @type {Schemas["RegistrationNeed"]["registration"] | null} */
  let need = null;
  const leaveReset = () => {
    reset = null;
    update();
  };
  const enterReset = () => {
    reset = forgottenView(leaveReset);
    update();
  };
  const signIn = signInView("sign-in", "", onSignedIn);
  const register = formView("register", {
    fields: () => [
      ...(need === "setupCode"
        ? /** @type {const} */ ([{ name: "setupCode", label: texts.setupCode, help: texts.setupCodeHelp, required: true }])
        : []),
      emailField(""),
      {
        name: "password",
        type: "password",
        label: messages.password,
        help: texts.passwordHelp,
        autocomplete: "new-password",
        required: true,
      },
    ],
    button: texts.register,
    submit: async (values) => {
      await openSession("register", values);
      onSignedIn();
    },
  });
  return loadedView(fetchRegistration, (found) => {
    need = found.registration;
    const isFirst = need === "first" || need === "setupCode";
    if (isFirst) {
      return html`<h1>${texts.first}</h1>
        <p>${texts.firstHelp}</p>
        ${register()}`;
    }
    if (reset !== null) {
      return reset();
    }
    return html`<h1>${isRegistering ? texts.register : texts.signIn}</h1>
      ${isRegistering ? register() : signIn()}
      <p class="links">
        <button type="button" class="link" @click=${enterReset}>${messages.person.forgot}</button>
        ${need === "open"
          ? html`<button type="button" class="link" @click=${() => ((isRegistering = !isRegistering), update())}>
              ${isRegistering ? texts.toSignIn : texts.toRegister}
            </button>`
          : nothing}
        <a href="#/invitation">${messages.invitation.have}</a>
      </p>`;
  });
}

/**
 * A person with an invitation creates an account with it, or signs in to accept it.
 * @param {() => void} onSignedIn
 * @returns {View}
 */
function invitedView(onSignedIn) {
  let isSigningIn = false;
  const join = joinView(onSignedIn);
  const signIn = signInView("sign-in", "", onSignedIn);
  return () => html`<h1>${messages.invitation.title}</h1>
    <p>${messages.invitation.help}</p>
    ${isSigningIn ? signIn() : join()}
    <p class="links">
      <button type="button" class="link" @click=${() => ((isSigningIn = !isSigningIn), update())}>
        ${isSigningIn ? texts.toRegister : texts.toSignIn}
      </button>
    </p>`;
}

/**
 * Opens above the screen, which stays as it is; also if the session has not ended but is too old for the action.
 * @param {() => void} onSignedIn
 * @param {boolean} isTooOld
 * @returns {View}
 */
export function signInAgainView(onSignedIn, isTooOld) {
  const signIn = signInView("again", currentUser()?.email ?? "", onSignedIn);
  return () => html`<h1 id="again-title">${isTooOld ? texts.confirm : texts.again}</h1>
    <p>${isTooOld ? texts.confirmHelp : texts.againHelp}</p>
    ${signIn()}`;
}
