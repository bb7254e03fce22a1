import { Type, type Static } from 'typebox'
import { Line, Text, Url, strictObject } from '../schema/common.ts'
import { textOf } from '../schema/fields.ts'
import { limits } from '../schema/limits.ts'
import { destinationsIn, optional, required, textsOf, type CodeType } from './code-type.ts'
import { Address, Email, Label, Phone } from './contact-fields.ts'

/** Content of a VCARD code: contact information. */
export const VcardData = strictObject(
  {
    firstName: Line(limits.nameCharsMax, 'Given name.'),
    lastName: Line(limits.nameCharsMax, 'Family name.'),
    email: Type.Optional(Email('E-mail address.')),
    phone: Type.Optional(Phone('Phone number.')),
    company: Type.Optional(Label('Company or organization.')),
    title: Type.Optional(Label('Job title.')),
    website: Type.Optional(Url('Web page: http or https.')),
    address: Type.Optional(Address),
    note: Type.Optional(Text(limits.textCharsMax, 'Anything else; line breaks are kept.')),
  },
  {
    description: 'Content of type VCARD.',
    examples: [
      { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0000' },
    ],
  },
)
export type VcardData = Static<typeof VcardData>

export const vcard = {
  schema: VcardData,
  answers: 'page',
  destinations: destinationsIn('website'),
  leads: (data) => [
    `${textOf(data, 'firstName')} ${textOf(data, 'lastName')}`.trim(),
    ...textsOf('company', 'email', 'phone', 'website')(data),
  ],
  importColumns: [
    required('firstName', 'Ada'),
    required('lastName', 'Lovelace'),
    optional('email', 'ada@example.com'),
    optional('phone', '+44 20 7946 0000'),
    optional('company', 'Analytical Engines Ltd'),
    optional('title', 'Mathematician'),
    optional('website', 'https://example.com'),
    optional('address.street', '12 St James Square'),
    optional('address.city', 'London'),
    optional('address.state', ''),
    optional('address.zip', 'SW1Y 4JH'),
    optional('address.country', 'United Kingdom'),
    optional('note', 'Writes letters.'),
  ],
} satisfies CodeType
