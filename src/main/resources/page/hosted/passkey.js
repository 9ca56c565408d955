// Signs in by a passkey: asks for a challenge, and sends what the authenticator has signed as a form like the others.
const form = document.getElementById('passkey');
const problem = document.getElementById('passkey-problem');
const RENEWED_AFTER = 4 * 60 * 1000; // a challenge is good for five minutes
const ROUNDS = 15; // what the application has asked for is good for an hour
let waiting = new AbortController();
let fillsIn = false;

const bytes = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), char => char.charCodeAt(0));
const text = buffer =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

async function challenge(signal) {
  const answer = await fetch('passkey-challenge', { method: 'POST', body: new URLSearchParams(new FormData(form)), signal });
  if (!answer.ok) {
    throw new Error(`The server answered ${answer.status}.`);
  }
  const { challenge, rpId, timeout, userVerification } = await answer.json();
  return { challenge: bytes(challenge), rpId, timeout, userVerification };
}

/** Of several that wait for the person only the last one goes on, as browsers want it. */
async function signIn(mediation) {
  waiting.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  const publicKey = await challenge(signal);
  const { id, response } = await navigator.credentials.get({ publicKey, mediation, signal });
  const fields = form.elements;
  fields.credential.value = id;
  fields.authenticatorData.value = text(response.authenticatorData);
  fields.clientDataJSON.value = text(response.clientDataJSON);
  fields.signature.value = text(response.signature);
  fields.userHandle.value = response.userHandle ? text(response.userHandle) : '';
  form.submit();
}

/** The passkeys are offered beside what the browser fills in. That none is chosen is no problem to tell of. */
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
  fillsIn = await PublicKeyCredential.isConditionalMediationAvailable?.();
  if (fillsIn) {
    offer(1);
  }
}
