import { Type, type Static } from 'typebox'
import {
  Count,
  Id,
  IdInput,
  Line,
  OptionalLine,
  Timestamp,
  nullable,
  strictObject,
} from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page, pageParameters } from '../schema/pages.ts'

/**
 * A folder of codes. Folders nest one level: those with a `parentId` have no folders in them. Names are unique beside each
 * other, whatever their letter case.
 */
export const Folder = strictObject({
  id: Id('fld'),
  name: Type.String({ description: 'Display name.' }),
  parentId: nullable(Id('fld', 'The folder that it is in; null at the top.')),
  qrCodeCount: Count('Codes in it, without those of the folders in it.'),
  createdAt: Timestamp('When it was made.'),
  updatedAt: Timestamp('When it was last changed.'),
})
export type Folder = Static<typeof Folder>

const Name = Line(
  limits.nameCharsMax,
  'Display name; no other folder beside it has the same, in any letter case.',
)
const ParentId = Type.Optional(
  nullable(
    IdInput(
      'A folder at the top, to put it in; null: at the top. A folder with folders in it stays at the top.',
    ),
  ),
)

/** The body that makes a folder. */
export const CreateFolder = strictObject(
  { name: Name, parentId: ParentId },
  { examples: [{ name: 'Spring campaign' }] },
)
export type CreateFolder = Static<typeof CreateFolder>

/** The body that changes a folder: partial. */
export const UpdateFolder = strictObject(
  { name: Type.Optional(Name), parentId: ParentId },
  { examples: [{ name: 'Spring campaign 2026' }] },
)
export type UpdateFolder = Static<typeof UpdateFolder>

/** The query of the list of folders. */
export const ListFoldersQuery = strictObject({
  ...pageParameters,
  parentId: Type.Optional(IdInput('Folders in this one only.')),
  search: Type.Optional(OptionalLine(limits.searchCharsMax, 'Any part of the name, in any letter case.')),
})
export type ListFoldersQuery = Static<typeof ListFoldersQuery>

export const FolderPage = Page(Folder)
export type FolderPage = Static<typeof FolderPage>
