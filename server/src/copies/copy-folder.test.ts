import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createCopyFile } from './copy-file-writer.ts'
import { copyName, fewerThanBefore, removeLeftovers, removeOldCopies } from './copy-folder.ts'
import type { CopyWorth } from './copy-head.ts'
import { lockCopy } from './copy-lock.ts'
import { folder } from './testing/copy-file.ts'

const own = 'ins_1'
const startMs = Date.UTC(2026, 2, 1)

/** Writes copies, one a day, and returns their names. `undefined`: of an earlier release. */
async function copiesOf(dir: string, worths: readonly (CopyWorth | undefined)[]): Promise<string[]> {
  const names: string[] = []
  for (const [index, worth] of worths.entries()) {
    const madeAtMs = startMs + index * 86_400_000
    const name = copyName(madeAtMs)
    const file = await createCopyFile(join(dir, name), { madeAtMs, release: '0.1.0' })
    await file.finish({}, worth)
    names.push(name)
  }
  return names
}

const of = (hits: number, more: CopyWorth = {}): CopyWorth => ({
  installation: own,
  hits,
  deletedHits: 0,
  isPartial: false,
  ...more,
})

const cases: readonly {
  title: string
  copies: readonly (CopyWorth | undefined)[]
  keep: number
  left: readonly number[]
}[] = [
  { title: 'the newest stay if none is worse', copies: [of(1), of(1), of(2), of(3)], keep: 2, left: [2, 3] },
  {
    title: 'a partial one replaces none',
    copies: [of(1), of(9, { isPartial: true })],
    keep: 1,
    left: [0, 1],
  },
  {
    title: 'a partial one replaces a partial one that has no more',
    copies: [of(5), of(3, { isPartial: true }), of(4, { isPartial: true })],
    keep: 1,
    left: [0, 2],
  },
  {
    title: 'a complete one replaces a partial one',
    copies: [of(3, { isPartial: true }), of(3)],
    keep: 1,
    left: [1],
  },
  { title: 'one with fewer hits replaces none', copies: [of(300), of(250), of(260)], keep: 1, left: [0, 2] },
  {
    title: 'hits that the retention deleted are no loss',
    copies: [of(300), of(120, { deletedHits: 200 })],
    keep: 1,
    left: [1],
  },
  {
    title: 'those of another installation are left alone',
    copies: [of(1, { installation: 'ins_2' }), of(2), of(3)],
    keep: 1,
    left: [0, 2],
  },
  {
    title: 'those of an earlier release are replaced by complete ones only',
    copies: [undefined, of(2, { isPartial: true }), undefined, of(1)],
    keep: 2,
    left: [1, 2, 3],
  },
]

for (const { title, copies, keep, left } of cases)
  test(`of old copies, ${title}`, async (t) => {
    const dir = folder(t)
    const names = await copiesOf(dir, copies)
    writeFileSync(join(dir, 'everscan-20200101T000000Z.copy'), 'something else')
    const { removed, spared } = await removeOldCopies(dir, { keep, installation: own })
    const found = new Set(readdirSync(dir))
    assert.deepEqual(
      names.flatMap((name, index) => (found.has(name) ? [index] : [])),
      left,
    )
    assert.equal(found.size, left.length + 1, 'a file that is no copy stays')
    assert.equal(removed.length, names.length - left.length)
    assert.ok(spared.every((name) => found.has(name)))
  })

test('a copy with fewer hits than the one before says how many, unless the retention deleted them', async (t) => {
  const dir = folder(t)
  const [first = '', second = '', third = ''] = await copiesOf(dir, [
    of(300),
    of(250),
    of(50, { deletedHits: 200 }),
  ])
  const fewer = (name: string) => fewerThanBefore(dir, { name, installation: own })
  assert.equal(await fewer(first), undefined)
  assert.deepEqual(await fewer(second), { hits: 50, before: first })
  assert.equal(await fewer(third), undefined)
})

test('leftovers of killed processes are removed, and no file that is being written', async (t) => {
  const dir = folder(t)
  const [left, busy] = [copyName(startMs), copyName(startMs + 1_000)]
  for (const name of [left, busy, 'notes']) writeFileSync(join(dir, `${name}.partial`), 'half')
  const lock = lockCopy(join(dir, busy))
  await removeLeftovers(dir)
  lock.release()
  assert.equal(existsSync(join(dir, `${left}.partial`)), false)
  assert.deepEqual(readdirSync(dir).toSorted(), [`${busy}.partial`, 'notes.partial'])
})
