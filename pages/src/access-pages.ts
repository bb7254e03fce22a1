import { html } from './html.ts'
import { icon } from './icons.ts'
import { wordsOf, type Language } from './languages/languages.ts'
import type { PageColors } from './page-colors.ts'
import type { Brand } from './page-content.ts'
import { createPage, type Page } from './page.ts'

/** The part of a code that pages in front of it show. */
export type GuardedCode = { name: string; colors: PageColors; brand: Brand }

/** Why a code is closed, with the status of the page (RFC 9110, 15.5.4 and 15.5.11). */
const closings = {
  SCHEDULED: { status: 403, picture: 'clock' },
  ENDED: { status: 410, picture: 'off' },
  FULL: { status: 410, picture: 'off' },
} as const
export type Closing = keyof typeof closings

/** Renders the page of a code that is closed. A `message` stands in place of our own text. */
export function closedPage(
  { colors, brand }: GuardedCode,
  { closing, message, language }: { closing: Closing; message?: string | undefined; language: Language },
): Page {
  const { status, picture } = closings[closing]
  const { title, text } = wordsOf(language).closed[closing]
  const own = message && html`<p class="lines" dir="auto">${message}</p>`
  const main = html`<div class="badge">${icon(picture)}</div>
    <h1>${title}</h1>
    ${own || html`<p class="muted">${text}</p>`}`
  return createPage({ status, language, title, main, layout: 'middle', colors, brand })
}

/** Why a password is asked for again, with the status of the page. */
const refusals = { wrong: 403, limited: 429, busy: 503, large: 413 } as const
export type Refusal = keyof typeof refusals

/**
 * Renders the form that asks for the password of a code. It needs no script and sends the field
 * `password` to its own address.
 */
export function passwordPage(
  { colors, brand }: GuardedCode,
  {
    refusal,
    retryAfterSeconds,
    language,
  }: { refusal?: Refusal | undefined; retryAfterSeconds?: number | undefined; language: Language },
): Page {
  const words = wordsOf(language).password
  const { title } = words
  const problem = refusal === undefined ? undefined : words[refusal === 'large' ? 'wrong' : refusal]
  const main = html`<div class="badge">${icon('lock')}</div>
    <h1 id="title">${title}</h1>
    <form method="post" aria-labelledby="title">
      <label for="password">${words.label}</label>
      <input
        id="password"
        name="password"
        type="password"
        maxlength="200"
        required
        autofocus
        autocomplete="current-password"
        autocapitalize="none"
        spellcheck="false"
        ${problem && html`aria-invalid="true" aria-describedby="problem"`}
      />
      ${problem && html`<p id="problem" class="problem" role="alert">${problem}</p>`}
      <button class="action" type="submit">${words.action}</button>
    </form>`
  return createPage({
    status: refusal === undefined ? 200 : refusals[refusal],
    language,
    title,
    main,
    layout: 'middle',
    colors,
    brand,
    hasForm: true,
    ...(retryAfterSeconds !== undefined && { headers: { 'Retry-After': String(retryAfterSeconds) } }),
  })
}

/**
 * Renders the page that programs get of a code whose answers are counted: its title, and no
 * destination.
 */
export function titlePage({ name, colors, brand }: GuardedCode, language: Language): Page {
  const main = html`<h1 dir="auto">${name}</h1>`
  const preview = { title: name, siteName: brand.name }
  return createPage({ status: 200, language, title: name, main, layout: 'middle', colors, brand, preview })
}
