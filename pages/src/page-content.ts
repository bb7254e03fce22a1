import type { Html } from './html.ts'
import type { System } from '@everscan/contract/code-types/code-type.ts'
import type { PageType } from '@everscan/contract/code-types/code-types.ts'
import type { Fields } from '@everscan/contract/schema/fields.ts'
import type { PageColors } from './page-colors.ts'
import type { Reader } from './visitor-language.ts'

/** An organization as visitors see it. Without name and logo it shows nothing. */
export type Brand = {
  name?: string | undefined
  /** PNG or WebP that this service encoded, at most as large as `pageLogoLimits`. */
  logo?: { dataUri: string; widthPx: number; heightPx: number } | undefined
}

/**
 * Data that a page is rendered from. It is kept in memory, so it holds only what the page needs.
 */
export type PageCode = {
  type: PageType
  name: string
  data: Fields
  colors: PageColors
  brand: Brand
  /** Path of the contact file. */
  contactPath: string
}

/** Person who opens a page. The system decides which links it understands. */
export type Visitor = Reader & { system: System }

/** Part of a page that differs between types. */
export type PageContent = {
  /** Title of the window. Any text. */
  title: string
  main: Html
  /**
   * `long`: content to scroll through begins at the top. `middle`: content is centered on the
   * screen.
   */
  layout: 'middle' | 'long'
  /** Runs if scripts are allowed. Nothing depends on it. */
  script?: string
  /** Styles for a still page that show the result of the script. */
  scriptedStyle?: string
  /** Style sheet of this kind of page, besides the common one. */
  style?: string
  /** Whether the content shows pictures, which are data URIs. */
  hasPicture?: true
  /** Whether the content shows a logo in place of that of the organization. */
  hasLogo?: true
}

/**
 * A page to look at in a frame of the dashboard, in one color scheme, without scripts and with
 * links that lead nowhere.
 */
export type Still = { scheme: 'light' | 'dark' }

/** Content that is rendered in steps, so that other work can run between them. */
export type ContentSteps = Generator<undefined, PageContent, undefined>
