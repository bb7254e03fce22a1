import { Type, type Static } from 'typebox'
import {
  Count,
  Id,
  IdInput,
  Line,
  OptionalLine,
  Timestamp,
  nullable,
  newObject,
  strictObject,
} from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page, pageParameters } from '../schema/pages.ts'

/**
 * A folder of codes. Folders nest one level: a folder with a `parentId` contains no folders. Names
 * are unique within the same parent, ignoring case.
 */
export const Folder = strictObject({
  id: Id('fld'),
  name: Type.String({ description: 'Display name.' }),
  parentId: nullable(Id('fld', 'The parent folder; null at the top level.')),
  qrCodeCount: Count('Codes in the folder, without those in its subfolders.'),
  qrCodesBelow: Count('Codes in its subfolders.'),
  createdAt: Timestamp('When the folder was created.'),
  updatedAt: Timestamp('When the folder was last changed.'),
})
export type Folder = Static<typeof Folder>

const Name = Line(limits.nameCharsMax, 'Display name, unique within the same parent folder, ignoring case.')
const ParentId = Type.Optional(
  nullable(
    IdInput(
      'Parent folder, which must be at the top level; null: the top level. A folder that contains folders stays at the top level.',
    ),
  ),
)

/** The body that creates a folder. */
export const CreateFolder = newObject(
  { name: Name, parentId: ParentId },
  { examples: [{ name: 'Spring campaign' }] },
)
export type CreateFolder = Static<typeof CreateFolder>

/** The body that updates a folder: partial. */
export const UpdateFolder = strictObject(
  { name: Type.Optional(Name), parentId: ParentId },
  { examples: [{ name: 'Spring campaign 2026' }] },
)
export type UpdateFolder = Static<typeof UpdateFolder>

/** The query of the list of folders. */
export const ListFoldersQuery = strictObject({
  ...pageParameters,
  parentId: Type.Optional(IdInput('Only folders in this folder.')),
  search: Type.Optional(
    OptionalLine(
      limits.searchCharsMax,
      'Words of the name, in any order, as parts, ignoring case and accents.',
    ),
  ),
})
export type ListFoldersQuery = Static<typeof ListFoldersQuery>

export const FolderPage = Page(Folder)
export type FolderPage = Static<typeof FolderPage>
