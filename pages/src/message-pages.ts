import { mailtoHref, smsHref, telHref } from '@everscan/qr/content/hrefs.ts'
import { textOf } from '@everscan/contract/schema/fields.ts'
import { html, type Html } from './html.ts'
import { icon } from './icons.ts'
import type { PageCode, PageContent, Visitor } from './page-content.ts'
import { wordsOf } from './languages/languages.ts'

/** Renders a link that opens the visitor's mail program with everything filled in. */
export function emailPage({ data }: PageCode, { language }: Visitor): PageContent {
  const words = wordsOf(language).mail
  const [email, subject, body] = ['email', 'subject', 'body'].map((key) => textOf(data, key)) as [
    string,
    string,
    string,
  ]
  const details = [
    [words.subject, subject],
    [words.message, body],
  ] as const
  const href = mailtoHref({ email, subject, body })
  return { title: email, main: opener('mail', { ...words, address: email, href, details }), layout: 'middle' }
}

/** Renders a link that opens the visitor's messages with everything filled in. */
export function smsPage({ data }: PageCode, { language, system }: Visitor): PageContent {
  const words = wordsOf(language).sms
  const [phone, message] = [textOf(data, 'phone'), textOf(data, 'message')]
  const href = smsHref({ phone, message }, system === 'ios' ? 'ios' : 'other')
  const details = [[words.message, message]] as const
  return {
    title: phone,
    main: opener('message', { ...words, address: phone, href, details }),
    layout: 'middle',
  }
}

/** Renders a link that calls the number. */
export function phonePage({ data }: PageCode, { language }: Visitor): PageContent {
  const words = wordsOf(language).phone
  const phone = textOf(data, 'phone')
  const main = opener('phone', { ...words, address: phone, href: telHref(phone), details: [] })
  return { title: phone, main, layout: 'middle' }
}

type Opener = {
  title: string
  address: string
  action: string
  href: string
  /** Labels and texts of the filled-in fields. Empty texts are left out. */
  details: readonly (readonly [label: string, text: string])[]
}

function opener(
  picture: 'mail' | 'message' | 'phone',
  { title, address, action, href, details }: Opener,
): Html {
  const filled = details.filter(([, text]) => text !== '')
  return html`<div class="badge">${icon(picture)}</div>
    <p class="over">${title}</p>
    <h1 class="address"><bdi dir="ltr">${address}</bdi></h1>
    <a class="action" href="${href}">${icon(picture)}${action}</a>
    ${
      filled.length > 0 &&
      html`<dl>
        ${filled.map(
          ([label, text]) =>
            html`<dt>${label}</dt>
              <dd class="lines" dir="auto">${text}</dd>`,
        )}
      </dl>`
    }`
}
