import type { Database } from '../../db/database.ts'
import type { AccountSource } from '../accounts/account-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { createOrganization, type OrganizationRow } from '../organizations/organizations.ts'
import type { NewQrCode } from '../codes/qr-codes.ts'

/** Version and mask of a picture for tests that do not depend on them. */
export const somePicture = { version: 2, mask: 3 } as const

/** The origin of changes in tests. */
export const someOrigin: ChangeOrigin = {
  actor: { kind: 'api-key', id: 'key_00000000000000000000000001', name: 'Print shop' },
  via: 'api',
  country: 'XX',
  userAgent: 'curl/8',
  requestId: 'req_1',
}

/** The source of requests of an account's owner in tests. */
export const someSource: AccountSource = { network: '203.0.113.0/24', userAgent: 'Firefox' }

/** Creates an organization for a test. */
export function someOrganization(db: Database, name = 'Acme'): Promise<OrganizationRow> {
  return createOrganization(db, { name })
}

/** Returns a code for a test, with the fields that matter to it. */
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
