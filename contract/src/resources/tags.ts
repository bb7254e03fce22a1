import { Type, type Static } from 'typebox'
import { Count, OptionalLine, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page, pageParameters } from '../schema/pages.ts'

/** A tag of at least one code. */
export const TagUse = strictObject({
  tag: Type.String({ description: 'The tag.' }),
  qrCodeCount: Count('Codes that have the tag.'),
})
export type TagUse = Static<typeof TagUse>

/** The query of the list of tags, most used first, then by name. */
export const ListTagsQuery = strictObject({
  ...pageParameters,
  search: Type.Optional(OptionalLine(limits.searchCharsMax, 'Any part of the tag, ignoring case.')),
})
export type ListTagsQuery = Static<typeof ListTagsQuery>

export const TagPage = Page(TagUse)
export type TagPage = Static<typeof TagPage>

/**
 * Returns tags as they are stored: composed (NFC), trimmed, without empty and repeated ones, in the
 * given order.
 */
export function normalizeTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim().normalize('NFC')))].filter((tag) => tag !== '')
}
