import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importColumnOf, metadataColumnProblem } from './import-columns.ts'
import { readImportHeader, suggestImportMapping } from './import-mapping.ts'

test('columns have any letter case, keys of metadata their own', () => {
  const names = [' ShortCode ', 'CREATEDAT', 'Metadata.orderNo', 'metadata. Two words ', 'metadata.a.b']
  assert.deepEqual(
    names.map((name) => importColumnOf('URL', name)),
    ['shortCode', 'createdAt', 'metadata.orderNo', 'metadata.Two words', 'metadata.a.b'],
  )
  assert.equal(importColumnOf('VCARD', 'ADDRESS.zip'), 'address.zip')
  assert.equal(importColumnOf('URL', 'address.zip'), undefined)
})

test('keys of metadata that the API refuses are no columns, and the problem says why', () => {
  const long = 'k'.repeat(50)
  assert.equal(importColumnOf('URL', `metadata.${long}`), `metadata.${long}`)
  for (const name of ['metadata.', 'metadata.  ', `metadata.${long}k`, 'metadata.a\u0007b']) {
    assert.equal(importColumnOf('URL', name), undefined, name)
    assert.equal(metadataColumnProblem(name)?.problem, 'metadataKeyOfColumn', name)
  }
  for (const name of ['url', 'metadata', 'metadata.a']) assert.equal(metadataColumnProblem(name), undefined)
})

test('two keys that differ in letter case are two columns, also in a mapping', () => {
  const header = ['name', 'url', 'metadata.a', 'METADATA.A', 'Metadata.a', 'Order']
  const mapping = { 'metadata.A': null, order: 'Metadata.orderNo' }
  const { columns, strays } = readImportHeader('URL', header, mapping)
  assert.deepEqual(
    columns.map(({ column, repeated }) => [column, repeated]),
    [
      ['name', false],
      ['url', false],
      ['metadata.a', false],
      [null, false],
      ['metadata.a', true],
      ['metadata.orderNo', false],
    ],
  )
  assert.deepEqual(strays, [])
  assert.deepEqual(readImportHeader('URL', header, { 'metadata.B': null }).strays, ['metadata.B'])
})

test('usual names are suggested for the columns of every type and of contacts', () => {
  assert.deepEqual(suggestImportMapping('URL', ['Name', 'URL', 'Short Code', 'Created at', 'Statut']), {
    'Short Code': 'shortCode',
    'Created at': 'createdAt',
    Statut: 'status',
  })
  assert.deepEqual(suggestImportMapping('VCARD', ['Homepage', 'Straße', 'PLZ', 'Ville', 'Notiz']), {
    Homepage: 'website',
    Straße: 'address.street',
    PLZ: 'address.zip',
    Ville: 'address.city',
    Notiz: 'note',
  })
})
