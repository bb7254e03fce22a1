import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changeManifest,
  emptyManifest,
  isRemovable,
  ManifestConflict,
  type ManifestChange,
  type ScanSegment,
} from './manifest.ts'
import { planRecovery, type FoundFile } from './recovery.ts'
import type { Stretch } from './stretches.ts'

const month = 202603

function stretch(from: number, to: number, writer = 'a'): Stretch {
  return { month, writer, from, to }
}

function segment(id: string, from: number, to: number): ScanSegment {
  const range = { fromMs: from, toMs: to, stretches: [stretch(from, to)] }
  return { id, level: 0, rows: to - from, bytes: 1, checksum: 0, ...range }
}

function found(file: ScanSegment, facts: Partial<FoundFile> = {}): FoundFile {
  return { ...file, isGood: true, hasPurged: false, ...facts }
}

const none = { from: '', to: 'r1', added: [], removed: [] }
const read = { writer: 'a', from: 0, after: 0, to: 10, end: { segment: 1, offset: 10 } }
const batch: ManifestChange = { ...none, added: [segment('f1', 0, 10)], checkpoint: read }
const listed = changeManifest(emptyManifest, batch)

const refused: Record<string, Partial<ManifestChange>> = {
  'for a manifest that was put back': { from: 'r0' },
  'that lists scans a second time': { added: [segment('f2', 9, 12)] },
  'that uses the name of a file again': { added: [segment('f1', 10, 12)] },
  'that takes out a file that is not listed': { removed: ['f0'] },
  'of a batch that began behind another one': { checkpoint: { ...read, from: 9, to: 12 } },
}

for (const [name, change] of Object.entries(refused))
  test(`a change ${name} is refused`, () => {
    assert.throws(
      () => changeManifest(listed, { ...none, from: 'r1', to: 'r2', ...change }),
      ManifestConflict,
    )
  })

test('a change is refused for what it would leave, not for what it replaces', () => {
  const change = { ...none, from: 'r1', to: 'r2', added: [segment('f2', 0, 12)], removed: ['f1'] }
  const { segments, revision, checkpoints } = changeManifest(listed, change)
  assert.deepEqual([segments, revision, checkpoints.get('a')], [[segment('f2', 0, 12)], 'r2', 10])
})

test('lost scans are told until a file has them, or their journal was read again', () => {
  const change = { ...none, from: 'r1', to: 'r2', removed: ['f1'], lost: [stretch(0, 10)] }
  const lost = changeManifest(listed, change)
  assert.deepEqual([lost.lost, lost.checkpoints.get('a')], [[stretch(0, 10)], undefined])
  // The journal begins with frame 4, and has no scan of this month up to frame 7.
  const again = { ...none, from: 'r2', to: 'r3', checkpoint: { ...read, after: 3, to: 7 } }
  const reread = changeManifest(lost, again)
  assert.deepEqual(reread.lost, [stretch(0, 3), stretch(7, 10)])
  const found2 = changeManifest(reread, { ...none, from: 'r3', to: 'r4', added: [segment('f2', 0, 2)] })
  assert.deepEqual(found2.lost, [stretch(2, 3), stretch(7, 10)])
})

test('a file is removed only if verified files have all of its scans', () => {
  const options = { isVerified: () => true, deletedBeforeMs: 0 }
  assert.equal(isRemovable(segment('f1', 0, 10), listed, options), false, 'it is listed')
  assert.equal(isRemovable(segment('f0', 2, 8), listed, options), true)
  assert.equal(isRemovable(segment('f0', 2, 11), listed, options), false)
  assert.equal(isRemovable(segment('f0', 2, 8), listed, { ...options, isVerified: () => false }), false)
  assert.equal(isRemovable(segment('f0', 20, 28), listed, { ...options, deletedBeforeMs: 29 }), true)
  const deleted = { ...listed, deleted: [stretch(10, 20)] }
  assert.equal(isRemovable(segment('f0', 2, 11), deleted, options), true)
})

test('recovery takes each scan from one file, and tells those that none has', () => {
  const files = [
    found(segment('merged', 5, 30)),
    found(segment('small', 6, 8)),
    found(segment('late', 28, 33)),
    found(segment('broken', 40, 50), { isGood: false }),
    found(segment('old', 100, 110)),
  ]
  const manifest = {
    ...listed,
    segments: [segment('f1', 0, 10), segment('broken', 40, 50), segment('late', 28, 33)],
  }
  const plan = planRecovery(manifest, files, { deletedBeforeMs: 0 })
  assert.deepEqual(
    plan.adopted.map(({ id }) => id),
    ['old'],
  )
  // `f1` is missing: `merged` has a part of it, and another part of what is listed.
  assert.deepEqual(
    plan.rewritten.map(({ file, stretches }) => [file.id, stretches]),
    [['merged', [stretch(5, 28)]]],
  )
  assert.deepEqual(
    plan.unlisted.map(({ id }) => id),
    ['f1', 'broken'],
  )
  assert.deepEqual(plan.lost, [stretch(0, 5), stretch(40, 50)])
})

test('recovery brings nothing back that was deleted', () => {
  const files = [
    found(segment('gone', 0, 9)),
    found(segment('part', 10, 20)),
    found(segment('purged', 30, 40), { hasPurged: true }),
  ]
  const manifest = { ...emptyManifest, segments: [segment('missing', 50, 55)] }
  const plan = planRecovery(manifest, files, { deletedBeforeMs: 15 })
  assert.deepEqual(plan.adopted, [])
  assert.deepEqual(
    plan.rewritten.map(({ file }) => file.id),
    ['part', 'purged'],
  )
  assert.deepEqual(planRecovery(manifest, files, { deletedBeforeMs: 60 }).lost, [])
  assert.deepEqual(
    planRecovery({ ...manifest, deleted: [stretch(10, 20)] }, files, { deletedBeforeMs: 0 }).adopted.length,
    1,
  )
})
