// Search in the guide: finds the parts of pages that have all the words of a query, in any order.
const resultsMax = 12
const excerptChars = 150

const box = document.getElementById('search')
const query = document.getElementById('query')
const found = document.getElementById('found')
const said = document.getElementById('said')
const results = document.getElementById('results')

let entries
let selected = -1

box.hidden = false
query.addEventListener('focus', () => void load())
query.addEventListener('input', show)
query.addEventListener('keydown', move)
document.addEventListener('keydown', (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
  if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  query.focus()
  query.select()
})
document.addEventListener('click', (event) => {
  if (!box.contains(event.target)) close()
})
box.addEventListener('focusout', (event) => {
  if (event.relatedTarget !== null && !box.contains(event.relatedTarget)) close()
})

async function load() {
  if (entries !== undefined) return
  try {
    const response = await fetch(box.dataset.index)
    if (!response.ok) throw new Error(String(response.status))
    entries = (await response.json()).map((entry) => ({
      ...entry,
      inHeading: fold(`${entry.page} ${entry.heading}`),
      inText: fold(entry.text),
    }))
  } catch {
    said.textContent = 'Search is not available at the moment.'
    found.hidden = false
    return
  }
  show()
}

/** Letters compare without case and accents. Both forms have the same length, for excerpts. */
function fold(text) {
  return Array.from(text, (letter) => letter.normalize('NFD')[0].toLowerCase()[0]).join('')
}

function show() {
  const words = fold(query.value).split(/\s+/).filter(Boolean)
  if (words.length === 0 || entries === undefined) return close()
  const hits = entries
    .map((entry, at) => ({ entry, at, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.at - other.at)
    .slice(0, resultsMax)
  results.replaceChildren(...hits.map(({ entry }, at) => itemOf(entry, { words, at })))
  said.textContent = hits.length === 0 ? `Nothing found for “${query.value.trim()}”.` : ''
  found.hidden = false
  query.setAttribute('aria-expanded', String(hits.length > 0))
  select(hits.length === 0 ? -1 : 0)
}

/** 0 unless every word is there. Words in headings and at the beginning of words weigh more. */
function scoreOf({ inHeading, inText }, words) {
  let score = 0
  for (const word of words) {
    const own = weight(inHeading, word) * 10 + weight(inText, word)
    if (own === 0) return 0
    score += own
  }
  return score
}

function weight(text, word) {
  const at = text.indexOf(word)
  if (at < 0) return 0
  return at === 0 || text.includes(` ${word}`) ? 2 : 1
}

function itemOf({ address, page, heading, text, inText }, { words, at }) {
  const item = document.createElement('a')
  item.id = `result-${at}`
  item.href = address
  item.tabIndex = -1
  item.setAttribute('role', 'option')
  const title = document.createElement('strong')
  title.textContent = heading === page ? page : `${page}: ${heading}`
  const excerpt = document.createElement('span')
  excerpt.append(...excerptOf(text, { inText, words }))
  item.append(title, excerpt)
  item.addEventListener('mousemove', () => select(at))
  item.addEventListener('click', () => close())
  return item
}

/** The text around the first word that it has, with every word marked. */
function excerptOf(text, { inText, words }) {
  const letters = Array.from(text)
  const first = Math.min(...words.map((word) => inText.indexOf(word)).filter((at) => at >= 0), letters.length)
  // Begins and ends between words.
  const from = first <= 40 || first === letters.length ? 0 : inText.indexOf(' ', first - 40) + 1
  const to =
    from + excerptChars >= letters.length ? letters.length : inText.lastIndexOf(' ', from + excerptChars)
  const nodes = from > 0 ? ['… '] : []
  let at = from
  while (at < to) {
    const word = words.find((one) => inText.startsWith(one, at))
    if (word === undefined) {
      nodes.push(letters[at++])
      continue
    }
    const mark = document.createElement('mark')
    mark.textContent = letters.slice(at, at + word.length).join('')
    nodes.push(mark)
    at += word.length
  }
  return to < letters.length ? [...nodes, ' …'] : nodes
}

function select(at) {
  selected = at
  for (const [index, item] of [...results.children].entries())
    item.setAttribute('aria-selected', String(index === at))
  if (at < 0) query.removeAttribute('aria-activedescendant')
  else query.setAttribute('aria-activedescendant', `result-${at}`)
}

function move(event) {
  const { length } = results.children
  if (event.key === 'Escape') {
    // Browsers would also clear the query.
    event.preventDefault()
    if (found.hidden) query.blur()
    return close()
  }
  if (found.hidden || length === 0) return
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    select((selected + (event.key === 'ArrowDown' ? 1 : length - 1)) % length)
    results.children[selected].scrollIntoView({ block: 'nearest' })
  } else if (event.key === 'Enter') {
    event.preventDefault()
    results.children[selected]?.click()
  }
}

function close() {
  found.hidden = true
  query.setAttribute('aria-expanded', 'false')
  query.removeAttribute('aria-activedescendant')
}
