import { Type, type Static } from 'typebox'
import { Text, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { noDestinations, optional, required, verbatim, textsOf, type CodeType } from './code-type.ts'
import { Phone } from './contact-fields.ts'

/** Content of an SMS code: a pre-filled text message. */
export const SmsData = strictObject(
  {
    phone: Phone('Number it goes to.'),
    message: Type.Optional(Text(limits.textCharsMax, 'Text of the message.')),
  },
  { description: 'Content of type SMS.', examples: [{ phone: '+49 30 123456', message: 'Call me back' }] },
)
export type SmsData = Static<typeof SmsData>

export const sms = {
  schema: SmsData,
  answers: 'page',
  destinations: noDestinations,
  leads: textsOf('phone'),
  importColumns: [required('phone', '+49 30 123456'), verbatim(optional('message', 'Please call me back'))],
} satisfies CodeType
