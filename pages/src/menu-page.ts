import { listOf, textOf, type Fields } from '@everscan/contract/schema/fields.ts'
import { html, type Html } from './html.ts'
import type { ContentSteps, PageCode, Visitor } from './page-content.ts'
import { formatPrice } from './prices.ts'
import { wordsOf } from './languages/languages.ts'

/**
 * Renders a menu: links to its sections, dishes and prices. Each step renders one section, because
 * the largest menu has ten thousand dishes and takes 70 ms.
 */
export function* menuPage({ name, data }: PageCode, { language, locale }: Visitor): ContentSteps {
  const title = textOf(data, 'title') || name
  const sections = listOf(data, 'sections')
  const written: Html[] = []
  for (const [at, section] of sections.entries()) {
    written.push(sectionHtml(section, at, locale))
    yield
  }
  const main = html`<h1 dir="auto">${title}</h1>
    ${
      sections.length > 1 &&
      html`<nav aria-label="${wordsOf(language).menu.sections}">
        <ul>
          ${sections.map(jump)}
        </ul>
      </nav>`
    }
    ${written}`
  return { title, main, layout: 'long' }
}

function jump(section: Fields, at: number): Html {
  return html`<li>
    <a href="#s${at + 1}"><bdi>${textOf(section, 'name')}</bdi></a>
  </li>`
}

function sectionHtml(section: Fields, at: number, locale: string): Html {
  const dishes = listOf(section, 'items').map((item) => dish(item, locale))
  return html`<section id="s${at + 1}" aria-labelledby="h${at + 1}">
    <h2 id="h${at + 1}" dir="auto">${textOf(section, 'name')}</h2>
    ${
      dishes.length > 0 &&
      html`<ul class="dishes">
        ${dishes}
      </ul>`
    }
  </section>`
}

function dish(item: Fields, locale: string): Html {
  const { price } = item
  const [currency, description] = [textOf(item, 'currency'), textOf(item, 'description')]
  return html`<li>
    <div class="dish">
      <bdi>${textOf(item, 'name')}</bdi>${
        typeof price === 'number' &&
        html`<data value="${`${price} ${currency}`.trim()}">${formatPrice(price, currency, locale)}</data>`
      }
    </div>
    ${description !== '' && html`<p class="lines" dir="auto">${description}</p>`}
  </li>`
}
