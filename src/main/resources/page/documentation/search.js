// Searches the guides and the API, in the index that this server makes of both.
const form = document.querySelector('.search')
const input = form.querySelector('input')
const said = form.querySelector('[role=status]')
const found = form.querySelector('.found')
const MOST = 20
const AROUND = 60

let index
const read = () => (index ??= fetch(`${form.dataset.root}search.json`).then(async response => {
  if (!response.ok) throw new Error(response.status)
  return (await response.json()).entries.map(entry => ({
    ...entry,
    inTitle: entry.title.toLowerCase(),
    inPage: entry.page.toLowerCase(),
    inText: entry.text.toLowerCase()
  }))
}).catch(error => {
  index = undefined // the next letter tries again
  throw error
}))

/** How well the entry answers, or 0 if it lacks one of the words. */
function score (entry, words) {
  let sum = 0
  for (const word of words) {
    const at = entry.inTitle.indexOf(word)
    const one = (at === 0 ? 12 : at > 0 ? 8 : 0) + (entry.inPage.startsWith(word) ? 5 : 0) +
      (entry.inText.includes(word) ? 1 : 0)
    if (one === 0) return 0
    sum += one
  }
  return sum + (entry.title === entry.page ? 2 : 0) + (entry.inTitle.includes(words.join(' ')) ? 20 : 0) +
    (entry.inTitle === words.join(' ') ? 20 : 0)
}

function element (name, ...children) {
  const made = document.createElement(name)
  made.append(...children)
  return made
}

/** The text around the first of the words, with all of them marked. */
function excerpt ({ text, inText }, words) {
  const first = Math.min(...words.map(word => inText.indexOf(word)).filter(at => at >= 0))
  const from = first > AROUND && first < Infinity ? text.indexOf(' ', first - AROUND) + 1 : 0
  const part = text.slice(from, from + 3 * AROUND)
  const pattern = new RegExp(words.map(word => word.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')).join('|'), 'giu')
  const made = element('small', from > 0 ? '… ' : '')
  let rest = 0
  for (const match of part.matchAll(pattern)) {
    made.append(part.slice(rest, match.index), element('mark', match[0]))
    rest = match.index + match[0].length
  }
  made.append(part.slice(rest), from + part.length < text.length ? ' …' : '')
  return made
}

function result (entry, words) {
  const title = element('span', element('b', entry.title))
  if (entry.page !== entry.title) title.append(` · ${entry.page}`)
  const link = element('a', title, excerpt(entry, words))
  link.href = form.dataset.root + entry.path
  return element('li', link)
}

function show (message, children) {
  said.textContent = message
  found.replaceChildren(...children)
  found.hidden = false
}

function close () {
  found.hidden = true
  said.textContent = ''
}

async function search () {
  const typed = input.value
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return close()
  let entries
  try {
    entries = await read()
  } catch {
    const message = 'The search did not answer. Try again.'
    return show(message, [element('p', message)])
  }
  if (input.value !== typed) return // a later search shows its own
  const best = entries.map(entry => ({ entry, points: score(entry, words) })).filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
  if (best.length === 0) return show('Nothing found', [element('p', 'Nothing found')])
  show(best.length === 1 ? '1 place found' : `${best.length} places found`,
    [element('ul', ...best.slice(0, MOST).map(({ entry }) => result(entry, words)))])
}

function move (step) {
  const places = [input, ...found.querySelectorAll('a')]
  const next = places.indexOf(document.activeElement) + step
  places[Math.max(0, Math.min(next, places.length - 1))].focus()
}

input.addEventListener('focus', () => {
  read().catch(() => {})
  if (found.hidden && input.value) search()
})
input.addEventListener('input', search)
form.addEventListener('submit', async event => {
  event.preventDefault()
  await search()
  found.querySelector('a')?.click()
})
form.addEventListener('keydown', event => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    move(event.key === 'ArrowDown' ? 1 : -1)
  } else if (event.key === 'Escape' && !found.hidden) {
    event.preventDefault()
    input.focus()
    close()
  }
})
form.addEventListener('focusout', event => {
  if (!form.contains(event.relatedTarget)) close()
})
found.addEventListener('click', event => {
  if (event.target.closest('a')) close() // it may lead to a place on this page
})
// A click on the text of a result must not take the focus away before it counts.
found.addEventListener('mousedown', event => {
  if (!event.target.closest('a')) event.preventDefault()
})
document.addEventListener('keydown', event => {
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    event.preventDefault()
    input.focus()
    input.select()
  }
})

form.hidden = false
