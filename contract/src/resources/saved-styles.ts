import { Type, type Static } from 'typebox'
import { Id, Line, Timestamp, newObject, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page } from '../schema/pages.ts'
import { Style } from './styles.ts'

const IsDefault = Type.Boolean({
  description: 'Whether codes created without a styleId get this style. At most one style is the default.',
})

/** A style that an organization saved under a name (`/organizations/:orgId/styles`). */
export const SavedStyle = strictObject({
  id: Id('sty'),
  name: Type.String({ description: 'Display name.' }),
  style: Style,
  isDefault: IsDefault,
  createdAt: Timestamp('When the style was created.'),
  updatedAt: Timestamp('When the style was last changed.'),
})
export type SavedStyle = Static<typeof SavedStyle>

const Name = Line(limits.nameCharsMax, 'Display name.')

/** The body that saves a style. */
export const CreateSavedStyle = newObject(
  { name: Name, style: Style, isDefault: Type.Optional(IsDefault) },
  { examples: [{ name: 'House style', style: { foregroundColor: '#1A2B3C' }, isDefault: true }] },
)
export type CreateSavedStyle = Static<typeof CreateSavedStyle>

/**
 * The body that updates a saved style; `style` is replaced as a whole. Existing codes keep their
 * style.
 */
export const UpdateSavedStyle = strictObject(
  { name: Type.Optional(Name), style: Type.Optional(Style), isDefault: Type.Optional(IsDefault) },
  { examples: [{ style: { foregroundColor: '#0B3D91' } }] },
)
export type UpdateSavedStyle = Static<typeof UpdateSavedStyle>

export const SavedStylePage = Page(SavedStyle)
export type SavedStylePage = Static<typeof SavedStylePage>
