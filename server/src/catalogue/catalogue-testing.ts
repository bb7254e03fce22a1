import type { Database } from '../db/database.ts'
import { createOrganization, type OrganizationRow } from './organizations.ts'
import type { NewQrCode } from './qr-codes.ts'

/** The picture's version and mask, where a test doesn't care. */
export const somePicture = { version: 2, mask: 3 } as const

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
    ...fields,
  }
}
