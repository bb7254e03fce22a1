import assert from 'node:assert/strict'
import { test } from 'node:test'
import { houseRuleViolations } from './house-rules.ts'
import { unacceptedLicences, undeclaredPackages } from './packages.ts'

const violationsOf = (path: string, text: string): string[] => houseRuleViolations([{ path, text }])

test('permitted imports pass', () => {
  assert.deepEqual(
    violationsOf('server/src/api/qr-codes.ts', "import { a } from '../catalogue/qr-codes.ts'\n"),
    [],
  )
  assert.deepEqual(
    violationsOf('server/src/commands/users.ts', "import { a } from '../catalogue/users.ts'\n"),
    [],
  )
  assert.deepEqual(violationsOf('server/src/scan/handler.ts', "import type { Log } from '../log.ts'\n"), [])
  assert.deepEqual(
    violationsOf('qr/src/svg.ts', "import { Style } from '@everscan/contract/styles.ts'\n"),
    [],
  )
  assert.deepEqual(violationsOf('web/src/codes/codes.tsx', "import { a } from '../session/api.ts'\n"), [])
  assert.deepEqual(violationsOf('web/src/routes.tsx', "import { a } from './codes/codes.tsx'\n"), [])
  assert.deepEqual(
    violationsOf('server/src/app/service.ts', "import { createApi } from '../api/api.ts'\n"),
    [],
  )
})

test('forbidden imports are reported', () => {
  const cases = [
    ['server/src/scan/handler.ts', "import { a } from '../catalogue/qr-codes.ts'\n"],
    ['server/src/journal/journal.ts', "import { a } from '../db/changes.ts'\n"],
    ['server/src/db/changes.ts', "import { a } from '../app/service.ts'\n"],
    ['server/src/catalogue/users.ts', "import { a } from '../commands/users.ts'\n"],
    ['server/src/commands/users.ts', "import { a } from '../app/service.ts'\n"],
    ['server/src/log.ts', "import { a } from './api/api.ts'\n"],
    ['contract/src/styles.ts', "import { a } from '@everscan/qr/svg.ts'\n"],
    ['qr/src/svg.ts', "import { a } from '../../contract/src/styles.ts'\n"],
    ['server/src/api/qr-codes.ts', "import {\n  a,\n  b,\n} from '../journal/journal.ts'\n"],
    ['server/src/api/qr-codes.ts', "const a = await import('../scan/handler.ts')\n"],
    ['server/src/api/qr-codes.ts', "import { a } from './api-keys'\n"],
    ['web/src/codes/codes.tsx', "import { a } from '../editor/editor-page.tsx'\n"],
    ['web/src/ui/button.tsx', "import { a } from '../session/api.ts'\n"],
    ['server/src/jobs/jobs.ts', "import { a } from '../api/qr-codes.ts'\n"],
    ['server/src/api/http/endpoint.ts', "import { a } from '../codes/qr-codes.ts'\n"],
    ['contract/src/schema/common.ts', "import { a } from '../resources/styles.ts'\n"],
  ] as const
  for (const [path, text] of cases) assert.equal(violationsOf(path, text).length, 1, `${path} ${text}`)
})

test('an import cycle is reported once, including imports of types', () => {
  const sources = [
    { path: 'server/src/api/a.ts', text: "import { b } from './b.ts'\n" },
    { path: 'server/src/api/b.ts', text: "import type { C } from './c.ts'\nimport { d } from './d.ts'\n" },
    { path: 'server/src/api/c.ts', text: "export type { A } from './a.ts'\n" },
    { path: 'server/src/api/d.ts', text: "import { e } from 'elsewhere'\n" },
  ]
  assert.deepEqual(houseRuleViolations(sources), [
    'server/src/api/a.ts: imports itself through server/src/api/b.ts, server/src/api/c.ts',
  ])
  assert.deepEqual(houseRuleViolations(sources.slice(0, 2)), [])
})

test('a folder has at most 40 files', () => {
  const files = Array.from({ length: 41 }, (_, index) => ({ path: `qr/src/writers/${index}.ts`, text: '' }))
  assert.deepEqual(houseRuleViolations(files.slice(1)), [])
  assert.deepEqual(houseRuleViolations(files), [
    'qr/src/writers: 41 files, at most 40; split the folder into rooms',
  ])
})

test('a package must be declared where it is imported', () => {
  const manifests = new Map([
    ['qr', { name: '@everscan/qr', dependencies: { sharp: '1' }, devDependencies: { '@a/b': '1' } }],
  ])
  const undeclared = (text: string) => undeclaredPackages([{ path: 'qr/src/a.ts', text }], manifests)
  assert.deepEqual(
    undeclared("import a from 'sharp'\nimport b from '@a/b/c.js'\nimport 'node:fs'\nimport './x.ts'\n"),
    [],
  )
  assert.deepEqual(undeclared("import type { Kysely } from 'kysely'\n"), [
    'qr/src/a.ts: imports kysely: declare it in the package.json of qr',
  ])
  assert.equal(undeclared("import { a } from '@a/c'\nexport { b } from 'd/e'\n").length, 2)
})

const licences = (license: string, name: string) =>
  unacceptedLicences({ packages: { [`server/node_modules/${name}`]: { license } } })

test('a package needs a permissive licence, or an exception with a reason', () => {
  for (const license of ['MIT', '(MIT OR Apache-2.0)', '(GPL-3.0 OR MIT)'])
    assert.deepEqual(licences(license, 'a'), [], license)
  assert.deepEqual(licences('MPL-2.0', 'axe-core'), [])
  for (const license of ['GPL-3.0', 'MPL-2.0', 'MIT AND GPL-3.0', 'none'])
    assert.equal(licences(license, 'a').length, 1, license)
})

test('long files, process.env, console, barrels, Node in pages and dialect tests outside db are reported', () => {
  assert.equal(violationsOf('server/src/api/api.ts', 'x\n'.repeat(401)).length, 1)
  assert.equal(violationsOf('server/src/api/api.test.ts', 'x\n'.repeat(401)).length, 0)
  assert.equal(violationsOf('server/src/api/api.ts', 'process.env.PORT\n').length, 1)
  assert.equal(violationsOf('server/src/settings/config.ts', 'process.env.PORT\n').length, 0)
  assert.equal(violationsOf('server/src/api/api.ts', "console.log('x')\n").length, 1)
  assert.equal(violationsOf('server/src/api/index.ts', '').length, 1)
  assert.equal(violationsOf('pages/src/page.ts', "import { hash } from 'node:crypto'\n").length, 1)
  assert.equal(violationsOf('pages/src/page.ts', 'Buffer.from(text)\n').length, 1)
  assert.equal(violationsOf('pages/src/page.test.ts', "import { test } from 'node:test'\n").length, 0)
  assert.equal(violationsOf('server/src/catalogue/tags.ts', "if (db.dialect === 'sqlite') {}\n").length, 1)
})

test('a signal that could reach the test run itself is reported', () => {
  const path = 'server/test/durability/crash.test.ts'
  const call = ['process', 'kill('].join('.')
  assert.equal(violationsOf(path, `${call}pid, 'SIGKILL')\n`).length, 1)
  assert.equal(violationsOf(path, `${call}process.pid, 'SIGKILL')\n`).length, 0)
})

test('random values that can be guessed, and data left on a device, are reported', () => {
  assert.equal(violationsOf('server/src/catalogue/tokens.ts', 'Math.random()\n').length, 1)
  assert.equal(violationsOf('client/src/send.ts', 'Math.random()\n').length, 0)
  for (const text of ["localStorage.setItem('a', b)\n", 'sessionStorage.clear()\n', 'indexedDB.open(a)\n']) {
    assert.equal(violationsOf('web/src/codes/codes.ts', text).length, 1, text)
    assert.equal(violationsOf('web/src/ui/theme.ts', text).length, 0, text)
    assert.equal(violationsOf('web/src/session/kept/kept-work.ts', text).length, 0, text)
  }
})
