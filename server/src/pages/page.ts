import { hash } from 'node:crypto'
import { Html, html } from './html.ts'
import { colorProperties, pageColors, type PageColors } from './page-colors.ts'
import type { Brand, PageContent } from './page-content.ts'
import { pageStyle } from './page-style.ts'
import { directionOf, type Language } from './languages/languages.ts'

/** A page in full: its head as a flat list of names and values, its body, ready to be sent many times. */
export type Page = { status: number; headers: readonly string[]; body: Buffer }

export type PageOptions = PageContent & {
  status: number
  language: Language
  colors?: PageColors
  brand?: Brand
  /** Further ones. */
  headers?: Readonly<Record<string, string>>
}

const defaultColors = pageColors(undefined)
const pageStyleHash = hashOf(pageStyle)

/** A page that asks for nothing else, whose styles and script are those of its policy and no others. */
export function createPage(options: PageOptions): Page {
  const { status, language, title, main, layout, script, brand = {}, headers = {} } = options
  const colors = colorProperties(options.colors ?? defaultColors)
  const [day, night] = [options.colors ?? defaultColors].flatMap(({ light, dark }) => [light.page, dark.page])
  const document = html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no" />
        <meta name="theme-color" content="${day}" media="(prefers-color-scheme:light)" />
        <meta name="theme-color" content="${night}" media="(prefers-color-scheme:dark)" />
        <title>${title}</title>
        <style>
          ${new Html(pageStyle)}
        </style>
        <style>
          ${colors}
        </style>
      </head>
      <body>
        ${header(brand)}
        <main class="${layout}">${main}</main>
        ${
          script !== undefined &&
          html`<script>
            ${new Html(script)}
          </script>`
        }
      </body>
    </html>`
  const body = Buffer.from(document.text)
  const sources = [
    "default-src 'none'",
    `style-src ${pageStyleHash} ${hashOf(colors.text)}`,
    ...(brand.logo === undefined ? [] : ['img-src data:']),
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    status,
    headers: Object.entries({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': String(body.length),
      'Content-Language': language,
      ...unseenHeaders,
      'Content-Security-Policy': sources.join('; '),
      ...headers,
    }).flat(),
    body,
  }
}

/** Kept by nobody, listed by nobody, taken for nothing else. */
export const unseenHeaders = {
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
} as const

function header({ name, logo }: Brand): Html | undefined {
  if (name === undefined && logo === undefined) return undefined
  return html`<header>
    ${
      logo &&
      // A picture beside the name says nothing more; one alone is the name's place.
      html`<img src="${logo.dataUri}" width="${logo.widthPx}" height="${logo.heightPx}" alt="" />`
    }${name !== undefined && html`<bdi>${name}</bdi>`}
  </header>`
}

function hashOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}
