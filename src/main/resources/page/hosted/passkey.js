// @ts-check
// Signs in with a passkey: asks for a challenge, and sends what the authenticator has signed as a form like the others.
import { decode, encode } from './base64url.js';

const form = /** @type {HTMLFormElement} */ (document.getElementById('passkey'));
const problem = /** @type {HTMLElement} */ (document.getElementById('passkey-problem'));
const RENEWED_AFTER = 4 * 60 * 1000; // a challenge is valid for five minutes
const ROUNDS = 15; // the application's request is valid for an hour
let waiting = new AbortController();
let fillsIn = false;

/**
 * @param {AbortSignal} signal
 * @returns {Promise<PublicKeyCredentialRequestOptions>}
 */
async function fetchChallenge(signal) {
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  const answer = await fetch('passkey-challenge', { method: 'POST', body, signal });
  if (!answer.ok) {
    throw new Error(`The server answered ${answer.status}.`);
  }
  const { challenge, rpId, timeout, userVerification } = await answer.json();
  return { challenge: decode(challenge), rpId, timeout, userVerification };
}

/**
 * @param {string} name
 * @param {string} value
 */
const setField = (name, value) => {
  /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = value;
};

/**
 * If several requests wait for the person, only the last one continues, as browsers require.
 * @param {CredentialMediationRequirement} mediation
 */
async function signIn(mediation) {
  waiting.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  const publicKey = await fetchChallenge(signal);
  const credential = /** @type {PublicKeyCredential} */ (await navigator.credentials.get({ publicKey, mediation, signal }));
  const response = /** @type {AuthenticatorAssertionResponse} */ (credential.response);
  setField('credential', credential.id);
  setField('authenticatorData', encode(response.authenticatorData));
  setField('clientDataJSON', encode(response.clientDataJSON));
  setField('signature', encode(response.signature));
  setField('userHandle', response.userHandle ? encode(response.userHandle) : '');
  form.submit();
}

/**
 * Offers the passkeys in the browser's autofill. If the person chooses none, that is not an error to show.
 * @param {number} round
 */
function offer(round) {
  const own = signIn('conditional').catch(() => {});
  const shown = waiting;
  const timer = setTimeout(() => {
    if (waiting === shown && round < ROUNDS) {
      offer(round + 1);
    }
  }, RENEWED_AFTER);
  own.finally(() => clearTimeout(timer));
}

if (window.PublicKeyCredential && location.origin === form.dataset.origin) {
  form.hidden = false;
  document.getElementById('passkey-missing')?.remove();
  form.addEventListener('submit', event => {
    event.preventDefault();
    problem.hidden = true;
    signIn('optional').catch(failure => {
      problem.hidden = failure.name === 'AbortError';
      if (fillsIn && !problem.hidden) {
        offer(1);
      }
    });
  });
  fillsIn = (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
  if (fillsIn) {
    offer(1);
  }
}
