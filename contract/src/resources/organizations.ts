import { Type, type Static } from 'typebox'
import { pageLanguages } from '../code-types/page-languages.ts'
import { Id, Line, Role, Timestamp, nullable, newObject, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { patterns } from '../schema/patterns.ts'

const organizationExample = {
  id: 'org_01jqzv4x8m3c5t7w9y2b4d6f8h',
  name: 'Example',
  slug: 'example',
  role: 'ADMIN',
}

/** An organization with the caller's role in it. */
export const Organization = strictObject(
  {
    id: Id('org', 'Organization identifier: `:orgId` in paths.'),
    name: Type.String({ description: 'Display name.' }),
    slug: Type.String({ description: 'URL-friendly name.', examples: ['my-organization'] }),
    role: Role,
    twoFactorRequired: Type.Optional(
      Type.Literal(true, {
        type: 'boolean',
        description: 'Present if members need two-factor sign-in to act in it. API keys do not.',
      }),
    ),
    demo: Type.Optional(
      Type.Literal(true, {
        type: 'boolean',
        description: 'Present if its codes and scans are made up: `./everscan start --demo` created it.',
      }),
    ),
  },
  { examples: [organizationExample] },
)
export type Organization = Static<typeof Organization>

/**
 * The organizations of the caller: the one of an API key, or all of a session's account. Not paged.
 */
export const MyOrganizations = strictObject({ organizations: Type.Array(Organization) })
export type MyOrganizations = Static<typeof MyOrganizations>

const publicName = Line(
  limits.nameCharsMax,
  'Name on public pages; null: no name is shown. Initially null.',
  { examples: ['Trattoria da Lucia'] },
)

/** An organization with its settings, as in the response of `GET /organizations/:orgId`. */
export const OrganizationDetails = strictObject(
  {
    ...Organization.properties,
    twoFactorRequired: Type.Boolean({
      description: 'Whether members need two-factor sign-in to act in it. API keys do not. Initially false.',
    }),
    publicName: nullable(publicName),
    logo: nullable(
      Type.String({
        description:
          'Logo on public pages, at most 96 pixels high and 320 wide; null: no logo is shown. Initially null.',
      }),
    ),
    mailsStoppedAt: nullable(
      Timestamp(
        'Since when the operator of the installation lets it send no invitations and no mails of views; null: it sends them.',
      ),
    ),
    createdAt: Timestamp('When it was created.'),
    updatedAt: Timestamp('When it was last changed.'),
  },
  {
    examples: [
      {
        ...organizationExample,
        twoFactorRequired: false,
        publicName: 'Trattoria da Lucia',
        logo: null,
        mailsStoppedAt: null,
        createdAt: '2026-03-01T09:30:00.000Z',
        updatedAt: '2026-03-01T09:30:00.000Z',
      },
    ],
  },
)
export type OrganizationDetails = Static<typeof OrganizationDetails>

/** The body that updates an organization. */
export const UpdateOrganization = strictObject(
  {
    name: Type.Optional(Line(limits.nameCharsMax, 'Display name.')),
    publicName: Type.Optional(nullable(publicName)),
    logo: Type.Optional(
      nullable(
        Type.String({
          description:
            'PNG, JPEG or WebP in base64, at most 1 MiB and 4 megapixels; stored re-encoded and scaled down. null removes it.',
          maxLength: limits.styleLogoCharsMax,
          pattern: patterns.logo,
        }),
      ),
    ),
    twoFactorRequired: Type.Optional(
      Type.Boolean({
        description:
          'Whether members need two-factor sign-in. Members without it get 403 until they turn it on for their account.',
      }),
    ),
  },
  { examples: [{ publicName: 'Trattoria da Lucia' }] },
)
export type UpdateOrganization = Static<typeof UpdateOrganization>

/** The body that creates an organization. The caller becomes its first ADMIN. */
export const CreateOrganization = newObject(
  { name: Line(limits.nameCharsMax, 'Display name.') },
  { examples: [{ name: 'Example' }] },
)
export type CreateOrganization = Static<typeof CreateOrganization>

/** The response to leaving an organization. */
export const LeftOrganization = strictObject({
  id: Type.String({ description: 'Identifier of the organization.' }),
  left: Type.Literal(true, { type: 'boolean' }),
})
export type LeftOrganization = Static<typeof LeftOrganization>

/** The query of the export of an organization. */
export const ExportQuery = strictObject({
  format: Type.Optional(
    oneOf(['archive', 'static'], {
      description:
        '`archive` (default): the data. `static`: files with which any web server answers the codes without this service.',
    }),
  ),
  language: Type.Optional(
    oneOf(pageLanguages, { description: 'Language of the pages of a static site. Default: `en`.' }),
  ),
})
export type ExportQuery = Static<typeof ExportQuery>
