import type { Static } from 'typebox'
import { Url, strictObject } from '../schema/common.ts'
import { textOf } from '../schema/fields.ts'
import { destinationsIn, required, textsOf, type CodeType } from './code-type.ts'

/** Content of a URL code: a link to a website or web page. */
export const UrlData = strictObject(
  { url: Url('Where a scan is sent: http or https, at most 2,048 characters.') },
  { description: 'Content of type URL.', examples: [{ url: 'https://example.com/spring' }] },
)
export type UrlData = Static<typeof UrlData>

export const url = {
  schema: UrlData,
  answers: 'redirect',
  redirect: (data) => textOf(data, 'url'),
  destinations: destinationsIn('url'),
  leads: textsOf('url'),
  importColumns: [required('url', 'https://example.com/spring')],
} satisfies CodeType
