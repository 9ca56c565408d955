// @ts-check
// A copy button for each block of code. Only secure pages (https, or http on localhost) have the clipboard.
if (navigator.clipboard) {
  for (const frame of document.querySelectorAll('.code')) {
    const block = /** @type {HTMLElement} */ (frame.querySelector('pre'))
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    const status = document.createElement('span')
    status.className = 'said'
    status.setAttribute('role', 'status')
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(block.textContent ?? '')
        button.textContent = 'Copied'
        status.textContent = 'Copied'
      } catch {
        status.textContent = 'The browser did not allow it'
        button.textContent = 'Not allowed'
      }
      setTimeout(() => {
        button.textContent = 'Copy'
        status.textContent = ''
      }, 2000)
    })
    block.before(button, status)
  }
}
