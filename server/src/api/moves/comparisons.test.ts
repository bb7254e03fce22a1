import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Comparison } from '@everscan/contract/moves/comparisons.ts'
import type { Move } from '@everscan/contract/moves/moves.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { scanLocations } from '../../jobs/moves/scan-locations.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase, silentLog } from '../../db/testing/databases.ts'
import { comparisonJobs } from '../../jobs/moves/compare-job.ts'
import { createAddressLook } from '../../jobs/moves/look-at-address.ts'
import { startOldService, type OldAnswer } from '../../jobs/moves/testing/old-service.ts'
import { startJobs } from '../../jobs/start-jobs.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { endedMove, formOf, startImportWorker } from '../testing/imports.ts'

const leadsTo = (location: string): OldAnswer => ({ status: 301, headers: { location } })

const fileOf = (count: number) =>
  ['slug,url', ...Array.from({ length: count }, (_, at) => `code-${at}x,https://example.com/${at}`)].join(
    '\n',
  )

onEitherDatabase('comparisons of moves', (open) => {
  let api: TestApi

  /** Runs a test with an API, a worker, and connections to this machine if they are allowed. */
  const withWorker =
    (work: (db: Database) => Promise<void>, allowPrivate = true) =>
    async () => {
      const db = await open()
      api = await openTestApi(db)
      const { look, close } = createAddressLook({ allowPrivate })
      const options = { look, locationsOf: async (keys: readonly string[]) => scanLocations(db, keys) }
      const imports = startImportWorker(db)
      const kinds = { comparison: comparisonJobs({ ...options, pauseMs: 1 }) }
      const comparisons = startJobs({ db, kinds, log: silentLog, pollMs: 5 })
      try {
        await work(db)
      } finally {
        await Promise.all([imports.stop(), comparisons.stop()])
        close()
      }
    }

  async function move(file: string): Promise<Move> {
    const form = await formOf({ file, fields: { source: 'csv' }, fileName: 'a.csv', mediaType: 'text/csv' })
    const answer = await api.call('POST', `/organizations/${api.orgId}/moves`, {
      key: api.keys.EDITOR,
      ...form,
    })
    return endedMove(api, answer)
  }
  const start = (id: string, payload: object = {}, key = api.keys.EDITOR) =>
    api.call('POST', `/organizations/${api.orgId}/moves/${id}/compare`, { key, payload })
  const read = (id: string) =>
    api.call('GET', `/organizations/${api.orgId}/moves/${id}/compare`, { key: api.keys.VIEWER })
  async function compared(id: string, payload: object = {}): Promise<Comparison> {
    const answer = await start(id, payload)
    assert.equal(answer.statusCode, 202, answer.body)
    for (;;) {
      const now = (await read(id)).json<Comparison>()
      if (now.completedAt !== null) return now
      await sleep(5)
    }
  }

  test(
    'links that lead elsewhere at the old service are listed, asked one after the other',
    withWorker(async () => {
      const old = await startOldService((path) => {
        const at = /code-(\d+)x/.exec(path)?.[1] ?? ''
        if (at === '3') return leadsTo('https://example.com/other')
        if (at === '4') return { status: 404 }
        // From http to https, as many services do.
        if (at === '5' && !path.startsWith('/s/')) return leadsTo(`/s${path}`)
        return leadsTo(`https://EXAMPLE.com/${at}`)
      })
      try {
        const { id } = await move(fileOf(8))
        assert.equal((await read(id)).statusCode, 404)
        const { differences, ...rest } = await compared(id, { baseUrl: `${old.url}/` })
        assert.deepEqual(
          [rest.status, rest.totalLinks, rest.comparedLinks, rest.sameCount],
          ['COMPLETED', 8, 8, 6],
        )
        const [moved, gone] = differences.toSorted((a, b) => (a.shortCode < b.shortCode ? -1 : 1))
        assert.deepEqual(moved, {
          shortCode: 'code-3x',
          url: `${old.url}/code-3x`,
          oldStatus: 301,
          oldLocation: 'https://example.com/other',
          location: 'https://example.com/3',
          problem: null,
          details: [],
        })
        assert.deepEqual([gone?.shortCode, gone?.oldStatus, gone?.oldLocation], ['code-4x', 404, null])
        assert.equal(old.atOnceMax(), 1)
        assert.equal(new Set(old.asked).size, old.asked.length)
      } finally {
        await old.close()
      }
    }),
  )

  test(
    'at most 200 random links of many are asked, at the short URLs of the file; the answer here is the current one',
    withWorker(async () => {
      const old = await startOldService((path) => leadsTo(`https://example.com${path}`))
      try {
        const rows = Array.from(
          { length: 1_100 },
          (_, at) => `${old.url}/code-${at}x,https://example.com/code-${at}x`,
        )
        const { id } = await move(['link,url', ...rows].join('\n'))
        const first = await compared(id)
        assert.deepEqual([first.totalLinks, first.sameCount, first.differences], [200, 200, []])
        const asked = old.asked.map((line) => Number(/code-(\d+)x/.exec(line)?.[1]))
        assert.equal(new Set(asked).size, 200)
        assert.ok(asked.some((at) => at >= 1_000) && asked.some((at) => at < 500), 'from the whole file')

        const found = await api.call('GET', `/organizations/${api.orgId}/qr-codes?search=code-${asked[0]}x`, {
          key: api.keys.VIEWER,
        })
        const [code] = found.json<{ data: { id: string }[] }>().data
        await api.call('PUT', `/organizations/${api.orgId}/qr-codes/${code?.id}`, {
          key: api.keys.EDITOR,
          payload: { data: { url: 'https://example.com/new' } },
        })
        const second = await compared(id)
        assert.deepEqual(
          second.differences.map(({ location }) => location),
          ['https://example.com/new'],
        )
      } finally {
        await old.close()
      }
    }),
  )

  test(
    'the old service gets the time that it asks for',
    withWorker(async () => {
      const old = await startOldService((path, _method, count) =>
        count === 2
          ? { status: 429, headers: { 'retry-after': '1' } }
          : leadsTo(`https://example.com/${/code-(\d+)x/.exec(path)?.[1]}`),
      )
      try {
        const { id } = await move(fileOf(3))
        const fromMs = performance.now()
        const { sameCount, differences } = await compared(id, { baseUrl: old.url })
        assert.deepEqual([sameCount, differences], [3, []])
        assert.ok(performance.now() - fromMs >= 1_000)
        assert.equal(old.asked.length, 4)
      } finally {
        await old.close()
      }
    }),
  )

  test(
    'a service that is not there ends the comparison early, and private addresses are not asked',
    withWorker(async () => {
      const { id } = await move(fileOf(30))
      const failed = await compared(id, { baseUrl: 'http://127.0.0.1:9' })
      assert.deepEqual([failed.status, failed.comparedLinks], ['FAILED', 5])
      assert.match(failed.failureReason ?? '', /127\.0\.0\.1:9 gives no answer: .*public address/)
      assert.deepEqual(
        [failed.problem, failed.values],
        ['serviceSilent', { service: '127.0.0.1:9', last: 'hostNotPublic', host: '127.0.0.1' }],
      )
      for (const { problem, details } of failed.differences)
        assert.deepEqual([details[0]?.problem, details[0]?.message], ['hostNotPublic', problem])
    }, false),
  )

  test(
    'what cannot be compared is refused, and names the field',
    withWorker(async () => {
      const { id } = await move(fileOf(1))
      const without = await start(id)
      assert.equal(without.statusCode, 400, without.body)
      assert.equal(without.json<ErrorBody>().details?.[0]?.path, 'baseUrl')
      for (const baseUrl of ['ftp://example.com', 'https://qr.example.com/', 'https://a:b@example.com'])
        assert.equal((await start(id, { baseUrl })).statusCode, 400, baseUrl)
      assert.equal((await start(id, {}, api.keys.VIEWER)).statusCode, 403)
      assert.equal((await start('job_x')).statusCode, 404)
      const none = await move('slug,url\nabc,x')
      assert.equal((await start(none.id, { baseUrl: 'https://example.com' })).statusCode, 409)
    }),
  )
})
