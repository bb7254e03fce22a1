import { allergens, diets } from '@everscan/contract/code-types/menu-marks.ts'
import { webAddress } from '@everscan/contract/code-types/destinations.ts'
import { fieldsOf, listOf, textOf, type Fields } from '@everscan/contract/schema/fields.ts'
import { telHref } from '@everscan/qr/content/hrefs.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import { directionOf, wordsOf } from './languages/languages.ts'
import { menuStyle } from './menu-style.ts'
import {
  chosenText,
  directionOfTag,
  hasText,
  menuLanguages,
  menuText,
  nameOfTag,
  type MenuLanguages,
} from './menu-texts.ts'
import { hoursLines } from './opening-hours.ts'
import type { ContentSteps, PageCode, Visitor } from './page-content.ts'
import { mapHref, placeOf } from './places.ts'
import { formatPrice } from './prices.ts'

/** At most so many lines of opening hours show without a touch. */
const openLinesMax = 3
const pictureForm = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/

type Context = { languages: MenuLanguages; visitor: Visitor }

/**
 * Renders a menu: what the restaurant is, links to the sections, dishes and prices. Each step
 * renders one section, because the largest menu has ten thousand dishes and takes 70 ms.
 */
export function* menuPage({ name, data }: PageCode, visitor: Visitor): ContentSteps {
  const languages = menuLanguages(data, visitor)
  const { tags } = languages
  const context = { languages, visitor }
  const sections = listOf(data, 'sections')
  const written: Html[] = []
  for (const [at, section] of sections.entries()) {
    written.push(sectionHtml(section, at, context))
    yield
  }
  const [photo, logo] = [pictureOf(data, 'photo'), pictureOf(data, 'logo')]
  const main = html`${choiceHtml(context)}${photo && html`<img class="photo" src="${photo}" alt="" />`}${labelsHtml(languages)}${logo && html`<img class="logo" src="${logo}" alt="" />`}
    <h1 dir="auto" ${langOf(languages)}>
      ${hasText(data, 'title') ? menuText(data, 'title', languages) : name}
    </h1>
    ${actionsHtml(data, visitor)}${factsHtml(data, visitor)}${
      sections.length > 1 &&
      html`<nav aria-label="${wordsOf(visitor.language).menu.sections}">
        <ul${langOf(languages)}>
          ${sections.map((section, at) => jump(section, at, languages))}
        </ul>
      </nav>`
    }
    ${written}`
  return {
    title: chosenText(data, 'title', languages) || name,
    main,
    layout: 'long',
    style: menuStyle(tags),
    ...((photo !== undefined || logo !== undefined) && { hasPicture: true }),
    ...(logo !== undefined && { hasLogo: true }),
  }
}

/** Returns the part of a page's key that its content adds: the language that it begins with. */
export function menuVariant(data: Fields, visitor: Visitor): string {
  return String(menuLanguages(data, visitor).chosen)
}

/** The choice itself stands before everything that depends on it. */
function choiceHtml({ languages: { tags, chosen }, visitor }: Context): Html | false {
  if (tags.length < 2) return false
  const label = wordsOf(visitor.language).menu.language
  const choices = tags.map((tag, at) =>
    at === chosen
      ? html`<input
          class="k"
          type="radio"
          name="k"
          id="k${at}"
          aria-label="${label}: ${nameOfTag(tag)}"
          checked=""
        />`
      : html`<input class="k" type="radio" name="k" id="k${at}" aria-label="${label}: ${nameOfTag(tag)}" />`,
  )
  return html`${choices}`
}

function labelsHtml({ tags }: MenuLanguages): Html | false {
  if (tags.length < 2) return false
  const labels = tags.map(
    (tag, at) =>
      html`<label for="k${at}" lang="${tag}" dir="${directionOfTag(tag)}">${nameOfTag(tag)}</label>`,
  )
  return html`<div class="languages">${labels}</div>`
}

/** Texts of the menu are in its language, and our words in that of the visitor. */
function langOf({ tags: [tag] }: MenuLanguages): Html | false {
  return tag !== undefined && html` lang="${tag}"`
}

/** Returns a picture that a page may show. Only data that bypassed the API has another one. */
function pictureOf(data: Fields, name: string): string | undefined {
  const picture = textOf(data, name)
  return pictureForm.test(picture) ? picture : undefined
}

function actionsHtml(data: Fields, { language }: Visitor): Html | false {
  const words = wordsOf(language)
  const booking = webAddress(textOf(data, 'bookingUrl'))
  const phone = textOf(data, 'phone').trim()
  const links = [
    booking !== undefined &&
      html`<a class="action" rel="noopener noreferrer" href="${booking}"
        >${icon('calendar')}${words.menu.book}</a
      >`,
    phone !== '' &&
      html`<a class="action plain" href="${telHref(phone)}">${icon('phone')}${words.contact.call}</a>`,
  ].filter((one) => one !== false)
  return links.length > 0 && html`<div class="actions">${links}</div>`
}

function factsHtml(data: Fields, { language, locale, system }: Visitor): Html | false {
  const words = wordsOf(language)
  const place = placeOf(fieldsOf(data['address']))
  const hours = hoursLines(data, locale)
  const rows = [
    place !== '' &&
      html`<li>
        <a class="row" rel="noopener noreferrer" href="${mapHref(place, system)}"
          >${icon('place')}<span><small>${words.contact.address}</small><bdi>${place}</bdi></span></a
        >
      </li>`,
    hours.length > 0 &&
      html`<li>
        <details${hours.length <= openLinesMax && html` open=""`}>
          <summary class="row">${icon('clock')}<span>${words.menu.hours}</span></summary>
          <dl class="hours">
            ${hours.map(
              ({ days, hours: open }) =>
                html`<dt>${days}</dt>
                  <dd>${open === '' ? words.menu.closed : open}</dd>`,
            )}
          </dl>
        </details>
      </li>`,
  ].filter((one) => one !== false)
  return (
    rows.length > 0 &&
    html`<ul class="rows facts">
      ${rows}
    </ul>`
  )
}

function jump(section: Fields, at: number, languages: MenuLanguages): Html {
  return html`<li>
    <a href="#s${at + 1}"><bdi>${menuText(section, 'name', languages)}</bdi></a>
  </li>`
}

function sectionHtml(section: Fields, at: number, context: Context): Html {
  const { languages } = context
  const dishes = listOf(section, 'items').map((item) => dish(item, context))
  return html`<section id="s${at + 1}" aria-labelledby="h${at + 1}" ${langOf(languages)}>
    <h2 id="h${at + 1}" dir="auto">${menuText(section, 'name', languages)}</h2>
    ${
      dishes.length > 0 &&
      html`<ul class="dishes">
        ${dishes}
      </ul>`
    }
  </section>`
}

function dish(item: Fields, { languages, visitor }: Context): Html {
  const { price } = item
  const currency = textOf(item, 'currency')
  return html`<li>
    <div class="dish">
      <bdi>${menuText(item, 'name', languages)}</bdi>${
        typeof price === 'number' &&
        html`<data value="${`${price} ${currency}`.trim()}"
          >${formatPrice(price, currency, visitor.locale)}</data
        >`
      }
    </div>
    ${hasText(item, 'description') && html`<p class="lines" dir="auto">${menuText(item, 'description', languages)}</p>`}${marksHtml(item, visitor.language)}
  </li>`
}

function marksHtml(item: Fields, language: Visitor['language']): Html | false {
  const words = wordsOf(language).menu
  const has = (name: string, mark: string) => {
    const marks = item[name]
    return Array.isArray(marks) && marks.includes(mark)
  }
  const liked = diets.filter((diet) => has('diets', diet))
  const contained = allergens.filter((one) => has('allergens', one)).map((one) => words.allergens[one])
  if (liked.length === 0 && contained.length === 0) return false
  return html`<p class="marks" lang="${language}">
    ${liked.map((diet) => html`<span class="diet">${words.diets[diet]}</span>`)}${
      contained.length > 0 &&
      html`<span dir="${directionOf(language)}">${words.contains}: ${listed(contained, language)}</span>`
    }
  </p>`
}

/**
 * Writers of lists by language. Creating one takes much longer than using it. Lists of units have
 * only spaces between their parts in Korean, Russian or Turkish, and nothing in Chinese, where two
 * allergens would read as one.
 */
const listWriters = new Map<string, Intl.ListFormat>()

function listed(names: readonly string[], language: string): string {
  let writer = listWriters.get(language)
  if (writer === undefined) {
    writer = new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' })
    listWriters.set(language, writer)
  }
  return writer.format(names)
}
