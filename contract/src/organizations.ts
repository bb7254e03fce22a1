import { Type, type Static } from 'typebox'
import { Id, Line, Role, Timestamp, strictObject } from './common.ts'
import { limits } from './limits.ts'

/** An organization as its caller sees it. */
export const Organization = strictObject(
  {
    id: Id('org', 'Organization identifier, `:orgId` in paths.'),
    name: Type.String({ description: 'Display name.' }),
    slug: Type.String({ description: 'URL-friendly name.', examples: ['my-organization'] }),
    role: Role,
  },
  { examples: [{ id: 'org_01jqzv4x8m3c5t7w9y2b4d6f8h', name: 'Example', slug: 'example', role: 'ADMIN' }] },
)
export type Organization = Static<typeof Organization>

/** The organizations of the caller; a key has exactly one, a session those of its account. Not paged. */
export const MyOrganizations = strictObject({ organizations: Type.Array(Organization) })
export type MyOrganizations = Static<typeof MyOrganizations>

/** An organization with its settings, as `GET /organizations/:orgId` gives it. */
export const OrganizationDetails = strictObject({
  ...Organization.properties,
  createdAt: Timestamp('When it was created.'),
  updatedAt: Timestamp('When it was last changed.'),
})
export type OrganizationDetails = Static<typeof OrganizationDetails>

/** The body that changes an organization. */
export const UpdateOrganization = strictObject({
  name: Type.Optional(Line(limits.nameCharsMax, 'Display name.')),
})
export type UpdateOrganization = Static<typeof UpdateOrganization>

/** The body that makes an organization; who makes it is its first ADMIN. */
export const CreateOrganization = strictObject(
  { name: Line(limits.nameCharsMax, 'Display name.') },
  { examples: [{ name: 'Example' }] },
)
export type CreateOrganization = Static<typeof CreateOrganization>

/** The answer to who left an organization. */
export const LeftOrganization = strictObject({
  id: Type.String({ description: 'Identifier of the organization.' }),
  left: Type.Literal(true, { type: 'boolean' }),
})
export type LeftOrganization = Static<typeof LeftOrganization>
