import { webAddress } from '@everscan/contract/code-types/destinations.ts'
import { listOf, textOf } from '@everscan/contract/schema/fields.ts'
import { html } from './html.ts'
import { platformOf } from './icons.ts'
import type { PageCode, PageContent, Visitor } from './page-content.ts'
import { wordsOf } from './languages/languages.ts'

const manyLinks = 6

/** Renders links to profiles, with the names and icons of the platforms. */
export function socialPage({ data }: PageCode, { language }: Visitor): PageContent {
  const title = textOf(data, 'title') || wordsOf(language).social.follow
  const links = listOf(data, 'links').map((link) => {
    const platform = textOf(link, 'platform')
    const { icon, ...known } = platformOf(platform)
    const name = platform.toLowerCase() === 'website' ? wordsOf(language).contact.website : known.name
    const label = textOf(link, 'label').trim()
    const words = html`${icon}<span
        >${
          label === '' || label === name
            ? html`<bdi>${name}</bdi>`
            : html`<small><bdi>${name}</bdi></small
                ><bdi>${label}</bdi>`
        }</span
      >`
    const href = webAddress(textOf(link, 'url'))
    // Only data that bypassed the API has a link without a web address.
    if (href === undefined) return html`<li><div class="row">${words}</div></li>`
    return html`<li><a class="row" rel="noopener noreferrer" href="${href}">${words}</a></li>`
  })
  const main = html`<h1 dir="auto">${title}</h1>
    <ul class="rows">
      ${links}
    </ul>`
  return { title, main, layout: links.length > manyLinks ? 'long' : 'middle' }
}
