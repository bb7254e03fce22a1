import type { VcardData } from '@everscan/contract/code-types/vcard.ts'
import { mailtoHref, telHref } from '@everscan/qr/content/hrefs.ts'
import { foldLines, writeVcard } from '@everscan/qr/content/vcards.ts'
import { webAddress } from '@everscan/contract/code-types/destinations.ts'
import { fieldsOf, textOf, type Fields } from '@everscan/contract/schema/fields.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import type { PageCode, PageContent, Visitor } from './page-content.ts'
import { wordsOf } from './languages/languages.ts'
import { mapHref, placeOf } from './places.ts'

/** Renders a contact: a button that saves it, and links that use its data directly. */
export function vcardPage({ data, contactPath }: PageCode, { language, system }: Visitor): PageContent {
  const words = wordsOf(language).contact
  const card = contactOf(data)
  const { phone, email, website, note } = card
  const name = nameOf(card)
  const place = placeOf(card.address ?? {})
  const rows = [
    phone && row('phone', { label: words.call, text: phone, href: telHref(phone), dir: 'ltr' }),
    email && row('mail', { label: words.mail, text: email, href: mailtoHref({ email }), dir: 'ltr' }),
    website && row('globe', { label: words.website, text: shown(website), href: website, dir: 'ltr' }),
    place && row('place', { label: words.address, text: place, href: mapHref(place, system), dir: 'auto' }),
  ].filter((one) => typeof one === 'object')
  const main = html`<div class="badge" aria-hidden="true">${initialsOf(card) || icon('person')}</div>
    <h1 dir="auto">${name}</h1>
    ${[card.title, card.company].map((line) => line !== undefined && html`<p class="muted" dir="auto">${line}</p>`)}
    <a class="action" href="${contactPath}">${icon('save')}${words.save}</a>
    ${
      rows.length > 0 &&
      html`<ul class="rows">
        ${rows}
      </ul>`
    }
    ${
      note !== undefined &&
      html`<dl>
        <dt>${words.note}</dt>
        <dd class="lines" dir="auto">${note}</dd>
      </dl>`
    }`
  return { title: name, main, layout: 'middle' }
}

/** A contact as a file: its name without extension, and a vCard with folded lines. */
export type ContactFile = { name: string; text: string }

/** Returns the contact as a file that address books accept. */
export function createContactFile(data: Fields): ContactFile {
  const card = contactOf(data)
  return { name: nameOf(card), text: foldLines(writeVcard(card)) }
}

function row(
  picture: 'phone' | 'mail' | 'globe' | 'place',
  { label, text, href, dir }: { label: string; text: string; href: string; dir: string },
): Html {
  return html`<li>
    <a class="row" rel="noopener noreferrer" href="${href}"
      >${icon(picture)}<span><small>${label}</small><bdi dir="${dir}">${text}</bdi></span></a
    >
  </li>`
}

/** Returns the contact without empty fields, and without a website that no phone may be sent to. */
function contactOf(data: Fields): VcardData {
  const address = fieldsOf(data['address'])
  return {
    firstName: textOf(data, 'firstName').trim(),
    lastName: textOf(data, 'lastName').trim(),
    ...givenTexts(data, ['email', 'phone', 'company', 'title', 'note']),
    ...givenTexts({ website: webAddress(textOf(data, 'website')) }, ['website']),
    address: givenTexts(address, ['street', 'city', 'state', 'zip', 'country']),
  }
}

function givenTexts<Key extends string>(fields: Fields, keys: readonly Key[]): { [K in Key]?: string } {
  const texts = keys.map((key) => [key, textOf(fields, key).trim()] as const)
  return Object.fromEntries(texts.filter(([, text]) => text !== '')) as { [K in Key]?: string }
}

const nameOf = ({ firstName, lastName }: VcardData) => `${firstName} ${lastName}`.trim()

/**
 * Returns the first letters of both names, or nothing if one name begins with another character,
 * because a single letter says little.
 */
function initialsOf({ firstName, lastName }: VcardData): string {
  const letters = [firstName, lastName].map((name) => /^\p{Letter}/u.exec(name)?.[0]?.toUpperCase() ?? '')
  // Letters of joining scripts would join here too and change their meaning.
  return letters.every((letter) => /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u.test(letter))
    ? letters.join('')
    : ''
}

/** Returns an address as people write it. */
function shown(href: string): string {
  return href.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')
}
