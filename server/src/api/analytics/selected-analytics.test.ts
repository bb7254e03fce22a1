import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { CodeFiguresPage } from '@everscan/contract/resources/analytics-codes.ts'
import type { OrganizationAnalytics, QrCodeAnalytics } from '@everscan/contract/resources/analytics.ts'
import { pick, seededRandom } from '@everscan/contract/testing/random.ts'
import { readPeriod } from '../../analytics/figures/period.ts'
import { readCsv } from '../../analytics/testing/csv.ts'
import {
  referenceCodes,
  referenceFigures,
  referenceHits,
  referenceMatrix,
  referenceTopQrCodes,
} from '../../analytics/testing/reference-analytics.ts'
import type { ScanRow } from '../../analytics/insert/scan-row.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { startIngestSuite } from '../../ingest/testing/ingest.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { createCodes, get, ingest, json, rawScan, recordScans, type Query } from '../testing/scanned-codes.ts'

const { remove, root, scanStore, store } = await startIngestSuite()
after(remove)

const nowMs = Date.UTC(2026, 2, 31, 12)
const soak = process.env['SOAK'] === '1'

async function change(api: TestApi, id: string, payload: object): Promise<void> {
  const path = `/organizations/${api.orgId}/qr-codes/${id}`
  const { statusCode, body } = await api.call('PUT', path, { key: api.keys.ADMIN, payload })
  assert.equal(statusCode, 200, body)
}

async function createFolder(api: TestApi, payload: object): Promise<string> {
  const path = `/organizations/${api.orgId}/folders`
  return (await api.call('POST', path, { key: api.keys.ADMIN, payload })).json<{ id: string }>().id
}

async function csvOf(api: TestApi, path: string, query: Query): Promise<string[][]> {
  const answer = await get(api, path, query)
  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
  assert.match(String(answer.headers['content-disposition']), /^attachment; filename=/)
  return readCsv(answer.body.replaceAll('\r\n', '\n'))
}

/** The codes of an organization and what selects some of them. */
async function campaigns(api: TestApi) {
  const ids = await createCodes(api, 8)
  const [a = '', b = '', c = '', d = '', deleted = ''] = ids
  const parent = await createFolder(api, { name: 'Spring' })
  const child = await createFolder(api, { name: 'Posters', parentId: parent })
  await change(api, a, { folderId: parent, tags: ['x', 'y'] })
  await change(api, b, { folderId: child, tags: ['x'] })
  await change(api, c, { tags: ['y', 'x'], status: 'ARCHIVED', name: '=SUM(A1), "Café"' })
  const others = ids.filter((id) => ![a, b, deleted].includes(id))
  const selections: readonly [query: Query, ids: readonly string[]][] = [
    [{ folderId: [parent] }, [a, b]],
    [{ folderId: [child] }, [b]],
    [{ folderId: ['none'] }, others],
    [{ folderId: ['fld_unknown'] }, []],
    [{ tag: ['x'] }, [a, b, c]],
    [{ tag: ['x', 'y'] }, [a, c]],
    [{ tag: ['x'], folderId: [parent] }, [a, b]],
    [{ tag: ['z'] }, []],
    [{ type: ['URL'] }, ids.filter((id) => id !== deleted)],
    [{ type: ['WIFI'] }, []],
    [{ ids: [`${a}, ${d}`, a, 'qr_unknown', deleted] }, [a, d]],
    [{ ids: [a, b], tag: ['y'] }, [a]],
  ]
  return { ids, deleted, selections }
}

onEitherDatabase('analytics of selected codes', (open) => {
  test('200: figures, matrix, table and export of folders, tags, types and ids report the same scans', async () => {
    const random = seededRandom()
    const db = await open()
    const api = await openTestApi(db, { store: scanStore, clock: () => nowMs })
    const { ids, deleted, selections } = await campaigns(api)
    const truth = await recordScans(api, { db, random, ids: ids.slice(0, 6), scansMade: 500, store, root })
    const path = `/organizations/${api.orgId}/qr-codes/${deleted}`
    await api.call('DELETE', path, { key: api.keys.ADMIN })
    const kept = ids.filter((id) => id !== deleted)

    const chosen = [[{}, undefined] as const, ...selections]
    for (const [selection, selected] of soak ? [...chosen, ...chosen, ...chosen] : chosen) {
      const sample = pick(random, truth)
      const query: Query = {
        ...selection,
        startDate: [pick(random, ['2025-10-01', '2025-12-24', '2026-03-01'])],
        endDate: ['2026-03-31'],
        timezone: [pick(random, ['UTC', 'Europe/Berlin'])],
        ...(random() < 0.3 && { country: [`!${sample.country}`] }),
        ...(random() < 0.3 && { os: [sample.os] }),
      }
      await compare(api, { query, truth, selected, kept })
    }
  })

  test('200: an hour that clocks show twice is two buckets, one that they skip is none', async () => {
    const db = await open()
    const api = await openTestApi(db, { store: scanStore, clock: () => nowMs })
    const [id = ''] = await createCodes(api, 1)
    const times = ['2025-10-26T00:10Z', '2025-10-26T00:50Z', '2025-10-26T01:30Z', '2025-10-26T23:30Z']
    const scans = times.map((time, visitor) => rawScan(api, { id, visitor, timeMs: Date.parse(time) }))
    await ingest(db, { store, root }, [scans])
    const day = async (date: string) => {
      const query = { startDate: [date], endDate: [date], interval: ['hour'], timezone: ['Europe/Berlin'] }
      const { timeline } = await json<QrCodeAnalytics>(api, `/${id}/analytics`, query)
      assert.deepEqual((await json<OrganizationAnalytics>(api, '/analytics', query)).timeline, timeline)
      return timeline
    }
    const autumn = await day('2025-10-26')
    assert.equal(autumn.length, 25)
    for (const [start, count] of [
      ['2025-10-25T22:00:00.000Z', 0],
      ['2025-10-26T00:00:00.000Z', 2],
      ['2025-10-26T01:00:00.000Z', 1],
      ['2025-10-26T02:00:00.000Z', 0],
    ] as const)
      assert.deepEqual(
        autumn.find((bucket) => bucket.start === start),
        { date: '2025-10-26', start, scans: count, uniqueScans: count },
      )
    assert.equal(
      autumn.reduce((sum, { scans: count }) => sum + count, 0),
      3,
    )
    assert.equal((await day('2026-03-29')).length, 23)
  })

  test('200: the table compares with as many days before, of today only the past part', async () => {
    const db = await open()
    const api = await openTestApi(db, { store: scanStore, clock: () => nowMs })
    const [grown = '', fresh = '', none = ''] = await createCodes(api, 3)
    const scan = (id: string, time: string, visitor = 1) =>
      rawScan(api, { id, visitor, timeMs: Date.parse(time) })
    await ingest(db, { store, root }, [
      [
        scan(grown, '2026-03-29T11:00Z'),
        scan(grown, '2026-03-29T13:00Z'),
        scan(grown, '2026-03-30T11:00Z'),
        scan(grown, '2026-03-30T13:00Z'),
        scan(grown, '2026-03-30T14:00Z', 2),
        scan(grown, '2026-03-31T11:00Z'),
        scan(fresh, '2026-03-31T11:00Z'),
      ],
    ])
    const rows = async (query: Query) =>
      (await json<CodeFiguresPage>(api, '/analytics/codes', query)).data.map(
        ({ qrCodeId, scans, uniqueScans, percentage, previousScans, change: percent }) => [
          qrCodeId,
          scans,
          uniqueScans,
          percentage,
          previousScans,
          percent,
        ],
      )
    const [one, two] = [{ startDate: ['2026-03-31'] }, { startDate: ['2026-03-30'], endDate: ['2026-03-30'] }]
    assert.deepEqual(await rows(one), [
      [grown, 1, 0, 50, 1, 0],
      [fresh, 1, 1, 50, 0, null],
      [none, 0, 0, 0, 0, null],
    ])
    assert.deepEqual(await rows(two), [
      [grown, 3, 1, 100, 2, 50],
      [fresh, 0, 0, 0, 0, null],
      [none, 0, 0, 0, 0, null],
    ])
    const byName = await json<CodeFiguresPage>(api, '/analytics/codes', { sort: ['name'], limit: ['2'] })
    assert.deepEqual(
      [byName.data.map(({ name }) => name), byName.pagination.total],
      [['Code 2', 'Code 1'], 3],
    )
    const past = await json<CodeFiguresPage>(api, '/analytics/codes', { page: ['9'] })
    assert.deepEqual([past.data, past.pagination.total], [[], 3])
  })

  test('400: no ids, or more than 1,000; 200: 1,000 ids that do not exist select nothing', async () => {
    const api = await openTestApi(await open(), { store: scanStore })
    const [id = ''] = await createCodes(api, 1)
    const many = Array.from({ length: 1_000 }, (_, index) => `qr_${String(index).padStart(26, '0')}`)
    for (const path of ['/analytics', '/analytics/codes', '/analytics/export']) {
      for (const ids of [[''], [','], [[...many, id].join()], [...many, id]]) {
        const answer = await get(api, path, { ids })
        assert.equal(answer.statusCode, 400, `${path}: ${answer.body}`)
      }
      for (const ids of [many, [many.join()]]) {
        const answer = await get(api, path, { ids })
        assert.equal(answer.statusCode, 200, `${path}: ${answer.body}`)
      }
    }
    const { summary, topQrCodes } = await json<OrganizationAnalytics>(api, '/analytics', { ids: many })
    assert.deepEqual([summary.totalScans, summary.totalQrCodes, topQrCodes], [0, 0, []])
  })

  test('503: an unavailable scan store', async () => {
    const api = await openTestApi(await open())
    await createCodes(api, 1)
    for (const path of [
      '/analytics?type=URL',
      '/analytics/codes',
      '/analytics/export?type=URL',
      '/analytics/export',
    ])
      assert.equal((await get(api, path)).statusCode, 503, path)
  })
})

type Counted = Pick<CodeFiguresPage['data'][number], 'qrCodeId' | 'scans' | 'uniqueScans' | 'percentage'>

function counted({ qrCodeId, scans, uniqueScans, percentage }: Counted): Counted {
  return { qrCodeId, scans, uniqueScans, percentage }
}

/** Compares every surface for one selection with the truth, and so with each other. */
async function compare(
  api: TestApi,
  asked: {
    query: Query
    truth: readonly ScanRow[]
    selected: readonly string[] | undefined
    kept: readonly string[]
  },
): Promise<void> {
  const { query, truth, selected, kept } = asked
  const { startDate, endDate, timezone, country, os } = query
  const period = readPeriod({ startDate: startDate?.[0], endDate: endDate?.[0], timezone: timezone?.[0] })
  const filters = { ...(country && { country }), ...(os && { os }) }
  const scope = { organizationId: api.orgId, filters, ...period }
  const context = JSON.stringify(query)
  const hits = referenceHits(truth, scope, selected)
  const listed = selected ?? kept

  const { topQrCodes, organizationId, marks, matrix, summary, ...figures } =
    await json<OrganizationAnalytics>(api, '/analytics', {
      ...query,
      interval: ['week'],
      matrix: ['code,city'],
    })
  const { totalQrCodes, activeQrCodes, ...scanSummary } = summary
  const { qrCodes = [], ...cells } = matrix ?? assert.fail('there is no matrix')
  assert.deepEqual([organizationId, marks], [api.orgId, []])
  assert.deepEqual(
    { summary: scanSummary, ...figures },
    referenceFigures(hits, { ...period, interval: 'week' }),
    context,
  )
  assert.deepEqual(cells, referenceMatrix(hits, ['code', 'city']), context)
  assert.deepEqual(
    qrCodes.map(({ qrCodeId }) => qrCodeId),
    cells.rows.filter((id) => kept.includes(id)),
  )
  const archived = listed.includes(kept[2] ?? '') ? 1 : 0
  assert.deepEqual([totalQrCodes, activeQrCodes], [listed.length, listed.length - archived], context)
  assert.deepEqual(topQrCodes.map(counted), referenceTopQrCodes(hits, listed), context)

  const rows: CodeFiguresPage['data'] = []
  for (let page = 1; ; page++) {
    const part = await json<CodeFiguresPage>(api, '/analytics/codes', {
      ...query,
      limit: ['3'],
      page: [String(page)],
    })
    assert.equal(part.pagination.total, listed.length)
    rows.push(...part.data)
    if (!part.pagination.hasNext) break
  }
  assert.deepEqual(rows.map(counted), referenceCodes(hits, [], listed).map(counted), context)

  const [header, ...lines] = await csvOf(api, '/analytics/export', query)
  assert.equal(
    header?.join(),
    'qr_code_id,short_code,name,timestamp,country,city,device_type,os,browser,is_unique',
  )
  const shortCodes = new Map(rows.map(({ qrCodeId, shortCode }) => [qrCodeId, shortCode]))
  for (const [id = '', shortCode = '', name = ''] of lines) {
    if (shortCodes.has(id)) assert.equal(shortCode, shortCodes.get(id))
    else assert.deepEqual([shortCode.length, name], [7, ''], 'a deleted code')
    if (id === kept[2]) assert.equal(name, `'=SUM(A1), "Café"`)
  }
  assert.deepEqual(
    lines.map(([id, , , timestamp, , , , , , isUnique]) => [id, timestamp, isUnique]),
    hits
      .filter(({ isBot }) => !isBot)
      .toSorted((a, b) => (a.qrCodeId < b.qrCodeId ? -1 : Number(a.qrCodeId > b.qrCodeId)))
      .map((hit) => [hit.qrCodeId, new Date(hit.timeMs).toISOString(), String(hit.isUnique)]),
    context,
  )
  await compareCsv(api, { query, summary: scanSummary, figures })
}

async function compareCsv(
  api: TestApi,
  {
    query,
    summary,
    figures,
  }: {
    query: Query
    summary: Omit<OrganizationAnalytics['summary'], 'totalQrCodes' | 'activeQrCodes'>
    figures: Pick<OrganizationAnalytics, 'timeline' | 'geography'>
  },
): Promise<void> {
  const asked = { ...query, format: ['csv'], interval: ['week'], matrix: ['country,os'] }
  const [columns, ...table] = await csvOf(api, '/analytics', asked)
  assert.equal(columns?.join(), 'section,key,key2,scans,unique_scans,percentage')
  const section = (name: string) => table.filter(([first]) => first === name).map(([, ...rest]) => rest)
  const { totalScans, uniqueScans, botScans } = summary
  assert.deepEqual(section('summary'), [
    ['totalScans', '', String(totalScans), String(uniqueScans), ''],
    ['botScans', '', String(botScans), '', ''],
  ])
  assert.deepEqual(
    section('timeline'),
    figures.timeline.map((bucket) => [bucket.date, '', String(bucket.scans), String(bucket.uniqueScans), '']),
  )
  assert.deepEqual(
    section('regions'),
    figures.geography.regions.map(({ region, country, scans, percentage }) => [
      region,
      country,
      String(scans),
      '',
      String(percentage),
    ]),
  )
  const cells = [...section('matrix'), ...section('matrixOther')].map((row) => Number(row[2]))
  assert.equal(
    cells.reduce((sum, count) => sum + count, 0),
    totalScans,
  )
}
