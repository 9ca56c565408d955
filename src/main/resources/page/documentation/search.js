// @ts-check
// Searches the guides and the API, in the index that this server makes of both.
const form = /** @type {HTMLFormElement} */ (document.querySelector('.search'))
const input = /** @type {HTMLInputElement} */ (form.querySelector('input'))
const status = /** @type {HTMLElement} */ (form.querySelector('[role=status]'))
const found = /** @type {HTMLElement} */ (form.querySelector('.found'))
const MAX_RESULTS = 20
const CHARACTERS_BEFORE = 60

/**
 * A place in the documentation, as the server writes it.
 * @typedef {{ page: string, title: string, path: string, text: string }} Place
 *
 * And as it is searched, in small letters.
 * @typedef {Place & { inTitle: string, inPage: string, inText: string }} Entry
 */

/** @type {Promise<Entry[]> | undefined} */
let index
const read = () => (index ??= fetch(`${form.dataset.root}search.json`).then(async response => {
  if (!response.ok) throw new Error(String(response.status))
  const { entries } = /** @type {{ entries: Place[] }} */ (await response.json())
  return entries.map(entry => ({
    ...entry,
    inTitle: entry.title.toLowerCase(),
    inPage: entry.page.toLowerCase(),
    inText: entry.text.toLowerCase()
  }))
}).catch(error => {
  index = undefined // the next letter tries again
  throw error
}))

/**
 * How well the entry answers, or 0 if it lacks one of the words.
 * @param {Entry} entry
 * @param {string[]} words
 */
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

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {(Node | string)[]} children
 */
function element (name, ...children) {
  const made = document.createElement(name)
  made.append(...children)
  return made
}

/**
 * The text around the first of the words, with all of them marked.
 * @param {Entry} entry
 * @param {string[]} words
 */
function excerpt ({ text, inText }, words) {
  const first = Math.min(...words.map(word => inText.indexOf(word)).filter(at => at >= 0))
  const from = first > CHARACTERS_BEFORE && first < Infinity ? text.indexOf(' ', first - CHARACTERS_BEFORE) + 1 : 0
  const part = text.slice(from, from + 3 * CHARACTERS_BEFORE)
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

/**
 * @param {Entry} entry
 * @param {string[]} words
 */
function result (entry, words) {
  const title = element('span', element('b', entry.title))
  if (entry.page !== entry.title) title.append(` · ${entry.page}`)
  const link = element('a', title, excerpt(entry, words))
  link.href = form.dataset.root + entry.path
  return element('li', link)
}

/**
 * @param {string} message
 * @param {HTMLElement[]} children
 */
function show (message, children) {
  status.textContent = message
  found.replaceChildren(...children)
  found.hidden = false
}

function close () {
  found.hidden = true
  status.textContent = ''
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
    [element('ul', ...best.slice(0, MAX_RESULTS).map(({ entry }) => result(entry, words)))])
}

/** @param {1 | -1} step */
function move (step) {
  const places = [input, ...found.querySelectorAll('a')]
  const next = places.findIndex(place => place === document.activeElement) + step
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
  if (!form.contains(/** @type {Node | null} */ (event.relatedTarget))) close()
})
/** @param {Event} event */
const isOnLink = event => /** @type {Element} */ (event.target).closest('a') !== null

found.addEventListener('click', event => {
  if (isOnLink(event)) close() // it may lead to a place on this page
})
// A click on the text of a result must not take the focus away before it counts.
found.addEventListener('mousedown', event => {
  if (!isOnLink(event)) event.preventDefault()
})
document.addEventListener('keydown', event => {
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    event.preventDefault()
    input.focus()
    input.select()
  }
})

form.hidden = false
