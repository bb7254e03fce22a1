import { Type, type Static } from 'typebox'
import { Count, Id, Line, OptionalLine, Timestamp, strictObject } from './common.ts'
import { limits } from './limits.ts'
import { Page, pageParameters } from './pages.ts'

/** A folder of codes. Names are unique in an organization, whatever their letter case, so that a CSV can name one. */
export const Folder = strictObject({
  id: Id('fld'),
  name: Type.String({ description: 'Display name.' }),
  qrCodeCount: Count('Codes in it.'),
  createdAt: Timestamp('When it was made.'),
  updatedAt: Timestamp('When it was last changed.'),
})
export type Folder = Static<typeof Folder>

const Name = Line(limits.nameCharsMax, 'Display name, unique in the organization.')

/** The body that makes a folder. */
export const CreateFolder = strictObject({ name: Name }, { examples: [{ name: 'Spring campaign' }] })
export type CreateFolder = Static<typeof CreateFolder>

/** The body that changes a folder. */
export const UpdateFolder = strictObject({ name: Type.Optional(Name) })
export type UpdateFolder = Static<typeof UpdateFolder>

/** The query of the list of folders. */
export const ListFoldersQuery = strictObject({
  ...pageParameters,
  search: Type.Optional(OptionalLine(limits.searchCharsMax, 'Any part of the name, in any letter case.')),
})
export type ListFoldersQuery = Static<typeof ListFoldersQuery>

export const FolderPage = Page(Folder)
export type FolderPage = Static<typeof FolderPage>
