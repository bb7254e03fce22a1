import type { PageType } from '@everscan/contract/code-types/code-types.ts'
import { appPage } from './app-page.ts'
import { menuPage, menuVariant } from './menu-page.ts'
import { emailPage, phonePage, smsPage } from './message-pages.ts'
import { createPage, type Page } from './page.ts'
import type { ContentSteps, PageCode, PageContent, Still, Visitor } from './page-content.ts'
import { socialPage } from './social-page.ts'
import { textPage } from './text-page.ts'
import { vcardPage } from './vcard-page.ts'
import { wifiPage } from './wifi-page.ts'

type LandingPage = {
  content: (code: PageCode, visitor: Visitor) => PageContent | ContentSteps
  /** Property of the visitor, besides the language, that the page depends on. */
  by?: 'system' | 'locale'
  /** Returns what else of a visitor the page of some content depends on. */
  variant?: (data: PageCode['data'], visitor: Visitor) => string
}

/** Pages by type. A type that may show a page but is missing here does not compile. */
const landingPages: { readonly [T in PageType]: LandingPage } = {
  VCARD: { content: vcardPage, by: 'system' },
  WIFI: { content: wifiPage },
  EMAIL: { content: emailPage },
  SMS: { content: smsPage, by: 'system' },
  PHONE: { content: phonePage },
  TEXT: { content: textPage },
  MENU: { content: menuPage, by: 'locale', variant: menuVariant },
  APP: { content: appPage },
  SOCIAL: { content: socialPage },
}

/** Renders the page that a code shows to a visitor. A pure function of both. */
export function landingPage(code: PageCode, visitor: Visitor, still?: Still): Page {
  const steps = landingPageSteps(code, visitor, still)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Renders the same page in steps of a millisecond or two each, however much is on it. */
export function* landingPageSteps(
  code: PageCode,
  visitor: Visitor,
  still?: Still,
): Generator<undefined, Page, undefined> {
  const { language } = visitor
  const content = landingPages[code.type].content(code, visitor)
  const { colors, brand } = code
  const finished = 'next' in content ? yield* content : content
  return createPage({ ...finished, status: 200, language, colors, brand, still })
}

/**
 * Returns a key for a visitor's page among the pages of one code. Two visitors with the same key
 * get the same bytes.
 */
export function pageVariant({ type, data }: Pick<PageCode, 'type' | 'data'>, visitor: Visitor): string {
  const { by, variant } = landingPages[type]
  const key = by === undefined ? visitor.language : `${visitor.language} ${visitor[by]}`
  return variant === undefined ? key : `${key} ${variant(data, visitor)}`
}
