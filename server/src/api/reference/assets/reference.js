// Samples in the language that the reader chose last, and for the address of this server.
const kept = 'everscan-samples'
const names = { curl: 'curl', js: 'JavaScript', python: 'Python', php: 'PHP' }

let chosen = read()
for (const samples of document.querySelectorAll('.samples')) begin(samples)
show()

function begin(samples) {
  const bar = document.createElement('div')
  bar.className = 'languages'
  bar.setAttribute('role', 'group')
  bar.setAttribute('aria-label', 'Language of the sample')
  for (const [id, name] of Object.entries(names)) {
    const button = document.createElement('button')
    button.type = 'button'
    button.dataset.choose = id
    button.textContent = name
    button.addEventListener('click', () => {
      // Samples above change their height, too: the pressed button stays where it is.
      const before = button.getBoundingClientRect().top
      chosen = id
      keep()
      show()
      scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' })
    })
    bar.append(button)
  }
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.className = 'copy'
  copy.textContent = 'Copy'
  copy.addEventListener('click', () => void copyFrom(samples, copy))
  if (navigator.clipboard !== undefined) bar.append(copy)
  samples.prepend(bar)
  samples.classList.add('tabbed')
}

function show() {
  for (const figure of document.querySelectorAll('.samples figure'))
    figure.hidden = figure.dataset.language !== chosen
  for (const button of document.querySelectorAll('.samples [data-choose]'))
    button.setAttribute('aria-pressed', String(button.dataset.choose === chosen))
}

async function copyFrom(samples, button) {
  await navigator.clipboard.writeText(samples.querySelector('figure:not([hidden]) code').textContent)
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = 'Copy'), 2000)
}

function read() {
  try {
    const id = localStorage.getItem(kept)
    return id in names ? id : 'curl'
  } catch {
    return 'curl'
  }
}

function keep() {
  try {
    localStorage.setItem(kept, chosen)
  } catch {
    // The language is shown, but not stored.
  }
}
