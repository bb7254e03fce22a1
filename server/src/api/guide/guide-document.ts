import { addressOf, firstFile } from './guide-pages.ts'
import { escapeHtml, type PagePart, type RenderedPage } from './markdown.ts'

type PageLink = { address: string; title: string }
export type MenuSection = { title: string; links: readonly PageLink[] }

type Surroundings = {
  address: string
  sections: readonly MenuSection[]
  previous: PageLink | undefined
  next: PageLink | undefined
}

const start = addressOf(firstFile.slug)

/** Returns the document of a page. It can be read and used without a script, except for search. */
export function guideDocument(
  { title, html, parts }: RenderedPage,
  { address, sections, previous, next }: Surroundings,
): string {
  const steps = [
    previous &&
      `<a href="${previous.address}" rel="prev"><span>Previous</span>${escapeHtml(previous.title)}</a>`,
    next && `<a href="${next.address}" rel="next"><span>Next</span>${escapeHtml(next.title)}</a>`,
  ]
  return pageDocument({
    kind: 'guide',
    title,
    sections,
    address,
    parts,
    main: `${html}<nav class="steps" aria-label="Neighbouring pages">${steps.filter((one) => one !== undefined).join('')}</nav>`,
  })
}

/** Returns the document for an address without a page. */
export function missingDocument(sections: readonly MenuSection[]): string {
  return pageDocument({
    kind: 'guide',
    title: 'Page not found',
    sections,
    address: '',
    parts: [],
    main: `<h1>Page not found</h1><p>The guide has no page at this address. <a href="${start}">Its first page</a> lists all pages.</p>`,
  })
}

/** The parts in which the two kinds of documents differ. */
const kinds = {
  guide: {
    name: 'guide',
    start,
    search: { label: 'Search the guide', index: `${start}/search.json` },
    head: '',
    elsewhere: '<a href="/docs">API<span> reference</span></a>',
  },
  reference: {
    name: 'API reference',
    start: '/docs',
    search: { label: 'Search the reference', index: '/docs/api/search.json' },
    head: '<link rel="stylesheet" href="/docs/api/reference.css">\n<script src="/docs/api/reference.js" type="module"></script>\n',
    elsewhere: `<a href="${start}">Guide</a>`,
  },
} as const

type DocumentParts = {
  kind: keyof typeof kinds
  title: string
  sections: readonly MenuSection[]
  /** The page in the menu that this one is. */
  address: string
  parts: readonly PagePart[]
  main: string
}

/** Returns a document with the head, the menu and the search of its kind. */
export function pageDocument({ kind, title, sections, address, parts, main }: DocumentParts): string {
  const { name, start: first, search, head, elsewhere } = kinds[kind]
  const menu = menuOf(sections, { address, parts })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – Everscan ${name}</title>
<link rel="icon" href="/app/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${start}/style.css">
<script src="${start}/theme.js"></script>
<script src="${start}/search.js" type="module"></script>
${head}</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<div class="bar">
<a class="brand" href="${first}"><img src="/app/favicon.svg" alt="" width="24" height="24"><b>Everscan<span> ${name}</span></b></a>
<div class="search" id="search" role="search" data-index="${search.index}" hidden>
<input type="search" id="query" role="combobox" aria-label="${search.label}" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search">
<kbd aria-hidden="true">/</kbd>
<div id="found" hidden><p id="said" role="status"></p><div id="results" role="listbox" aria-label="Results"></div></div>
</div>
<nav class="elsewhere" aria-label="Elsewhere">${elsewhere}<a href="/app">Dashboard</a></nav>
<button type="button" class="theme" id="theme" hidden></button>
</div>
</header>
<details class="menu"><summary>All pages</summary><nav aria-label="Pages">${menu}</nav></details>
<div class="frame">
<nav class="menu" aria-label="Pages">${menu}</nav>
<main id="content" tabindex="-1">
${main}
</main>
</div>
</body>
</html>
`
}

/** The current page lists its own headings, so that long pages can be looked through. */
function menuOf(
  sections: readonly MenuSection[],
  { address, parts }: { address: string; parts: readonly PagePart[] },
): string {
  return sections
    .map(({ title, links }) => {
      const entries = links.map((link) => {
        const isCurrent = link.address === address
        const current = isCurrent ? ' aria-current="page"' : ''
        const own = isCurrent ? headingsOf(parts) : ''
        return `<li><a href="${link.address}"${current}>${escapeHtml(link.title)}</a>${own}</li>`
      })
      return `<p>${title}</p><ul>${entries.join('')}</ul>`
    })
    .join('')
}

function headingsOf(parts: readonly PagePart[]): string {
  const headings = parts.filter(({ depth }) => depth === 2)
  if (headings.length < 2) return ''
  return `<ul>${headings.map(({ anchor, heading }) => `<li><a href="#${anchor}">${escapeHtml(heading)}</a></li>`).join('')}</ul>`
}
