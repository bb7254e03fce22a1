import { hash } from 'node:crypto'

/** A page in full: its head as a flat list of names and values, its body, ready to be sent many times. */
export type Page = { status: number; headers: string[]; body: Buffer }

export type PageContent = {
  status: number
  title: string
  /** Sentences under the title. */
  text?: readonly string[]
  /** Names and values, such as the network and the password. */
  fields?: readonly (readonly [name: string, value: string])[]
  /** Links; only http, https, mailto, tel and sms targets are made links, the rest stays text. */
  links?: readonly (readonly [label: string, href: string])[]
}

const style =
  ':root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto 3rem;padding:0 1.25rem}' +
  'h1{font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}dt{opacity:.7;font-size:.875rem}' +
  'dd{margin:0 0 1rem;overflow-wrap:anywhere;white-space:pre-wrap}a{display:inline-block;padding:.6rem 0;overflow-wrap:anywhere}'
const policy =
  `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; ` +
  "form-action 'none'; frame-ancestors 'none'"

/** A small page that needs no script and asks for nothing else; everything in it is escaped. */
export function createPage(content: PageContent): Page {
  const { status, title, text = [], fields = [], links = [] } = content
  const body = Buffer.from(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${style}</style></head>` +
      `<body><main><h1>${escapeHtml(title)}</h1>` +
      text.map((line) => `<p>${escapeHtml(line)}</p>`).join('') +
      (fields.length === 0 ? '' : `<dl>${fields.map(fieldHtml).join('')}</dl>`) +
      links.map(linkHtml).join('') +
      '</main></body></html>',
  )
  const headers = Object.entries({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(body.length),
    'Cache-Control': 'private, no-store',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  }).flat()
  return { status, headers, body }
}

/** As it may stand in text and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function fieldHtml([name, value]: readonly [string, string]): string {
  return `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`
}

function linkHtml([label, href]: readonly [string, string]): string {
  if (!/^(https?|mailto|tel|sms):/i.test(href)) return `<p>${escapeHtml(label)}</p>`
  return `<p><a rel="noopener noreferrer" href="${escapeHtml(href)}">${escapeHtml(label)}</a></p>`
}

export const unknownCodePage = createPage({
  status: 404,
  title: 'This code is not known here',
  text: ['Check the address, or scan the code again.'],
})

export const goneCodePage = createPage({
  status: 410,
  title: 'This code is no longer in use',
  text: ['Its owner has switched it off.'],
})

/** Sent while the catalogue is away and the code was not scanned here before. */
export const laterPage = withHeader(
  createPage({
    status: 503,
    title: 'One moment, please',
    text: ['This code cannot be looked up right now. Try again in a moment.'],
  }),
  ['Retry-After', '2'],
)

export const methodPage = withHeader(
  createPage({ status: 405, title: 'This address is for opening, not for sending', text: [] }),
  ['Allow', 'GET, HEAD'],
)

function withHeader(page: Page, header: readonly [string, string]): Page {
  return { ...page, headers: [...page.headers, ...header] }
}
