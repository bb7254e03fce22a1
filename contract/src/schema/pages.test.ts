import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roleAllows } from './common.ts'
import { commonImportColumns, importColumns } from '../code-types/import-columns.ts'
import { paginationOf } from './pages.ts'

test('pagination describes the place of a page in its list', () => {
  const common = { limit: 20, total: 137, totalPages: 7 }
  assert.deepEqual(paginationOf(137, { page: 1, limit: 20 }), {
    page: 1,
    ...common,
    hasNext: true,
    hasPrev: false,
  })
  assert.deepEqual(paginationOf(137, { page: 7, limit: 20 }), {
    page: 7,
    ...common,
    hasNext: false,
    hasPrev: true,
  })
  assert.deepEqual(paginationOf(137, { page: 9, limit: 20 }), {
    page: 9,
    ...common,
    hasNext: false,
    hasPrev: true,
  })
  const empty = { page: 1, limit: 20, total: 0, totalPages: 0, hasNext: false, hasPrev: false }
  assert.deepEqual(paginationOf(0, { page: 1, limit: 20 }), empty)
})

test('a role allows what lower roles allow', () => {
  assert.ok(roleAllows('ADMIN', 'VIEWER'))
  assert.ok(roleAllows('EDITOR', 'EDITOR'))
  assert.ok(!roleAllows('VIEWER', 'EDITOR'))
  assert.ok(!roleAllows('EDITOR', 'ADMIN'))
})

test('the columns of an import file begin with the name and end with those of every type', () => {
  const common = ['folder', 'tags', 'shortCode', 'domain', 'createdAt', 'status']
  assert.deepEqual([...commonImportColumns], ['name', ...common])
  const names = importColumns('VCARD').map(({ name }) => name)
  assert.deepEqual(names, [
    'name',
    'firstName',
    'lastName',
    'email',
    'phone',
    'company',
    'title',
    'website',
    'address.street',
    'address.city',
    'address.state',
    'address.zip',
    'address.country',
    'note',
    ...common,
  ])
  assert.deepEqual(
    importColumns('URL').map(({ name, required }) => `${name}${required ? '*' : ''}`),
    ['name*', 'url*', ...common],
  )
})
