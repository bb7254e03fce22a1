import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@everscan/contract/schema/limits.ts'
import { readImport } from '../../catalogue/imports/imports.ts'
import { someOrganization, someOrigin } from '../../catalogue/testing/catalogue.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { publicUrl } from '../testing/api.ts'
import { readEnded, startImportWorker } from '../testing/imports.ts'
import { moveFile } from '../../product/imports/moves/prepare-move.ts'

/** A file of as many links, as a disk gives it; each line has about 380 bytes. */
async function* fileOf(links: number): AsyncGenerator<Buffer, void, undefined> {
  const query = 'x'.repeat(300)
  yield Buffer.from('slug,url,title,tags,createdAt,clicks\n')
  const perPiece = 1_000
  for (let from = 0; from < links; from += perPiece) {
    const count = Math.min(perPiece, links - from)
    const lines = Array.from({ length: count }, (_, at) => {
      const link = from + at
      return `link-${link},https://example.com/${link}?q=${query},Link ${link},print|spring,2024-03-05,${link}\n`
    })
    yield Buffer.from(lines.join(''))
  }
}

forEachDatabase('a move of the largest file', (open) => {
  const start = async (db: Awaited<ReturnType<typeof open>>, organizationId: string, links: number) =>
    moveFile(db, organizationId, {
      file: { name: 'links.csv', bytes: fileOf(links) },
      fields: { source: 'csv' },
      origin: someOrigin,
      publicUrl,
      clock: Date.now,
    })

  test('has every link once, with bounded memory; one link more is refused by its number', async (t) => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const links = limits.moveRowsMax
    await assert.rejects(start(db, organizationId, links + 1), /250,?000/)
    const before = await db.kysely.selectFrom('import_chunks').select('chunk').execute()
    assert.deepEqual(before, [], 'a refused file leaves nothing')

    const { id } = await start(db, organizationId, links)
    const jobs = startImportWorker(db)
    try {
      const move = await readEnded(
        () => readImport(db, { organizationId, id }, 'move'),
        (one) => one?.completedAtMs !== null,
      )
      assert.deepEqual([move?.progress.successCount, move?.progress.errorCount], [links, 0])
    } finally {
      await jobs.stop()
    }
    const { codes } = await db.kysely
      .selectFrom('qr_codes')
      .select((select) => select.fn.count<number | string>('canonical_code').distinct().as('codes'))
      .executeTakeFirstOrThrow()
    assert.equal(Number(codes), links)
    // Eight times the file would not fit: only chunks and the keys of codes are in memory.
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
    const megabytes = maxRSS / 1024
    const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6
    t.diagnostic(
      `${links} links: ${Math.round(megabytes)} MB at most, ${Math.round(cpuSeconds)} s of processor`,
    )
    assert.ok(megabytes < 700, `${Math.round(megabytes)} MB`)
  })
})
