// A copy button next to each block of code. Only secure pages (https, or http on localhost) have the clipboard.
if (navigator.clipboard) {
  for (const block of document.querySelectorAll('article pre')) {
    const frame = document.createElement('div')
    frame.className = 'code'
    block.replaceWith(frame)
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
    frame.append(block, button, said)
  }
}
