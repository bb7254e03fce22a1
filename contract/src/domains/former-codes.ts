import { Type, type Static } from 'typebox'
import { QrCodeType } from '../code-types/code-types.ts'
import { Timestamp, nullable, strictObject } from '../schema/common.ts'
import { Page } from '../schema/pages.ts'

/** An active code of an organization that had the host name before. */
export const FormerCode = strictObject({
  shortUrl: Type.String({ description: 'What is printed.', examples: ['https://go.example.com/MENU'] }),
  type: QrCodeType,
  destinations: Type.Array(Type.String(), {
    description: 'The addresses that it leads to, those of its rules included, each once.',
  }),
  endsAt: nullable(Timestamp('When it ends, by the notice that was given. Null: none was.')),
  createdAt: Timestamp('When it was created.'),
})
export type FormerCode = Static<typeof FormerCode>

export const FormerCodePage = Page(FormerCode)
export type FormerCodePage = Static<typeof FormerCodePage>
