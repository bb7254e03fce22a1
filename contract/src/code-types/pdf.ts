import type { Static } from 'typebox'
import { Url, strictObject } from '../schema/common.ts'
import { textOf } from '../schema/fields.ts'
import { destinationsIn, required, textsOf, type CodeType } from './code-type.ts'

/** Content of a PDF code: a link to a PDF document. */
export const PdfData = strictObject(
  { url: Url('Address of the document: http or https.') },
  { description: 'Content of type PDF.', examples: [{ url: 'https://example.com/manual.pdf' }] },
)
export type PdfData = Static<typeof PdfData>

export const pdf = {
  schema: PdfData,
  answers: 'redirect',
  redirect: (data) => textOf(data, 'url'),
  destinations: destinationsIn('url'),
  leads: textsOf('url'),
  importColumns: [required('url', 'https://example.com/manual.pdf')],
} satisfies CodeType
