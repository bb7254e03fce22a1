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
  return documentOf(title, {
    menu: menuOf(sections, { address, parts }),
    main: `${html}<nav class="steps" aria-label="Neighbouring pages">${steps.filter((one) => one !== undefined).join('')}</nav>`,
  })
}

/** Returns the document for an address without a page. */
export function missingDocument(sections: readonly MenuSection[]): string {
  return documentOf('Page not found', {
    menu: menuOf(sections, { address: '', parts: [] }),
    main: `<h1>Page not found</h1><p>The guide has no page at this address. <a href="${start}">Its first page</a> lists all pages.</p>`,
  })
}

function documentOf(title: string, { menu, main }: { menu: string; main: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – Everscan guide</title>
<link rel="icon" href="/app/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${start}/style.css">
<script src="${start}/theme.js"></script>
<script src="${start}/search.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<div class="bar">
<a class="brand" href="${start}"><img src="/app/favicon.svg" alt="" width="24" height="24"><b>Everscan<span> guide</span></b></a>
<div class="search" id="search" role="search" hidden>
<input type="search" id="query" role="combobox" aria-label="Search the guide" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search">
<kbd aria-hidden="true">/</kbd>
<div id="found" hidden><p id="said" role="status"></p><div id="results" role="listbox" aria-label="Results"></div></div>
</div>
<nav class="elsewhere" aria-label="Elsewhere"><a href="/docs">API<span> reference</span></a><a href="/app">Dashboard</a></nav>
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
