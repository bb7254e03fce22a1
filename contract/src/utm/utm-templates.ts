import { Type, type Static } from 'typebox'
import { Id, Line, Timestamp, nullable, newObject, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page } from '../schema/pages.ts'
import { patterns } from '../schema/patterns.ts'

/** The parameters that a template adds to destinations: `utm_source`, `utm_medium` and so on. */
export const utmFields = ['source', 'medium', 'campaign', 'term', 'content'] as const
export type UtmField = (typeof utmFields)[number]

const placeholders =
  'May contain {name}, {shortCode} and {folder}. Of the name of the code and of its folder, letters become lower case, letters and digits stay, and everything between them becomes one "-". The short code stays as it is.'

const Value = (field: UtmField) =>
  nullable(
    Type.String({
      description: `The value of utm_${field}; null for none. ${placeholders}`,
      minLength: 1,
      maxLength: limits.utmValueCharsMax,
      pattern: patterns.utmValue,
      examples: ['spring-{folder}'],
    }),
  )

const values = {
  source: Value('source'),
  medium: Value('medium'),
  campaign: Value('campaign'),
  term: Value('term'),
  content: Value('content'),
}
const optionalValues = {
  source: Type.Optional(values.source),
  medium: Type.Optional(values.medium),
  campaign: Type.Optional(values.campaign),
  term: Type.Optional(values.term),
  content: Type.Optional(values.content),
}
const example = { source: 'flyer', medium: 'print', campaign: 'spring-{folder}', content: '{name}' }

/**
 * UTM parameters that an organization saved under a name
 * (`/organizations/:orgId/utm-templates`).
 */
export const UtmTemplate = strictObject({
  id: Id('utm'),
  name: Type.String({ description: 'Display name.' }),
  ...values,
  createdAt: Timestamp('When the template was created.'),
  updatedAt: Timestamp('When the template was last changed.'),
})
export type UtmTemplate = Static<typeof UtmTemplate>

/** The values of a template, without its name. */
export type UtmValues = Pick<UtmTemplate, UtmField>

const Name = Line(limits.nameCharsMax, 'Display name.')

/** The body that saves a template. At least one value is required. */
export const CreateUtmTemplate = newObject(
  { name: Name, ...optionalValues },
  { examples: [{ name: 'Flyer', ...example }] },
)
export type CreateUtmTemplate = Static<typeof CreateUtmTemplate>

/** The body that updates a template: partial, null removes a value. */
export const UpdateUtmTemplate = strictObject(
  { name: Type.Optional(Name), ...optionalValues },
  { examples: [{ campaign: 'summer', term: null }] },
)
export type UpdateUtmTemplate = Static<typeof UpdateUtmTemplate>

export const UtmTemplatePage = Page(UtmTemplate)
export type UtmTemplatePage = Static<typeof UtmTemplatePage>
