import assert from 'node:assert/strict'
import { test } from 'node:test'
import { houseRuleBreaks } from './house-rules.ts'

const breaksOf = (path: string, text: string): string[] => houseRuleBreaks([{ path, text }])

test('imports that the design allows pass', () => {
  assert.deepEqual(
    breaksOf('server/src/api/qr-codes.ts', "import { a } from '../catalogue/qr-codes.ts'\n"),
    [],
  )
  assert.deepEqual(
    breaksOf('server/src/commands/users.ts', "import { a } from '../catalogue/users.ts'\n"),
    [],
  )
  assert.deepEqual(breaksOf('server/src/scan/handler.ts', "import type { Log } from '../log.ts'\n"), [])
  assert.deepEqual(breaksOf('qr/src/svg.ts', "import { Style } from '@everscan/contract/styles.ts'\n"), [])
  assert.deepEqual(breaksOf('web/src/codes/codes.tsx', "import { a } from '../session/api.ts'\n"), [])
  assert.deepEqual(breaksOf('web/src/routes.tsx', "import { a } from './codes/codes.tsx'\n"), [])
  assert.deepEqual(breaksOf('server/src/app/service.ts', "import { createApi } from '../api/api.ts'\n"), [])
})

test('imports against the design are named', () => {
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
  ] as const
  for (const [path, text] of cases) assert.equal(breaksOf(path, text).length, 1, `${path} ${text}`)
})

test('long files, process.env, console, barrels and dialect tests outside db are named', () => {
  assert.equal(breaksOf('server/src/api/api.ts', 'x\n'.repeat(401)).length, 1)
  assert.equal(breaksOf('server/src/api/api.test.ts', 'x\n'.repeat(401)).length, 0)
  assert.equal(breaksOf('server/src/api/api.ts', 'process.env.PORT\n').length, 1)
  assert.equal(breaksOf('server/src/config.ts', 'process.env.PORT\n').length, 0)
  assert.equal(breaksOf('server/src/api/api.ts', "console.log('x')\n").length, 1)
  assert.equal(breaksOf('server/src/api/index.ts', '').length, 1)
  assert.equal(breaksOf('server/src/catalogue/tags.ts', "if (db.dialect === 'sqlite') {}\n").length, 1)
})
