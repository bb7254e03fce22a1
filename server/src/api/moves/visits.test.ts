import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Move } from '@everscan/contract/moves/moves.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { Scan } from '@everscan/contract/resources/scans.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { pick, randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { startTestStore } from '../../analytics/testing/store.ts'
import { readCsv } from '../../analytics/testing/csv.ts'
import { cancelImport } from '../../catalogue/imports/imports.ts'
import { someOrigin } from '../../catalogue/testing/catalogue.ts'
import type { Database } from '../../db/database.ts'
import { allIntents } from '../../db/scans/ingest-checkpoints.ts'
import { saveRetention } from '../../db/scans/scan-counters.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { createScanImporter } from '../../ingest/import-scans.ts'
import { ingestCalls } from '../../ingest/clickhouse/ingest-calls.ts'
import type { IngestContext } from '../../ingest/ingest-context.ts'
import { settleStray } from '../../ingest/clickhouse/stray-intents.ts'
import type { HitStore } from '../../jobs/imports/archive-job.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { endedMove, formOf, startImportWorker } from '../testing/imports.ts'

const { scanStore, store, remove } = await startTestStore()
after(remove)
const random = randomFrom(testSeed())

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'
const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const header = 'Referer,Date,User agent,Country,City,Potential bot,Short url'
const links = [
  'shortCode,longUrl,title,visits',
  'Poster,https://example.com/1,A poster,1000',
  'flyer-1,https://example.com/2,B flyer,20',
  'abc,https://example.com/3,C too short,9',
].join('\n')

type FileVisit = { code: string; timeMs: number; userAgent: string; country: string; isBot: boolean }

/** Visits of three links over two years; those of the third do not come. */
function someVisits(count: number): FileVisit[] {
  return Array.from({ length: count }, () => ({
    code: pick(random, ['Poster', 'Poster', 'poster', 'flyer-1', 'abc']),
    timeMs: Date.UTC(2024, 0, 1) + Math.floor(random() * 730 * 86_400) * 1_000,
    userAgent: pick(random, [phone, phone, crawler, '']),
    country: pick(random, ['Germany', 'France', 'Unknown']),
    isBot: random() < 0.1,
  }))
}

const lineOf = ({ code, timeMs, userAgent, country, isBot }: FileVisit) =>
  `https://www.example.org/page,${new Date(timeMs).toISOString()},"${userAgent}",${country},Unknown,${isBot},https://go.example.com/${code}`
const fileOf = (visits: readonly FileVisit[], more: readonly string[] = []) =>
  [header, ...visits.map(lineOf), ...more].join('\n')
const isScan = ({ userAgent, isBot }: FileVisit) => userAgent !== crawler && !isBot
const isOf = (name: string) => (visit: FileVisit) => visit.code.toLowerCase() === name

onEitherDatabase('visits of a move', (open) => {
  let api: TestApi
  const importer = createScanImporter(store)

  const withWorker =
    (work: (db: Database) => Promise<void>, hitsOf: (db: Database) => HitStore = () => importer) =>
    async () => {
      const db = await open()
      api = await openTestApi(db, { store: scanStore })
      const jobs = startImportWorker(db, { hits: hitsOf(db) })
      try {
        await work(db)
      } finally {
        await jobs.stop()
      }
    }

  async function send(visits: string, fields: Readonly<Record<string, string>> = {}) {
    const { payload, headers } = await formOf({
      file: links,
      visits,
      fields: { source: 'shlink', ...fields },
      fileName: 'links.csv',
      mediaType: 'text/csv',
    })
    return api.call('POST', `/organizations/${api.orgId}/moves`, { key: api.keys.EDITOR, payload, headers })
  }
  const read = async (path: string) => {
    const answer = await api.call('GET', `/organizations/${api.orgId}${path}`, { key: api.keys.VIEWER })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer
  }
  const codes = async () =>
    (await read('/qr-codes?limit=100'))
      .json<{ data: QrCode[] }>()
      .data.sort((a, b) => (a.name < b.name ? -1 : 1))
  test(
    'become scans: every figure, the list and the export agree with the file',
    withWorker(async () => {
      const visits = someVisits(150)
      const wrong = [
        ',not a time,,,,,https://go.example.com/Poster',
        ',2999-01-01T00:00:00Z,,,,,https://go.example.com/Poster',
        ',1969-12-31T00:00:00Z,,,,,https://go.example.com/Poster',
        ',,,,,,https://go.example.com/Poster',
      ]
      const taken = visits.filter(({ code }) => code !== 'abc')
      const scans = taken.filter(isScan)
      const counts = {
        totalVisits: 154,
        processedVisits: 154,
        movedScans: scans.length,
        movedBots: taken.length - scans.length,
        skippedVisits: 154 - taken.length,
      }
      const dry = await endedMove(api, await send(fileOf(visits, wrong), { dryRun: 'true' }))
      assert.deepEqual(countsOf(dry), counts)
      assert.deepEqual(await codes(), [])
      assert.deepEqual(dry.visitColumns, {
        code: ['Short url'],
        time: ['Date'],
        userAgent: ['User agent'],
        referrer: ['Referer'],
        country: ['Country'],
        region: [],
        city: ['City'],
        bot: ['Potential bot'],
      })

      const move = await endedMove(api, await send(fileOf(visits, wrong)))
      assert.deepEqual([move.status, move.visitsFileName], ['COMPLETED', 'visits.csv'])
      assert.deepEqual(countsOf(move), counts)
      assert.deepEqual(
        move.visitProblems.map(({ line }) => line),
        [152, 153, 154, 155],
      )
      const clicks = { poster: 1000, 'flyer-1': 20 }
      for (const code of await codes()) {
        const name = code.shortCode.toLowerCase() as keyof typeof clicks
        const hits = taken.filter(isOf(name))
        const ofCode = hits.filter(isScan)
        assert.deepEqual(
          [code.totalScans, code.uniqueScans, code.scansBefore],
          [ofCode.length, 0, Math.max(0, clicks[name] - hits.length)],
          name,
        )
        await compareFigures(code.id, ofCode)
      }
      const again = await endedMove(api, await send(fileOf(visits)))
      assert.deepEqual(countsOf(again), {
        totalVisits: 150,
        processedVisits: 150,
        movedScans: 0,
        movedBots: 0,
        skippedVisits: 150,
      })
      const [poster] = await codes()
      assert.equal(poster?.totalScans, scans.filter(isOf('poster')).length)
      await compareFigures(poster.id, scans.filter(isOf('poster')))
    }),
  )

  async function compareFigures(id: string, scans: readonly FileVisit[]): Promise<void> {
    const days = 'startDate=2024-01-01&endDate=2025-12-31'
    const period = `${days}&interval=month`
    const figures = (await read(`/qr-codes/${id}/analytics?${period}`)).json<{
      summary: { totalScans: number; uniqueScans: number }
      timeline: { date: string; scans: number }[]
      geography: { countries: { country: string; scans: number }[] }
    }>()
    assert.deepEqual([figures.summary.totalScans, figures.summary.uniqueScans], [scans.length, 0])
    const months = Map.groupBy(scans, ({ timeMs }) => new Date(timeMs).toISOString().slice(0, 7))
    assert.deepEqual(
      figures.timeline.map(({ date, scans: count }) => [date.slice(0, 7), count]).filter(([, n]) => n !== 0),
      [...months].map(([month, rows]) => [month, rows.length]).toSorted(byFirst),
    )
    const named: Readonly<Record<string, string>> = { Germany: 'DE', France: 'FR', Unknown: 'XX' }
    const countries = Map.groupBy(scans, ({ country }) => named[country] ?? '')
    assert.deepEqual(
      figures.geography.countries.map(({ country, scans: count }) => [country, count]).toSorted(byFirst),
      [...countries].map(([code, rows]) => [code, rows.length]).toSorted(byFirst),
    )
    const listed: Scan[] = []
    for (let page = 1; listed.length < scans.length; page++) {
      const { data } = (await read(`/qr-codes/${id}/scans?${days}&page=${page}&limit=100`)).json<{
        data: Scan[]
      }>()
      assert.ok(data.length > 0)
      listed.push(...data)
    }
    const times = scans.map(({ timeMs }) => new Date(timeMs).toISOString()).toSorted()
    assert.deepEqual(listed.map(({ timestamp }) => timestamp).toSorted(), times)
    assert.ok(listed.every(({ isUnique, referrer }) => !isUnique && referrer === 'example.org'))
    const [, ...lines] = readCsv((await read(`/qr-codes/${id}/analytics/export?${days}`)).body)
    assert.deepEqual(
      lines.map(([time = '']) => new Date(time).toISOString()),
      times,
    )
  }

  test(
    'that are older than scans are kept stay among the clicks before',
    withWorker(async (db) => {
      await saveRetention(db, { beforeMs: Date.UTC(2025, 0, 1), isDone: true })
      const visit = { code: 'Poster', userAgent: phone, country: 'Germany', isBot: false }
      const years = [2024, 2025].map((year) => ({ ...visit, timeMs: Date.UTC(year, 5, 1) }))
      const move = await endedMove(api, await send(fileOf(years)))
      assert.deepEqual([move.movedScans, move.skippedVisits, move.visitProblems], [1, 1, []])
      const [poster] = await codes()
      assert.deepEqual([poster?.totalScans, poster?.scansBefore], [1, 999])
    }),
  )

  test(
    'need columns with the code and the time, and a file',
    withWorker(async (db) => {
      for (const [visits, message] of [
        ['date,country\n2024-01-01,DE\n', /^visits: has no column with the short code/],
        ['shortCode\nPoster\n', /^visits: has no column with the time/],
        ['', /^visits: is empty/],
        ['\ufeff', /^visits: is empty/],
        ['shortCode,date\n', /^visits: has no visits; leave the file out/],
        ['shortCode;date\n;;;\n ; \n', /^visits: has no visits/],
        ['shortCode,date\n"Poster', /^visits: /],
      ] as const) {
        const answer = await send(visits)
        assert.equal(answer.statusCode, 400, answer.body)
        assert.match(answer.json<ErrorBody>().message, message)
      }
      assert.deepEqual(await db.kysely.selectFrom('import_chunks').select('chunk').execute(), [])
    }),
  )

  const cancelled = async (db: Database, id: string) =>
    cancelImport(
      db,
      { organizationId: api.orgId, id },
      { preset: 'move', origin: someOrigin, nowMs: Date.now() },
    )

  test(
    'that are in the store when the move is cancelled are counted, in one place',
    withWorker(
      async () => {
        const visits = someVisits(60).map((visit) => ({ ...visit, code: 'Poster' }))
        const move = await endedMove(
          api,
          await send(fileOf(visits.map((one) => ({ ...one, timeMs: fixedMs })))),
        )
        assert.equal(move.status, 'CANCELLED')
        await compareCancelled(move.id, visits)
      },
      (db) => ({
        ...importer,
        store: async (catalogue, hits, commit) =>
          importer.store(catalogue, hits, async (count) => {
            await cancelled(db, hits.writer)
            await commit(count)
          }),
      }),
    ),
  )

  test(
    'that a killed worker left in the store of a cancelled move are counted by the next worker',
    withWorker(
      async (db) => {
        const visits = someVisits(60).map((visit) => ({ ...visit, code: 'Poster' }))
        const move = await endedMove(
          api,
          await send(fileOf(visits.map((one) => ({ ...one, timeMs: fixedMs })))),
        )
        assert.equal(move.status, 'CANCELLED')
        for (const endMs = Date.now() + 10_000; (await allIntents(db)).length === 0;) {
          assert.ok(Date.now() < endMs, 'no intent')
          await sleep(5)
        }
        const log = { error: () => undefined }
        const context = { calls: ingestCalls, db, store, log, isAlone: true, clock: Date.now }
        await settleStray(context as unknown as IngestContext, new Set())
        await compareCancelled(move.id, visits)
      },
      (db) => ({
        ...importer,
        store: async (catalogue, hits, commit) =>
          importer.store(catalogue, hits, async () => {
            await cancelled(db, hits.writer)
            await commit(async () => Promise.reject(new Error('killed')))
          }),
      }),
    ),
  )

  async function compareCancelled(id: string, visits: readonly FileVisit[]): Promise<void> {
    const scans = visits.filter(isScan).length
    for (const endMs = Date.now() + 10_000; ;) {
      const [poster] = await codes()
      const move = (await read(`/moves/${id}`)).json<Move>()
      const found = [poster?.totalScans, poster?.scansBefore, move.movedScans, move.movedBots]
      const expected = [scans, 1000 - visits.length, scans, visits.length - scans]
      if (Date.now() > endMs || JSON.stringify(found) === JSON.stringify(expected))
        return assert.deepEqual(found, expected)
      await sleep(10)
    }
  }
})

const fixedMs = Date.UTC(2025, 3, 4, 5, 6, 7)

const countsOf = ({ totalVisits, processedVisits, movedScans, movedBots, skippedVisits }: Move) => ({
  totalVisits,
  processedVisits,
  movedScans,
  movedBots,
  skippedVisits,
})

function byFirst([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return String(a) < String(b) ? -1 : 1
}
