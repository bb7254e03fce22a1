import type { Database } from '../../db/database.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { createOrganization, type OrganizationRow } from '../organizations/organizations.ts'
import type { NewQrCode } from '../codes/qr-codes.ts'

/** The picture's version and mask, where a test doesn't care. */
export const somePicture = { version: 2, mask: 3 } as const

/** Who changes things in tests. */
export const someOrigin: ChangeOrigin = {
  actor: { kind: 'api-key', id: 'key_00000000000000000000000001', name: 'Print shop' },
  via: 'api',
  country: 'XX',
  userAgent: 'curl/8',
  requestId: 'req_1',
}

/** An organization for a test. */
export function someOrganization(db: Database, name = 'Acme'): Promise<OrganizationRow> {
  return createOrganization(db, { name })
}

/** A code for a test, with what the test cares about. */
export function someQrCode(fields: Partial<NewQrCode> = {}): NewQrCode {
  return {
    type: 'URL',
    name: 'Poster',
    data: { url: 'https://example.com/' },
    picture: somePicture,
    origin: someOrigin,
    ...fields,
  }
}
