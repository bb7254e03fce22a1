import { html } from './html.ts'
import { icon } from './icons.ts'
import { createPage, type Page } from './page.ts'
import type { Words } from './languages/en.ts'
import { wordsOf, type Language } from './languages/languages.ts'

const notices = {
  /** The code was never assigned. */
  unknown: { status: 404, picture: 'question', headers: {} },
  /** The code is archived or deleted. */
  gone: { status: 410, picture: 'off', headers: {} },
  /** The catalogue is unavailable, and the code was not scanned here before. */
  later: { status: 503, picture: 'clock', headers: { 'Retry-After': '2' } },
  /** A phone opened the address of a check. */
  reached: { status: 200, picture: 'check', headers: {} },
  /** The address without a short code. */
  home: { status: 200, picture: 'link', headers: {} },
  method: { status: 405, picture: 'link', headers: { Allow: 'GET, HEAD' } },
  /**
   * The code holds an address that no phone may be sent to. Only data that bypassed the API has
   * one.
   */
  badLink: { status: 200, picture: 'link', headers: {} },
} as const satisfies Partial<Record<Exclude<keyof Words, 'closed' | 'password'>, object>>

export type Notice = keyof typeof notices

/**
 * Renders a page that explains why there is no content. It is the same for every code, so it
 * reveals nothing about any code.
 */
export function noticePage(notice: Notice, language: Language): Page {
  const { status, picture, headers } = notices[notice]
  const { title, text } = wordsOf(language)[notice]
  const main = html`<div class="badge">${icon(picture)}</div>
    <h1>${title}</h1>
    <p class="muted">${text}</p>`
  return createPage({ status, language, title, main, layout: 'middle', headers })
}
