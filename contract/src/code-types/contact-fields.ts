import { Type } from 'typebox'
import { OptionalLine, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { patterns } from '../schema/patterns.ts'

/** One line of text, possibly empty. White space around it is removed first. */
export const Label = (description: string) =>
  OptionalLine(limits.nameCharsMax, description, { 'x-trim': true })
export const Email = (description: string) =>
  Type.String({
    description,
    minLength: 1,
    maxLength: limits.emailCharsMax,
    pattern: patterns.email,
    'x-trim': true,
  })
export const Phone = (description: string) =>
  Type.String({
    description,
    minLength: 1,
    maxLength: limits.phoneCharsMax,
    pattern: patterns.phone,
    'x-trim': true,
  })
/** The parts of a postal address. */
export const Address = strictObject({
  street: Type.Optional(Label('Street and number.')),
  city: Type.Optional(Label('City.')),
  state: Type.Optional(Label('State or region.')),
  zip: Type.Optional(Label('Postal code.')),
  country: Type.Optional(Label('Country.')),
})
