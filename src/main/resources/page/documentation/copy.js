// A copy button for each block of code. Only secure pages (https, or http on localhost) have the clipboard.
if (navigator.clipboard) {
  for (const frame of document.querySelectorAll('.code')) {
    const block = frame.querySelector('pre')
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    const said = document.createElement('span')
    said.className = 'said'
    said.setAttribute('role', 'status')
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(block.textContent)
        button.textContent = 'Copied'
        said.textContent = 'Copied'
      } catch {
        said.textContent = 'The browser did not allow it'
        button.textContent = 'Not allowed'
      }
      setTimeout(() => {
        button.textContent = 'Copy'
        said.textContent = ''
      }, 2000)
    })
    block.before(button, said)
  }
}
