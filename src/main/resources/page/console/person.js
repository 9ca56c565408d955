/** What a dashboard user is called, where mails go, and the second factor of the account. */
import { call, callWithProof, enter, learn, me, tell } from "./api.js";
import { t } from "./messages.js";
import { action, form, html, loaded, nothing, say, secret, update } from "./parts.js";

const x = t.person;
const PROFILE = ["displayName", "avatarUrl", "phone"];

export function profile() {
  return form("profile", {
    fields: () => [
      { name: "displayName", label: x.displayName, value: me()?.displayName, autocomplete: "name" },
      { name: "avatarUrl", type: "url", label: x.avatarUrl, value: me()?.avatarUrl, autocomplete: "photo" },
      { name: "phone", type: "tel", label: x.phone, help: x.phoneHelp, value: me()?.phone, autocomplete: "tel" },
    ],
    button: t.save,
    submit: async (values) => {
      const changed = PROFILE.map((name) => [name, values[name].trim() || null]).filter(([name, value]) => value !== me()[name]);
      if (changed.length > 0) {
        learn(await call("PATCH", "auth/me", Object.fromEntries(changed)));
      }
      say(t.saved);
    },
  });
}

const codeField = { name: "code", label: t.code, autocomplete: "one-time-code", required: true };

/** Whether the address is proved, and how to prove it or have another. */
export function email() {
  let codeSentTo = null; // the address that is to be proved, or that is to be the new one
  let isNew = false;
  const verify = form("verify-email", {
    fields: [codeField],
    button: x.verify,
    submit: async ({ code }) => {
      if (isNew) {
        learn(await callWithProof("POST", "auth/me/email/verify", { code: code.trim() }, t.refused.code));
      } else {
        await enter("verify-email", { email: codeSentTo, code: code.trim() });
      }
      say(isNew ? x.emailChanged : x.verified);
      codeSentTo = null;
    },
  });
  const change = form("change-email", {
    fields: [
      { name: "email", type: "email", label: x.newEmail, autocomplete: "email", required: true },
      {
        name: "currentPassword",
        type: "password",
        label: t.account.currentPassword,
        autocomplete: "current-password",
        required: true,
      },
    ],
    button: x.changeEmail,
    submit: async (values) => {
      await callWithProof("POST", "auth/me/email", values, t.refused.password);
      codeSentTo = values.email.trim();
      isNew = true;
      update();
    },
  });
  const send = action(async () => {
    await tell("dashboard/auth/resend-code", { email: me().email });
    codeSentTo = me().email;
    isNew = false;
    update();
  });
  return () =>
    codeSentTo !== null
      ? html`<p role="status">${x.codeSent(codeSentTo)}</p>
          ${verify()}
          <button type="button" class="link" @click=${() => ((codeSentTo = null), update())}>${t.cancel}</button>`
      : html`<p>${me()?.emailVerified ? x.isVerified(me()?.email) : x.isUnverified(me()?.email)}</p>
          ${me()?.emailVerified ? nothing : html`<p><button type="button" @click=${send}>${x.sendCode}</button></p>`}
          <h3>${x.changeEmail}</h3>
          ${change()}`;
}

/** An authenticator app and its backup codes. */
export function factor() {
  let setup = null;
  let codes = null;
  const state = loaded(
    () => call("GET", "auth/mfa/status"),
    (found, reload) => {
      again = reload;
      return codes !== null ? keep() : setup !== null ? confirmation() : found.enabled ? on(found) : off();
    },
  );
  let again = () => {};
  const begin = action(async () => {
    setup = await call("POST", "auth/mfa/totp/setup", {});
    update();
  });
  const byCode = (key, path, button, done, isDanger) =>
    form(key, {
      fields: [codeField],
      button,
      isDanger,
      submit: async ({ code }, element) => {
        const answer = await callWithProof("POST", `auth/mfa/${path}`, { code: code.trim() }, t.refused.code);
        element.reset();
        done(answer);
        await again();
      },
    });
  const confirm = byCode("factor-on", "totp/verify-setup", x.switchOn, () => {
    codes = setup.backupCodes;
    setup = null;
    say(x.switchedOn);
  });
  const replace = byCode("factor-codes", "backup-codes/regenerate", x.newCodes, (answer) => {
    codes = answer.backupCodes;
  });
  const disable = byCode("factor-off", "disable", x.switchOff, () => say(x.switchedOff), true);

  const off = () => html`<p>${x.isOff}</p>
    <button type="button" @click=${begin}>${x.setUp}</button>`;

  const confirmation = () => html`<p>${x.scan}</p>
    <img class="qr" src=${setup.qrCode} alt=${x.qrCode} />
    ${secret(x.key, setup.secret)}
    <p class="links"><a href=${setup.qrCodeUri}>${x.openApp}</a></p>
    ${confirm()}
    <button type="button" class="link" @click=${() => ((setup = null), update())}>${t.cancel}</button>`;

  const keep = () => html`<p role="status">${x.codesOnce}</p>
    ${secret(x.backupCodes, codes.join(" "))}
    <button type="button" class="main" @click=${() => ((codes = null), update())}>${x.kept}</button>`;

  const on = (found) => html`<p>${x.isOn(found.backupCodesRemaining)}</p>
    <h3>${x.newCodes}</h3>
    <p class="help">${x.newCodesHelp}</p>
    ${replace()}
    <h3>${x.switchOff}</h3>
    ${disable()}`;

  return state;
}
