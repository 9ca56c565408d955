// @ts-check
/**
 * An invitation, from the link in its mail or a typed code. The token is removed from the address at once, so that it stays
 * in no history; it was in the fragment, which no browser sends.
 */
import { ApiError, call, currentUser, openSession, signOut } from "./api.js";
import { fill, messages } from "./messages.js";
import { announce, formView, html, nothing, reported } from "./parts.js";

const texts = messages.invitation;
const ADDRESS = "#/invitation";

let token = "";

/**
 * Keeps the token, and removes it from the address.
 * @param {string | undefined} segment
 */
export function takeToken(segment) {
  if (segment) {
    token = segment;
    history.replaceState(null, "", ADDRESS);
  }
}

/** @returns {(TextField & { name: "invitationToken" })[]} */
const codeFields = () =>
  token === "" ? [{ name: "invitationToken", label: texts.code, help: texts.codeHelp, required: true }] : [];

/** @param {{ invitationToken?: string }} values */
const givenToken = (values) => values.invitationToken?.trim() || token;

/**
 * In the person's language, for the server's errors that say what to do next.
 * @param {Refusal} refused
 * @returns {never}
 */
function explainRefusal(refused) {
  /** @type {Record<number, string>} */
  const byStatus = { 403: texts.otherEmail, 404: texts.gone };
  const text = byStatus[refused.status];
  if (text !== undefined && refused.reason === undefined) {
    token = ""; // the person can type a newer one
    throw new ApiError(refused.status, text);
  }
  throw refused;
}

/**
 * Creates an account, which is a member at once.
 * @param {() => void} onSignedIn
 */
export function joinView(onSignedIn) {
  return formView("join", {
    fields: () => [
      { name: "email", type: "email", label: messages.email, autocomplete: "username", required: true },
      {
        name: "password",
        type: "password",
        label: messages.password,
        help: messages.entrance.passwordHelp,
        autocomplete: "new-password",
        required: true,
      },
      ...codeFields(), // last, so that the other fields keep what was typed when it appears
    ],
    button: messages.entrance.register,
    submit: async (values) => {
      await openSession("register", { ...values, invitationToken: givenToken(values) }).catch(explainRefusal);
      token = "";
      location.hash = "#/";
      onSignedIn();
      announce(texts.accepted);
    },
  });
}

function ownEmail() {
  const email = currentUser()?.email;
  return email ? fill(texts.as, { email }) : nothing;
}

/**
 * For a person who is signed in.
 * @param {{ onSignedOut: () => void }} next
 * @returns {ConsoleScreen}
 */
export function invitationScreen({ onSignedOut }) {
  const accept = formView("accept", {
    fields: codeFields,
    button: texts.accept,
    submit: async (values) => {
      const given = encodeURIComponent(givenToken(values));
      const joined = await call("POST", `dashboard/invitations/${given}/accept`).catch(explainRefusal);
      token = "";
      location.hash = `#/projects/${joined.projectId}`;
      announce(texts.accepted);
    },
  });
  return {
    title: texts.title,
    view: () => html`<h1>${texts.title}</h1>
      <section>
        <p>${ownEmail()}</p>
        ${accept()}
      </section>
      <button
        type="button"
        class="link"
        @click=${reported(async () => {
          await signOut();
          onSignedOut();
        })}
      >
        ${texts.otherAccount}
      </button>`,
  };
}

/** Whether the address is that of an invitation. */
export const isInvited = () => location.hash.startsWith(ADDRESS);
