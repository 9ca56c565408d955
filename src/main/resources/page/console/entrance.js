/** The first run, the ways in, and the dialog that asks again when a session is over. */
import { enter, me, registration } from "./api.js";
import { forgotten } from "./forgotten.js";
import { isInvited, joinBy } from "./invitation.js";
import { t } from "./messages.js";
import { form, html, loaded, nothing } from "./parts.js";

const x = t.entrance;
const emailField = (value) => ({ name: "email", type: "email", label: t.email, autocomplete: "username", value, required: true });

function signIn(key, email, done, update) {
  let mfaToken = null;
  const password = form(key, {
    fields: [
      emailField(email),
      { name: "password", type: "password", label: t.password, autocomplete: "current-password", required: true },
    ],
    button: x.signIn,
    submit: async (values) => {
      const answer = await enter("login", values);
      if (answer.mfaRequired) {
        mfaToken = answer.mfaToken;
        update();
      } else {
        done();
      }
    },
  });
  const factor = form(`${key}-factor`, {
    fields: [{ name: "code", label: t.code, help: x.secondFactorHelp, autocomplete: "one-time-code", required: true }],
    button: x.goOn,
    submit: async ({ code }) => {
      await enter("mfa/verify", { mfaToken, code: code.trim() });
      done();
    },
  });
  return () =>
    mfaToken === null
      ? password()
      : html`<h2>${x.secondFactor}</h2>
          ${factor()}
          <button type="button" class="link" @click=${() => ((mfaToken = null), update())}>${x.back}</button>`;
}

/** The whole page while nobody is signed in. */
export function entrance(done, update) {
  if (isInvited()) {
    return invited(done, update);
  }
  let isRegistering = false;
  let reset = null;
  let need = null;
  const leaveReset = () => {
    reset = null;
    update();
  };
  const enterReset = () => {
    reset = forgotten(leaveReset);
    update();
  };
  const enterBy = signIn("sign-in", "", done, update);
  const register = form("register", {
    fields: () => [
      ...(need === "setupCode" ? [{ name: "setupCode", label: x.setupCode, help: x.setupCodeHelp, required: true }] : []),
      emailField(""),
      { name: "password", type: "password", label: t.password, help: x.passwordHelp, autocomplete: "new-password", required: true },
    ],
    button: x.register,
    submit: async (values) => {
      await enter("register", values);
      done();
    },
  });
  return loaded(registration, (found) => {
    need = found.registration;
    const isFirst = need === "first" || need === "setupCode";
    if (isFirst) {
      return html`<h1>${x.first}</h1>
        <p>${x.firstHelp}</p>
        ${register()}`;
    }
    if (reset !== null) {
      return reset();
    }
    return html`<h1>${isRegistering ? x.register : x.signIn}</h1>
      ${isRegistering ? register() : enterBy()}
      <p class="links">
        <button type="button" class="link" @click=${enterReset}>${t.person.forgot}</button>
        ${need === "open"
          ? html`<button type="button" class="link" @click=${() => ((isRegistering = !isRegistering), update())}>
              ${isRegistering ? x.toSignIn : x.toRegister}
            </button>`
          : nothing}
        <a href="#/invitation">${t.invitation.have}</a>
      </p>`;
  });
}

/** Who has an invitation makes an account by it, or signs in to accept it. */
function invited(done, update) {
  let isSigningIn = false;
  const join = joinBy(done);
  const enterBy = signIn("sign-in", "", done, update);
  return () => html`<h1>${t.invitation.title}</h1>
    <p>${t.invitation.help}</p>
    ${isSigningIn ? enterBy() : join()}
    <p class="links">
      <button type="button" class="link" @click=${() => ((isSigningIn = !isSigningIn), update())}>
        ${isSigningIn ? x.toRegister : x.toSignIn}
      </button>
    </p>`;
}

/** Above the screen, which stays as it is; where the session is not over, but too old for what the person does. */
export function again(done, update, isTooOld) {
  const view = signIn("again", me()?.email ?? "", done, update);
  return () => html`<h1 id="again-title">${isTooOld ? x.confirm : x.again}</h1>
    <p>${isTooOld ? x.confirmHelp : x.againHelp}</p>
    ${view()}`;
}

