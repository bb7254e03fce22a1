import type { Html } from './html.ts'
import type { System } from '@everscan/contract/code-types/code-type.ts'
import type { PageType } from '@everscan/contract/code-types/code-types.ts'
import type { Fields } from '@everscan/contract/schema/fields.ts'
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
  type: PageType
  name: string
  data: Fields
  colors: PageColors
  brand: Brand
  /** Path of the contact file. */
  contactPath: string
}

/** For whom a page is made. The system decides which links it understands. */
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
  /** Styles that show what the script would do, for a still page. */
  scriptedStyle?: string
}

/** A page to be looked at, in a frame of the dashboard: by day or by night, without scripts, and no link leads anywhere. */
export type Still = { scheme: 'light' | 'dark' }

/** Content that is made in steps, between which others may have their turn. */
export type ContentSteps = Generator<undefined, PageContent, undefined>
