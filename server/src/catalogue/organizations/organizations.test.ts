import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyPageOf, openChangeFeed } from '../../db/feeds/changes.ts'
import { openScanLookup } from '../../db/scans/scan-lookup.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { createFolder } from '../codes/folders.ts'
import { listAuditLog } from '../ledger/audit-log.ts'
import { createOrganization, updateOrganization } from './organizations.ts'
import { createQrCode } from '../codes/qr-codes.ts'
import { createUser } from '../accounts/users.ts'
import { someOrigin, someQrCode } from '../testing/catalogue.ts'

forEachDatabase('an organization', (open) => {
  test('has a unique slug from its name, also when many are created at once', async () => {
    const db = await open()
    const slug = async (name: string) => (await createOrganization(db, { name })).slug
    assert.equal(await slug('Café Zürich GmbH & Co. KG'), 'cafe-zurich-gmbh-co-kg')
    assert.equal(await slug('客人'), 'organization')
    assert.match(await slug('  !  '), /^organization-[0-9a-z]{4}$/)
    const slugs = await Promise.all(Array.from({ length: 20 }, () => slug('Acme')))
    assert.equal(new Set(slugs).size, 20)
  })

  test('has folders whose names differ in more than letter case', async () => {
    const db = await open()
    const { id } = await createOrganization(db, { name: 'Acme' })
    const other = await createOrganization(db, { name: 'Other' })
    const spring = await createFolder(db, id, { origin: someOrigin, name: 'Spring' })
    assert.equal(spring?.name, 'Spring')
    assert.equal(await createFolder(db, id, { origin: someOrigin, name: 'SPRING' }), undefined)
    assert.ok(await createFolder(db, other.id, { origin: someOrigin, name: 'Spring' }))
    const parentId = spring.id
    assert.equal(
      (await createFolder(db, id, { origin: someOrigin, name: 'Spring', parentId }))?.parentId,
      parentId,
    )
  })

  test('shows its name and logo on its pages, and every front learns of a change', async () => {
    const db = await open()
    const { id } = await createOrganization(db, { name: 'Acme' })
    const other = await createOrganization(db, { name: 'Other' })
    const code = await createQrCode(db, id, someQrCode({ type: 'TEXT', data: { text: 'A' } }))
    await createQrCode(db, other.id, someQrCode())
    const front = await open({ same: db, role: 'reader' })
    const [scans, changes] = [openScanLookup(front), openChangeFeed(front)]
    const changed = async () => (changes.poll ?? changes.catchUp)()
    await changed()
    const brand = async () => (await scans.lookup(code.shortCode))?.brand
    assert.deepEqual(await brand(), {})
    const logo = { dataUri: 'data:image/webp;base64,AAAA', widthPx: 2, heightPx: 1 }
    const update = (fields: object) => updateOrganization(db, id, { ...fields, origin: someOrigin, nowMs: 5 })

    assert.equal((await update({ publicName: 'Chez Acme', logo }))?.updatedAtMs, 5)
    assert.deepEqual(await changed(), [everyPageOf(id)])
    assert.deepEqual(await brand(), { name: 'Chez Acme', logo })
    await update({ publicName: 'Chez Acme', logo, name: 'Acme Ltd' })
    assert.deepEqual(await changed(), [], 'no page shows the internal name')
    await update({ publicName: null })
    assert.deepEqual(await changed(), [everyPageOf(id)])
    assert.deepEqual(await brand(), { logo })
    await update({ logo: null })
    assert.deepEqual(await brand(), {})
    assert.equal(
      await updateOrganization(db, 'org_x', { name: 'A', origin: someOrigin, nowMs: 1 }),
      undefined,
    )
    const { rows } = await listAuditLog(db, id, { page: 1, limit: 10, action: 'organization.update' })
    assert.deepEqual(rows.map(({ fields }) => fields.join()).sort(), [
      'logo',
      'name',
      'publicName',
      'publicName,logo',
    ])
    await changes.close()
    await scans.close()
  })

  test('allows one account per address, in any letter case', async () => {
    const db = await open()
    assert.equal((await createUser(db, { email: ' Ann@Example.com', name: 'Ann' }))?.email, 'ann@example.com')
    assert.equal(await createUser(db, { email: 'ANN@example.com', name: 'Ann' }), undefined)
  })
})
