import { Html, html } from './html.ts'
import { colorProperties, pageColors, schemeProperties, type PageColors } from './page-colors.ts'
import type { Brand, PageContent, Still } from './page-content.ts'
import { pageStyle } from './page-style.ts'
import { directionOf, type Language } from './languages/languages.ts'

/**
 * A complete page as text. The server adds matching headers, and the dashboard shows it in a frame.
 */
export type Page = {
  status: number
  language: Language
  /** The whole document. */
  text: string
  /** Texts of its style elements. No other styles may apply. */
  styles: readonly string[]
  /** Text of its script element. No other script may run. */
  script?: string
  /** Whether the page shows a picture, which is a data URI. */
  hasPicture: boolean
  /** Whether the page has a form, which the server answers with a page or a redirect. */
  hasForm?: true
  /** Further headers of the response. */
  headers: Readonly<Record<string, string>>
}

export type PageOptions = PageContent & {
  status: number
  language: Language
  colors?: PageColors
  brand?: Brand
  headers?: Readonly<Record<string, string>>
  /** Present if the page is only to be looked at, not used. */
  still?: Still | undefined
  hasForm?: true
  /** Shown by programs for a link to the page: https://ogp.me. */
  preview?: { title: string; siteName?: string | undefined }
}

const defaultColors = pageColors(undefined)

/** Renders a page that requests no other resources. */
export function createPage(options: PageOptions): Page {
  const { status, language, title, main, layout, scriptedStyle, brand = {}, headers = {}, still } = options
  const { colors = defaultColors, hasForm, preview, style } = options
  const shownBrand = options.hasLogo === true ? { name: brand.name } : brand
  const script = still === undefined ? options.script : undefined
  const properties = still === undefined ? colorProperties(colors) : stillStyle(colors, still, scriptedStyle)
  const document = html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no" />
        <meta name="theme-color" content="${colors.light.page}" media="(prefers-color-scheme:light)" />
        <meta name="theme-color" content="${colors.dark.page}" media="(prefers-color-scheme:dark)" />
        <title>${title}</title>
        ${openGraph(preview ?? { title, siteName: brand.name })}
        ${
          // With this base, a link opened by keyboard asks for a new window, and a sandboxed frame
          // may not open one.
          still && html`<base target="_blank" />`
        }
        <style>
          ${new Html(pageStyle)}
        </style>
        <style>
          ${properties}
        </style>
        ${
          style !== undefined &&
          html`<style>
            ${new Html(style)}
          </style>`
        }
      </head>
      <body>
        ${header(shownBrand)}
        <main class="${layout}">${main}</main>
        ${
          script !== undefined &&
          html`<script>
            ${new Html(script)}
          </script>`
        }
      </body>
    </html>`
  return {
    status,
    language,
    text: document.text,
    styles: [pageStyle, properties.text, ...(style === undefined ? [] : [style])],
    ...(script !== undefined && { script }),
    hasPicture: shownBrand.logo !== undefined || options.hasPicture === true,
    ...(hasForm === true && { hasForm }),
    headers,
  }
}

/** Chat programs show these of a link to the page (https://ogp.me). They load no data URI. */
function openGraph({ title, siteName }: { title: string; siteName?: string | undefined }): Html {
  return html`<meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    ${siteName !== undefined && html`<meta property="og:site_name" content="${siteName}" />`}`
}

/** Lets clicks fall through links, whatever keys are held. */
const stillLinks = 'a{pointer-events:none}'

function stillStyle(colors: PageColors, { scheme }: Still, scriptedStyle = ''): Html {
  return new Html(schemeProperties(colors, scheme).text + stillLinks + scriptedStyle)
}

function header({ name, logo }: Brand): Html | undefined {
  if (name === undefined && logo === undefined) return undefined
  return html`<header>
    ${
      logo &&
      // The alt text is empty: beside the name, the logo says nothing more. Alone, it replaces the
      // name.
      html`<img src="${logo.dataUri}" width="${logo.widthPx}" height="${logo.heightPx}" alt="" />`
    }${name !== undefined && html`<bdi>${name}</bdi>`}
  </header>`
}
