// @ts-check
/** A dashboard user's name, email address and second factor. */
import { call, callWithProof, currentUser, openSession, postWithoutSession, setCurrentUser } from "../api.js";
import { fill, messages } from "../messages.js";
import { announce, formView, html, loadedView, nothing, reported, secretView, update } from "../parts.js";

const texts = messages.person;
const PROFILE = /** @type {const} */ (["displayName", "avatarUrl", "phone"]);

/** For what only a person who is signed in can press. */
const signedInUser = () => /** @type {Schemas["User"] & { email: string }} */ (currentUser());

export function profileView() {
  return formView("profile", {
    fields: () => [
      { name: "displayName", label: texts.displayName, value: currentUser()?.displayName, autocomplete: "name" },
      { name: "avatarUrl", type: "url", label: texts.avatarUrl, value: currentUser()?.avatarUrl, autocomplete: "photo" },
      { name: "phone", type: "tel", label: texts.phone, help: texts.phoneHelp, value: currentUser()?.phone, autocomplete: "tel" },
    ],
    button: messages.save,
    submit: async (values) => {
      const before = signedInUser();
      const changed = PROFILE.filter((name) => (values[name].trim() || null) !== before[name]);
      if (changed.length > 0) {
        const change = Object.fromEntries(changed.map((name) => [name, values[name].trim() || null]));
        setCurrentUser(await call("PATCH", "auth/me", change));
      }
      announce(messages.saved);
    },
  });
}

/** @type {TextField & { name: "code" }} */
const codeField = { name: "code", label: messages.code, autocomplete: "one-time-code", required: true };

/**
 * Whether the address is verified, and how to verify or change it.
 * @returns {View}
 */
export function emailView() {
  /** @type {string | null} */
  let codeSentTo = null; // the address to verify, or the new one
  let isNew = false;
  const verify = formView("verify-email", {
    fields: [codeField],
    button: texts.verify,
    submit: async ({ code }) => {
      if (isNew) {
        setCurrentUser(await callWithProof("POST", "auth/me/email/verify", { code: code.trim() }, messages.refused.code));
      } else {
        await openSession("verify-email", { email: /** @type {string} */ (codeSentTo), code: code.trim() });
      }
      announce(isNew ? texts.emailChanged : texts.verified);
      codeSentTo = null;
    },
  });
  const change = formView("change-email", {
    fields: [
      { name: "email", type: "email", label: texts.newEmail, autocomplete: "email", required: true },
      {
        name: "currentPassword",
        type: "password",
        label: messages.account.currentPassword,
        autocomplete: "current-password",
        required: true,
      },
    ],
    button: texts.changeEmail,
    submit: async (values) => {
      await callWithProof("POST", "auth/me/email", values, messages.refused.password);
      codeSentTo = values.email.trim();
      isNew = true;
      update();
    },
  });
  const send = reported(async () => {
    const { email } = signedInUser();
    await postWithoutSession("dashboard/auth/resend-code", { email });
    codeSentTo = email;
    isNew = false;
    update();
  });
  return () => {
    if (codeSentTo !== null) {
      return html`<p role="status">${fill(texts.codeSent, { email: codeSentTo })}</p>
        ${verify()}
        <button type="button" class="link" @click=${() => ((codeSentTo = null), update())}>${messages.cancel}</button>`;
    }
    const user = currentUser();
    return html`<p>${fill(user?.emailVerified ? texts.isVerified : texts.isUnverified, { email: user?.email ?? "" })}</p>
      ${user?.emailVerified ? nothing : html`<p><button type="button" @click=${send}>${texts.sendCode}</button></p>`}
      <h3>${texts.changeEmail}</h3>
      ${change()}`;
  };
}

/** An authenticator app and its backup codes. */
export function factorView() {
  /** @type {Schemas["TotpSetup"] | null} */
  let setup = null;
  /** @type {string[] | null} */
  let codes = null;
  let reload = async () => {};
  const state = loadedView(
    () => call("GET", "auth/mfa/status"),
    (status, reloadStatus) => {
      reload = reloadStatus;
      return codes !== null ? codesView(codes) : setup !== null ? setupView(setup) : status.enabled ? onView(status) : offView();
    },
  );
  const begin = reported(async () => {
    setup = await call("POST", "auth/mfa/totp/setup", {});
    update();
  });
  /**
   * @template Answer
   * @param {string} key
   * @param {string} button
   * @param {(body: { code: string }) => Promise<Answer>} send
   * @param {(answer: Answer) => void} onAnswer
   * @param {boolean} [isDanger]
   */
  const codeForm = (key, button, send, onAnswer, isDanger) =>
    formView(key, {
      fields: [codeField],
      button,
      isDanger,
      submit: async ({ code }, element) => {
        const answer = await send({ code: code.trim() });
        element.reset();
        onAnswer(answer);
        await reload();
      },
    });
  const confirm = codeForm(
    "factor-on",
    texts.switchOn,
    (body) => callWithProof("POST", "auth/mfa/totp/verify-setup", body, messages.refused.code),
    () => {
      codes = setup?.backupCodes ?? null;
      setup = null;
      announce(texts.switchedOn);
    },
  );
  const replace = codeForm(
    "factor-codes",
    texts.newCodes,
    (body) => callWithProof("POST", "auth/mfa/backup-codes/regenerate", body, messages.refused.code),
    (answer) => {
      codes = answer.backupCodes;
    },
  );
  const disable = codeForm(
    "factor-off",
    texts.switchOff,
    (body) => callWithProof("POST", "auth/mfa/disable", body, messages.refused.code),
    () => announce(texts.switchedOff),
    true,
  );

  const offView = () => html`<p>${texts.isOff}</p>
    <button type="button" @click=${begin}>${texts.setUp}</button>`;

  /** @param {Schemas["TotpSetup"]} setUp */
  const setupView = ({ qrCode, qrCodeUri, secret }) => html`<p>${texts.scan}</p>
    <img class="qr" src=${qrCode} alt=${texts.qrCode} />
    ${secretView(texts.key, secret)}
    <p class="links"><a href=${qrCodeUri}>${texts.openApp}</a></p>
    ${confirm()}
    <button type="button" class="link" @click=${() => ((setup = null), update())}>${messages.cancel}</button>`;

  /** @param {string[]} backupCodes */
  const codesView = (backupCodes) => html`<p role="status">${texts.codesOnce}</p>
    ${secretView(texts.backupCodes, backupCodes.join(" "))}
    <button type="button" class="main" @click=${() => ((codes = null), update())}>${texts.kept}</button>`;

  /** @param {Schemas["MfaStatus"]} status */
  const onView = ({ backupCodesRemaining }) => html`<p>${fill(texts.isOn, { count: backupCodesRemaining })}</p>
    <h3>${texts.newCodes}</h3>
    <p class="help">${texts.newCodesHelp}</p>
    ${replace()}
    <h3>${texts.switchOff}</h3>
    ${disable()}`;

  return state;
}
