import { Type, type Static } from 'typebox'
import { OptionalLine, Text, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { noDestinations, optional, required, verbatim, textsOf, type CodeType } from './code-type.ts'
import { Email } from './contact-fields.ts'

/** Content of an EMAIL code: a pre-filled e-mail. */
export const EmailData = strictObject(
  {
    email: Email('Who it goes to.'),
    subject: Type.Optional(OptionalLine(limits.nameCharsMax, 'Subject line.')),
    body: Type.Optional(Text(limits.textCharsMax, 'Text of the message.')),
  },
  {
    description: 'Content of type EMAIL.',
    examples: [{ email: 'hello@example.com', subject: 'A question' }],
  },
)
export type EmailData = Static<typeof EmailData>

export const email = {
  schema: EmailData,
  answers: 'page',
  destinations: noDestinations,
  leads: textsOf('email'),
  importColumns: [
    required('email', 'hello@example.com'),
    optional('subject', 'A question'),
    verbatim(optional('body', 'Good morning')),
  ],
} satisfies CodeType
