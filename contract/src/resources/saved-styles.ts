import { Type, type Static } from 'typebox'
import { Id, Line, Timestamp, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page } from '../schema/pages.ts'
import { Style } from './styles.ts'

const IsDefault = Type.Boolean({
  description: 'Whether codes have it that are made without a styleId; at most one style is that.',
})

/** A style that an organization keeps under a name (`/organizations/:orgId/styles`). */
export const SavedStyle = strictObject({
  id: Id('sty'),
  name: Type.String({ description: 'Display name.' }),
  style: Style,
  isDefault: IsDefault,
  createdAt: Timestamp('When it was made.'),
  updatedAt: Timestamp('When it was last changed.'),
})
export type SavedStyle = Static<typeof SavedStyle>

const Name = Line(limits.nameCharsMax, 'Display name.')

/** The body that keeps a style. */
export const CreateSavedStyle = strictObject(
  { name: Name, style: Style, isDefault: Type.Optional(IsDefault) },
  { examples: [{ name: 'House style', style: { foregroundColor: '#1A2B3C' }, isDefault: true }] },
)
export type CreateSavedStyle = Static<typeof CreateSavedStyle>

/** The body that changes one; `style` replaces whole. Codes keep the style they were given. */
export const UpdateSavedStyle = strictObject(
  { name: Type.Optional(Name), style: Type.Optional(Style), isDefault: Type.Optional(IsDefault) },
  { examples: [{ style: { foregroundColor: '#0B3D91' } }] },
)
export type UpdateSavedStyle = Static<typeof UpdateSavedStyle>

export const SavedStylePage = Page(SavedStyle)
export type SavedStylePage = Static<typeof SavedStylePage>
