import { textOf } from '@everscan/contract/schema/fields.ts'
import { html } from './html.ts'
import type { PageCode, PageContent } from './page-content.ts'

/**
 * Renders a text to read and select. Addresses in it are not links, because the service cannot
 * vouch for where they lead.
 */
export function textPage({ name, data }: PageCode): PageContent {
  const text = textOf(data, 'text')
  const main = html`<h1 class="address" dir="auto">${name}</h1>
    <div class="lines large" dir="auto">${text}</div>`
  return { title: name, main, layout: text.length > 400 ? 'long' : 'middle' }
}
