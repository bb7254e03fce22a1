import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainSettings, readSurface, surfaceProblems } from './security-surface.ts'

const page = [
  '`HTTPS_PORT` opens a port.',
  '| `SECRET` | us | webhook secrets, sign-ups |',
  'Elsewhere: splits, `startMove`.',
  '### Files',
  '| Import (`startImport`) |',
  '### Costly work',
].join('\n')
const known = { settings: [...plainSettings, 'HTTPS_PORT'], purposes: ['sign-ups'], uploads: ['startImport'] }

test('a page that names everything has no problem', () => {
  assert.deepEqual(surfaceProblems(page, known), [])
})

test('a new setting, a new purpose of SECRET and a new upload must be named', () => {
  const more = {
    settings: [...known.settings, 'FILES_DIR'],
    purposes: [...known.purposes, 'splits'],
    uploads: [...known.uploads, 'startMove'],
  }
  assert.deepEqual(surfaceProblems(page, more), [
    'FILES_DIR: is a setting that the page does not name',
    '"splits": is a purpose of SECRET that its row does not name',
    'startMove: takes a file and is not in the section Files',
  ])
})

test('a setting that is gone leaves the list of plain ones', () => {
  assert.deepEqual(surfaceProblems(page, { ...known, settings: known.settings.slice(1) }), [
    'HOST: is no setting',
  ])
})

test('the surface is read from the code: ports, keys and files are found', () => {
  const { settings, purposes, uploads } = readSurface()
  assert.ok(settings.includes('HTTPS_PORT') && settings.includes('DNS_SERVERS'))
  for (const purpose of ['webhook secrets', 'certificates', 'addresses of mails', 'known devices'])
    assert.ok(purposes.includes(purpose), purpose)
  assert.ok(uploads.includes('startArchiveImport'))
})
