import type { Html } from './html.ts'
import type { Fields } from './fields.ts'
import type { PageColors } from './page-colors.ts'
import type { Reader } from './visitor-language.ts'

/** An organization as visitors see it; both absent: it shows nothing. */
export type Brand = {
  name?: string | undefined
  /** PNG or WebP of our own making, at most `pageLogoLimits` large. */
  logo?: { dataUri: string; widthPx: number; heightPx: number } | undefined
}

/** What a page is made of: as little of a code as it needs, as it is kept in memory. */
export type PageCode = {
  type: string
  name: string
  data: Fields
  colors: PageColors
  brand: Brand
  /** Path of the contact file. */
  contactPath: string
}

/** What makes a link that a system understands. */
export type System = 'ios' | 'android' | 'other'

/** For whom a page is made. */
export type Visitor = Reader & { system: System }

/** The part of a page that differs from type to type. */
export type PageContent = {
  /** Of the window; any text. */
  title: string
  main: Html
  /** Content to scroll through begins at the top; everything else stands in the middle of the screen. */
  layout: 'middle' | 'long'
  /** Runs when scripts may; nothing depends on it. */
  script?: string
}

/** Content that is made in steps, between which others may have their turn. */
export type ContentSteps = Generator<undefined, PageContent, undefined>
