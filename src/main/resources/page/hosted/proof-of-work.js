// @ts-check
// Solves the form's challenge, a proof of work (ALTCHA's protocol, version 2), once the person begins to fill it in.
const DIGITS_OF_BYTE = 2;
const AT_ONCE = Math.max(2, navigator.hardwareConcurrency ?? 2); // the browser derives keys on threads of its own
const field = /** @type {HTMLInputElement} */ (document.querySelector('input[data-challenge]'));
const form = /** @type {HTMLFormElement} */ (field.form);
const status = /** @type {HTMLElement} */ (form.querySelector('[data-working]'));
/** @type {Promise<void> | undefined} */
let work;

/** @param {string} digits */
const bytes = digits => Uint8Array.from(digits.match(/../g) ?? [], byte => parseInt(byte, 16));

/** @param {Uint8Array} given */
const hex = given => Array.from(given, byte => byte.toString(16).padStart(DIGITS_OF_BYTE, '0')).join('');

/**
 * @param {{ cost: number, keyLength: number, nonce: string, salt: string }} parameters
 * @param {number} counter
 */
async function derive(parameters, counter) {
  const nonce = bytes(parameters.nonce);
  const password = new Uint8Array(nonce.length + 4);
  password.set(nonce);
  new DataView(password.buffer).setUint32(nonce.length, counter);
  const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: bytes(parameters.salt), iterations: parameters.cost };
  return hex(new Uint8Array(await crypto.subtle.deriveBits(how, key, parameters.keyLength * 8)));
}

async function solve() {
  const challenge = JSON.parse(field.dataset.challenge ?? '');
  const { parameters } = challenge;
  for (let first = 0; ; first += AT_ONCE) {
    const counters = Array.from({ length: AT_ONCE }, (_, offset) => first + offset);
    const keys = await Promise.all(counters.map(counter => derive(parameters, counter)));
    const found = keys.findIndex(key => key.startsWith(parameters.keyPrefix));
    if (found >= 0) {
      const solution = { counter: first + found, derivedKey: keys[found] };
      field.value = btoa(JSON.stringify({ challenge, solution }));
      return;
    }
  }
}

const begin = () => (work ??= solve());

form.addEventListener('input', () => void begin().catch(() => {}), { once: true });
form.addEventListener('submit', event => {
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (field.value || button?.name === 'to') {
    return;
  }
  event.preventDefault();
  status.textContent = status.dataset.working ?? '';
  begin().then(
    () => form.requestSubmit(button ?? undefined),
    () => {
      status.className = 'problem';
      status.textContent = status.dataset.failed ?? '';
    },
  );
});
