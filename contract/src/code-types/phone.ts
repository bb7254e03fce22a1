import type { Static } from 'typebox'
import { strictObject } from '../schema/common.ts'
import { noDestinations, required, textsOf, type CodeType } from './code-type.ts'
import { Phone } from './contact-fields.ts'

/** Content of a PHONE code: a direct call. */
export const PhoneData = strictObject(
  { phone: Phone('Number to call.') },
  { description: 'Content of type PHONE.', examples: [{ phone: '+49 30 123456' }] },
)
export type PhoneData = Static<typeof PhoneData>

export const phone = {
  schema: PhoneData,
  answers: 'page',
  destinations: noDestinations,
  leads: textsOf('phone'),
  importColumns: [required('phone', '+49 30 123456')],
} satisfies CodeType
