import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachDatabase } from '../db/testing.ts'
import { createFolder } from './folders.ts'
import { createOrganization } from './organizations.ts'
import { createUser } from './users.ts'
import { someOrigin } from './catalogue-testing.ts'

forEachDatabase('an organization', (open) => {
  test('has a slug of its name that no other has, also of many at once', async () => {
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

  test('has accounts with one address each, in any letter case', async () => {
    const db = await open()
    assert.equal((await createUser(db, { email: ' Ann@Example.com', name: 'Ann' }))?.email, 'ann@example.com')
    assert.equal(await createUser(db, { email: 'ANN@example.com', name: 'Ann' }), undefined)
  })
})
