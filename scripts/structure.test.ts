import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commentsOf, functionLengths, linesByRoom, structureOf } from './structure.ts'

test('the length of a function includes its first and last line, in every notation', () => {
  const text = `export function a(
  b: string,
): void {
  call({
    c,
  })
}

class D {
  constructor(e: E) {
    this.#e = e
  }

  async #f(): Promise<void> {
    if (a) {
      b()
    }
  }
}

const g = async (h: H): Promise<void> => {
  test('x', () => {
    y()
  })
}
const i = { j: 1 }
const k = (l: number) => l + 1
`
  assert.deepEqual(functionLengths(text), [7, 3, 5, 5])
})

test('comments are blocks and consecutive lines; code between them separates them', () => {
  const text = `// What one is,
// on two lines.
const a = 1 // not counted
  /** Another. */
  /**
   * Third,
   * of four lines.
   */
const b = '/* no comment */'
// Fourth.
`
  assert.deepEqual(
    commentsOf(text).map((lines) => lines.length),
    [2, 1, 4, 1],
  )
  const { commentBlocks, whatComments, wideComments } = structureOf([
    { path: 'qr/src/a.ts', text: `${text}// ${'x'.repeat(98)}\n` },
  ])
  assert.deepEqual(
    { commentBlocks, whatComments, wideComments },
    { commentBlocks: 4, whatComments: 1, wideComments: 1 },
  )
})

test('long functions, loose files and expressions over sentences are counted by workspace', () => {
  const long = `function a() {\n${'  b()\n'.repeat(59)}}\n`
  const figures = structureOf([
    { path: 'server/src/loose.ts', text: long },
    { path: 'server/src/app/front.ts', text: long.replace('  b()\n', '') },
    {
      path: 'web/src/words/messages.ts',
      text: `const known = [[/^The password is wrong\\.$/, a], [/^\\d+$/, b]]\n`,
    },
  ])
  const { longServer, longWeb, looseServer, appFiles, readSentences, lines } = figures
  assert.deepEqual(
    { longServer, longWeb, looseServer, appFiles, readSentences, lines },
    { longServer: 1, longWeb: 0, looseServer: 1, appFiles: 1, readSentences: 1, lines: 61 + 60 + 1 },
  )
})

/** Returns whether a file counts as one that names dimensions: 1 or 0. */
const namesIn = (path: string, text: string) => structureOf([{ path, text }]).dimensionFiles

test('a file names dimensions with a place, a device and a referrer, unless it is of hits or rules', () => {
  const list = `const names = ['city', 'os', 'referrer']\n`
  assert.equal(namesIn('web/src/analytics/names.ts', list), 1)
  assert.equal(namesIn('web/src/rules/names.ts', list), 0)
  assert.equal(namesIn('server/src/scan-row.ts', `${list}const latitude = 1\n`), 0)
  assert.equal(namesIn('web/src/analytics/names.ts', `// ${list}`), 0)
  assert.equal(namesIn('web/src/analytics/names.ts', `const title = 'city, os, referrer'\n`), 0)
})

/** Returns whether a file counts as one that claims leases: 1 or 0. */
const claimsIn = (text: string) => structureOf([{ path: 'server/src/jobs/a.ts', text }]).leaseClaims

test('a file claims leases if it computes or sets the end of one', () => {
  assert.equal(claimsIn('const untilMs = nowMs + leaseMs\n'), 1)
  assert.equal(claimsIn('sql`${now} + ${sql.lit(leaseMs)}`\n'), 1)
  assert.equal(claimsIn('set({ mail_lease_until_ms: untilMs })\n'), 1)
  assert.equal(claimsIn('set({ lease_until_ms: null })\n'), 0)
  assert.equal(claimsIn('type Row = { lease_until_ms: number | null }\n'), 0)
  assert.equal(claimsIn('return claimDue(db, leases.job, { find, nowMs, leaseMs })\n'), 0)
})

test('lines are counted by room, and by sub-room where the floor plan has one', () => {
  const text = 'a\nb\n'
  const paths = ['jobs/queue.ts', 'jobs/views/mail.ts', 'jobs/views/mail.test.ts', 'scan/a/b.ts', 'log.ts']
  assert.deepEqual(
    [
      ...linesByRoom([
        ...paths.map((path) => ({ path: `server/src/${path}`, text })),
        { path: 'scripts/a.ts', text },
      ]),
    ],
    [
      ['scripts', 2],
      ['server', 2],
      ['server/jobs', 2],
      ['server/jobs/views', 2],
      ['server/scan', 2],
    ],
  )
})
