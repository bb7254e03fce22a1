import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  columnProblems,
  docProblems,
  guideLinkProblems,
  linkProblems,
  typePageProblems,
} from './docs-check.ts'

const files: Readonly<Record<string, string>> = {
  'README.md': '# Everscan\n\n## First code\n',
  'docs/operations.md': '# Operations\n\n## Keys & copies\n',
  'docs/images': '',
  'docs/guide/types.md': '# Types\n\n## URL\n',
}
const around = {
  read: (path: string) => files[path],
  scripts: new Map([
    ['', new Set(['check'])],
    ['web', new Set(['dev'])],
  ]),
  sources: ['server/src/rules/networks.ts', 'pages/src/menu-page.ts'],
}
const problemsOf = async (text: string) => docProblems('docs/page.md', `# Page\n\n${text}\n`, around)

test('a page without mistakes has no problem', async () => {
  const text = [
    '[a](operations.md#keys--copies) [b](../README.md) [c](#page) [d](https://example.com) ![e](images)',
    '`./everscan users reset a@b.c --remove-two-factor`, `./everscan users`, `./everscan`, `./everscan help`',
    '`npm run check`, `npm run dev --workspace web`, `DATA_DIR`, `SMTP_URL=smtp://x`, `NOT_FOUND`',
    '```sh\nDATA_DIR=/x /opt/everscan/everscan backup --to /mnt \\\n  --keep 14 | cat\n```',
    'up to 10,000<!-- =limits.importRowsMax --> rows',
  ].join('\n\n')
  assert.deepEqual(await problemsOf(text), [])
})

const found = (target: string) => linkProblems('docs/page.md', `# P\n\n[x](${target})\n`, around)

test('README fits into a terminal', () => {
  const long = 'a'.repeat(101)
  assert.deepEqual(columnProblems('README.md', `${long}\n${long.slice(1)}`), [
    'line 1: has 101 columns, at most 100',
  ])
  assert.deepEqual(columnProblems('docs/page.md', long), [])
})

test('links lead to files and headings that exist, and addresses are addresses', () => {
  assert.deepEqual(found('nothing.md'), ['nothing.md: does not exist'])
  assert.deepEqual(found('operations.md#locks'), ['operations.md#locks: has no such heading'])
  assert.deepEqual(found('#q'), ['#q: has no such heading'])
  assert.deepEqual(found('README.md'), ['README.md: does not exist'])
  assert.deepEqual(found('https://'), ['https://: is not an address'])
  assert.deepEqual(found('javascript:alert'), ['javascript:alert: is not an address'])
})

test('sources that are named exist', async () => {
  assert.deepEqual(await problemsOf('`rules/networks.ts`, `pages/src/<type>-page.ts`, `src/*.ts`'), [])
  assert.deepEqual(await problemsOf('`networks/rules.ts`, `es/networks.ts`, `pages/src/<type>-pages.ts`'), [
    'networks/rules.ts: there is no such source',
    'es/networks.ts: there is no such source',
    'pages/src/<type>-pages.ts: there is no such source',
  ])
})

test('commands exist, with their options', async () => {
  const [unknown = ''] = await problemsOf('`./everscan user list`')
  assert.match(unknown, /^\.\/everscan user list: unknown command "user"\. Did you mean "users"/)
  assert.match((await problemsOf('`./everscan users lst`'))[0] ?? '', /unknown word "lst"/)
  assert.deepEqual(await problemsOf('```\n./everscan backup --too /x  # comment --no\n```'), [
    './everscan backup --too /x: has no option --too',
  ])
})

test('scripts and settings exist', async () => {
  assert.deepEqual(await problemsOf('`npm run chek`'), ['npm run chek: there is no such script'])
  assert.deepEqual(await problemsOf('`npm run check --workspace web`'), [
    'npm run check --workspace web: there is no such script',
  ])
  assert.deepEqual(await problemsOf('`DATA_DIRECTORY`'), ['DATA_DIRECTORY: is no setting'])
  assert.deepEqual(await problemsOf('```sh\nexport TRUST_PROXIES=10.0.0.1\n```'), [
    'TRUST_PROXIES: is no setting',
  ])
})

test('figures are those of the contract', async () => {
  assert.deepEqual(await problemsOf('up to 1,000<!-- =limits.importRowsMax --> rows'), [
    'limits.importRowsMax: is 10,000, the page says 1,000',
  ])
  assert.deepEqual(await problemsOf('about 44 mm<!-- =print.2000 -->'), [
    'print.2000: is 88 mm, the page says 44 mm',
  ])
  assert.deepEqual(await problemsOf('up to <!-- =limits.importRowsMax -->10,000'), [
    'limits.importRowsMax: is 10,000, the page says nothing',
  ])
  assert.deepEqual(await problemsOf('up to 5<!-- =limits.nothing -->'), [
    'limits.nothing: is no figure of scripts/guide-parts.ts',
  ])
})

test('the page of the types has every type with exactly its fields', () => {
  const problems = typePageProblems(
    '# Types\n\n## PHONE\n\nFields: `phone`\\*, `fax`.\n\n## SMS\n\nFields: `phone`.\n\n',
  )
  assert.ok(problems.includes('PHONE.fax: does not exist'))
  assert.ok(problems.includes('SMS.message: is missing'))
  assert.ok(problems.includes('URL: has no section that begins with its fields'))
  assert.ok(!problems.some((line) => line.startsWith('PHONE.phone')))
})

test('links of the dashboard lead to headings of the guide', () => {
  const read = around.read
  assert.deepEqual(guideLinkProblems(['/docs/guide/types', '/docs/guide/types#url'], read), [])
  assert.deepEqual(guideLinkProblems(['/docs/guide/types#qr', '/docs/guide/typos'], read), [
    '/docs/guide/types#qr: has no such heading',
    '/docs/guide/typos: is no page of the guide',
  ])
})
