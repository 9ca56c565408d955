/**
 * An invitation by the link of its mail, or by the code that is typed. The token leaves the address at once, so that no history
 * has it; it was in the fragment, which no browser sends.
 */
import { ApiError, call, enter, me, signOut } from "./api.js";
import { t } from "./messages.js";
import { action, form, html, nothing, say } from "./parts.js";

const x = t.invitation;
const ADDRESS = "#/invitation";

let token = "";

/** Keeps the token of the address, and takes it from there. */
export function takeToken(text) {
  if (text) {
    token = text;
    history.replaceState(null, "", ADDRESS);
  }
}

const codeFields = () =>
  token === "" ? [{ name: "invitationToken", label: x.code, help: x.codeHelp, required: true }] : [];

const given = (values) => values.invitationToken?.trim() || token;

/** In words of the person's, for those of the server that tell what to do now. */
function inWords(refused) {
  const text = { 403: x.otherEmail, 404: x.gone }[refused.status];
  if (text !== undefined && refused.reason === undefined) {
    token = ""; // a newer one can be typed
    throw new ApiError(refused.status, text);
  }
  throw refused;
}

/** A new account, which is a member at once. */
export function joinBy(done) {
  return form("join", {
    fields: () => [
      { name: "email", type: "email", label: t.email, autocomplete: "username", required: true },
      {
        name: "password",
        type: "password",
        label: t.password,
        help: t.entrance.passwordHelp,
        autocomplete: "new-password",
        required: true,
      },
      ...codeFields(), // last, since the others keep what was typed when it appears
    ],
    button: t.entrance.register,
    submit: async (values) => {
      await enter("register", { ...values, invitationToken: given(values) }).catch(inWords);
      token = "";
      location.hash = "#/";
      done();
      say(x.accepted);
    },
  });
}

/** For a person who is signed in. */
export function invitation({ signedOut }) {
  const accept = form("accept", {
    fields: codeFields,
    button: x.accept,
    submit: async (values) => {
      const path = `dashboard/invitations/${encodeURIComponent(given(values))}/accept`;
      const joined = await call("POST", path).catch(inWords);
      token = "";
      location.hash = `#/projects/${joined.projectId}`;
      say(x.accepted);
    },
  });
  return {
    title: x.title,
    view: () => html`<h1>${x.title}</h1>
      <section>
        <p>${me() ? x.as(me().email) : nothing}</p>
        ${accept()}
      </section>
      <button
        type="button"
        class="link"
        @click=${action(async () => {
          await signOut();
          signedOut();
        })}
      >
        ${x.otherAccount}
      </button>`,
  };
}

/** Whether the address asks for it. */
export const isInvited = () => location.hash.startsWith(ADDRESS);
