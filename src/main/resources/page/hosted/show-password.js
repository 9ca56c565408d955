// @ts-check
// Adds to the field of a password a button that shows what was typed. Without this script there is no such button.
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('button.reveal'))) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.getAttribute('aria-controls') ?? ''));

  /** @param {boolean} isShown */
  const show = isShown => {
    field.type = isShown ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(isShown));
  };

  button.addEventListener('click', () => show(field.type === 'password'));
  // Browsers keep what was sent as text for the next time, and offer to save only what was sent as a password.
  field.form?.addEventListener('submit', () => show(false));
  button.hidden = false;
}
