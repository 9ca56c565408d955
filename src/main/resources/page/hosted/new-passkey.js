// @ts-check
// Adds a passkey to the account: asks what it is for, and sends what the authenticator has made as a form like the others.
import { decode, encode } from './base64url.js';

const form = /** @type {HTMLFormElement} */ (document.getElementById('new-passkey'));
const problem = /** @type {HTMLElement} */ (document.getElementById('new-passkey-problem'));

/** What the authenticator is asked for; null if the server refuses, which its page then explains. */
async function fetchOptions() {
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  const answer = await fetch('passkey-options', { method: 'POST', body });
  if (!answer.ok) {
    return null;
  }
  const { options } = await answer.json();
  return {
    ...options,
    challenge: decode(options.challenge),
    user: { ...options.user, id: decode(options.user.id) },
    excludeCredentials: options.excludeCredentials.map((/** @type {{ id: string }} */ known) => ({ ...known, id: decode(known.id) }))
  };
}

/**
 * @param {string} name
 * @param {string} value
 */
const setField = (name, value) => {
  /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = value;
};

async function add() {
  const publicKey = await fetchOptions();
  if (publicKey) {
    const credential = /** @type {PublicKeyCredential} */ (await navigator.credentials.create({ publicKey }));
    const response = /** @type {AuthenticatorAttestationResponse} */ (credential.response);
    setField('credential', credential.id);
    setField('clientDataJSON', encode(response.clientDataJSON));
    setField('attestationObject', encode(response.attestationObject));
  }
  form.submit();
}

if (window.PublicKeyCredential && location.origin === form.dataset.origin) {
  form.hidden = false;
  form.addEventListener('submit', event => {
    event.preventDefault();
    problem.hidden = true;
    add().catch(() => {
      problem.hidden = false;
    });
  });
}
