import { webAddress } from '@everscan/contract/code-types/destinations.ts'
import { textOf } from '@everscan/contract/schema/fields.ts'
import { html } from './html.ts'
import { platformOf } from './icons.ts'
import type { PageCode, PageContent, Visitor } from './page-content.ts'
import { wordsOf } from './languages/languages.ts'

const stores = [
  ['ios', 'iosUrl', 'appstore'],
  ['android', 'androidUrl', 'googleplay'],
] as const

/** Renders the stores to choose from, for a device whose system does not decide. */
export function appPage({ name, data }: PageCode, { language }: Visitor): PageContent {
  const words = wordsOf(language).app
  const links = stores.flatMap(([store, field, platform]) => {
    const href = webAddress(textOf(data, field))
    return href === undefined
      ? []
      : html`<a class="action" rel="noopener noreferrer" href="${href}"
          >${platformOf(platform).icon}${words[store]}</a
        >`
  })
  const main = html`<p class="over">${words.get}</p>
    <h1 dir="auto">${name}</h1>
    ${links}`
  return { title: name, main, layout: 'middle' }
}
