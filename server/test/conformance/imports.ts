import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ImportJob, StartImport } from '@everscan/client/create-client.ts'
import { keysOf } from '@everscan/contract/schema/records.ts'
import { contents } from './contents.ts'
import { rejection, timestampForm, type Installation, type Tenant } from './installation.ts'

const tenMb = 10 * 1024 * 1024

/** Bulk import: sections 1 to 4, 7 and 8 of the specification, 7 of the decisions. */
export function importRules(of: Installation): void {
  describe('imports', () => {
    let org: Tenant
    before(async () => {
      org = await of.organization()
    })
    const start = (file: StartImport['file'], more: Partial<StartImport> = {}) =>
      org.client.imports.start(org.orgId, { type: 'URL', file, ...more })
    const ended = async (job: ImportJob): Promise<ImportJob> =>
      org.client.imports.waitFor(org.orgId, job.id, { pollMs: 20 })
    const imported = async (file: StartImport['file'], more: Partial<StartImport> = {}) =>
      ended(await start(file, more))
    const named = async (search: string) =>
      (await org.client.qrCodes.list(org.orgId, { search, limit: 100, order: 'asc' })).data

    test('decisions 7: start is 202 with the job record; decisions 1: and Location', async () => {
      const started = await start('name,url\nA,https://example.com/', { fileName: 'codes.csv' })
      const { status, headers } = org.last()
      assert.equal(status, 202)
      assert.equal(
        headers.get('location'),
        `/api/v1/organizations/${org.orgId}/qr-codes/bulk-import/${started.id}`,
      )
      assert.deepEqual(started, {
        id: started.id,
        status: 'PENDING',
        type: 'URL',
        fileName: 'codes.csv',
        dryRun: false,
        styleId: null,
        folderId: null,
        repairOf: null,
        totalRows: 1,
        processedRows: 0,
        successCount: 0,
        errorCount: 0,
        errors: [],
        errorsTruncated: false,
        createdAt: started.createdAt,
        completedAt: null,
        failureReason: null,
        problem: null,
        values: null,
      })
      const job = await ended(started)
      assert.deepEqual(Object.keys(job), Object.keys(started))
    })

    test('spec 2: the job record; COMPLETED also with row errors, the other rows are still counted', async () => {
      const job = await imported('name,url\nGood,https://example.com/\n,https://example.com/\nBad,nope\n')
      const { status, type, totalRows, processedRows, successCount, errorCount } = job
      assert.deepEqual(
        { status, type, totalRows, processedRows, successCount, errorCount },
        { status: 'COMPLETED', type: 'URL', totalRows: 3, processedRows: 3, successCount: 1, errorCount: 2 },
      )
      assert.match(job.createdAt, timestampForm)
      assert.match(job.completedAt ?? '', timestampForm)
      assert.ok(String(job.completedAt) >= job.createdAt)
      assert.equal((await named('Good')).length, 1)
      assert.equal((await named('Bad')).length, 0)
    })

    test('decisions 7: errors are {row, error} and line, column, code; row counts data rows from 1, line lines of the file', async () => {
      const { errors } = await imported(
        'name,url\n"Two\nlines",https://example.com/\n\nB,ftp://example.com\n"Two\nmore",x\n,https://example.com/',
      )
      assert.deepEqual(
        errors.map(({ row, line, column, code }) => [row, line, column, code]),
        [
          [1, 2, 'name', 'VALIDATION_ERROR'],
          [2, 5, 'url', 'VALIDATION_ERROR'],
          [3, 6, 'name', 'VALIDATION_ERROR'],
          [4, 8, 'name', 'VALIDATION_ERROR'],
        ],
      )
      for (const { error } of errors) assert.match(error, /^\S.{5,}$/)
    })

    test('spec 4: url must start with http:// or https://', async () => {
      const urls = ['http://a.example', 'HTTPS://a.example', 'a.example', 'ftp://a.example', 'javascript:x']
      const { successCount, errors } = await imported(`name,url\n${urls.map((url) => `U,${url}`).join('\n')}`)
      assert.equal(successCount, 2)
      assert.deepEqual(
        errors.map(({ row, column }) => `${row} ${column}`),
        ['3 url', '4 url', '5 url'],
      )
    })

    test('spec 4: tags in one cell are separated by semicolons; folder is a folder name, decisions 7: made when missing', async () => {
      const there = await org.client.folders.create(org.orgId, { name: 'There' })
      await imported(
        'name,url,folder,tags\nFiled 1,https://example.com/,There,spring; print ;\nFiled 2,https://example.com/,New,\nFiled 3,https://example.com/,New,a',
      )
      const [first, second, third] = await named('Filed')
      assert.deepEqual([first?.folderId, first?.tags], [there.id, ['spring', 'print']])
      assert.deepEqual([second?.tags, third?.tags], [[], ['a']])
      const made = await org.client.folders.read(org.orgId, second?.folderId ?? '')
      assert.deepEqual([made.name, made.qrCodeCount, made.id], ['New', 2, third?.folderId])
    })

    test('spec 3: the import runs in the background; decisions 7: PENDING, PROCESSING, COMPLETED', async () => {
      const file = `name,url\n${'A,https://example.com/\n'.repeat(3_000)}`
      const { id } = await start(file)
      const states = new Set<string>()
      const processed: number[] = []
      const job = await org.client.imports.waitFor(org.orgId, id, {
        pollMs: 5,
        onProgress: ({ status, processedRows, successCount }) => {
          states.add(status)
          processed.push(processedRows)
          assert.equal(successCount, processedRows)
        },
      })
      assert.equal(job.successCount, 3_000)
      const order = ['PENDING', 'PROCESSING', 'COMPLETED']
      assert.deepEqual(
        [...states],
        order.filter((state) => states.has(state)),
      )
      assert.ok(states.has('PROCESSING'), [...states].join())
      assert.deepEqual(
        processed,
        processed.toSorted((a, b) => a - b),
      )
    })

    test('decisions 7: cancel: CANCELLED; one that has ended is 409', async () => {
      const { id } = await start(`name,url\n${'Cancelled,https://example.com/\n'.repeat(10_000)}`)
      const cancelled = await org.client.imports.cancel(org.orgId, id)
      assert.equal(cancelled.status, 'CANCELLED')
      const job = await org.client.imports.waitFor(org.orgId, id, { pollMs: 20 })
      assert.equal(job.status, 'CANCELLED')
      assert.ok(job.processedRows < 10_000)
      const { successCount } = await org.client.imports.read(org.orgId, id)
      const { pagination } = await org.client.qrCodes.list(org.orgId, { search: 'Cancelled', limit: 1 })
      assert.equal(pagination.total, successCount)
      const done = await imported('name,url\nA,https://example.com/')
      await rejection(org.client.imports.cancel(org.orgId, done.id), 409, 'CONFLICT')
    })

    test('decisions 7: dryRun=true validates and writes nothing', async () => {
      const file = 'name,url,folder\nDry,https://example.com/,Dry folder\nDry,nope,'
      const job = await imported(file, { dryRun: true })
      assert.deepEqual([job.dryRun, job.successCount, job.errorCount], [true, 1, 1])
      assert.deepEqual(await named('Dry'), [])
      assert.deepEqual((await org.client.folders.list(org.orgId, { search: 'Dry' })).data, [])
    })

    test('decisions 7: the list is the envelope, newest first, without errors', async () => {
      const bad = await imported('name,url\nA,nope', { dryRun: true })
      const last = await imported('name,url\nA,https://example.com/', { dryRun: true })
      const { data, pagination } = await org.client.imports.list(org.orgId, { limit: 2 })
      assert.deepEqual(
        data.map(({ id }) => id),
        [last.id, bad.id],
      )
      assert.deepEqual([pagination.page, pagination.limit, pagination.hasNext], [1, 2, true])
      const { errors, errorsTruncated, ...summary } = bad
      assert.deepEqual([errors.length, errorsTruncated], [1, false])
      assert.deepEqual(data[1], summary)
    })

    test('decisions 7: shortCode, createdAt (not in the future), status and metadata.* for every type', async () => {
      const shortCode = `Import-${Date.now()}`
      const file = [
        'name,url,shortCode,createdAt,STATUS,Metadata.orderNo,metadata.OrderNo',
        `Columns A,https://example.com/,${shortCode},2024-02-29T12:30:00+02:00,archived,a-1,A-1`,
        'Columns B,https://example.com/,,2024-02-28,,,',
        `Columns C,https://example.com/,${shortCode.toUpperCase()},,,,`,
        'Columns D,https://example.com/,,2999-01-01,,,',
        'Columns E,https://example.com/,,31.01.2024,,,',
        'Columns F,https://example.com/,,,DELETED,,',
      ].join('\n')
      const dry = await imported(file, { dryRun: true })
      const job = await imported(file)
      assert.deepEqual(
        job.errors.map(({ line, column, code }) => [line, column, code]),
        [
          [4, 'shortCode', 'CONFLICT'],
          [5, 'createdAt', 'VALIDATION_ERROR'],
          [6, 'createdAt', 'VALIDATION_ERROR'],
          [7, 'status', 'VALIDATION_ERROR'],
        ],
      )
      assert.deepEqual(dry.errors, job.errors)
      const [b, a] = await named('Columns')
      assert.deepEqual(
        [a?.name, a?.shortCode, a?.createdAt, a?.status, a?.metadata],
        ['Columns A', shortCode, '2024-02-29T10:30:00.000Z', 'ARCHIVED', { orderNo: 'a-1', OrderNo: 'A-1' }],
      )
      assert.deepEqual(
        [b?.name, b?.createdAt, b?.status, b?.metadata],
        ['Columns B', '2024-02-28T00:00:00.000Z', 'ACTIVE', {}],
      )
      assert.ok(String(a?.id) < String(b?.id), 'ids sort by import')
      const again = await imported(file.split('\n').slice(0, 2).join('\n'), { dryRun: true })
      assert.deepEqual([again.errors[0]?.column, again.errors[0]?.code], ['shortCode', 'CONFLICT'])
    })

    test('decisions 7: at most 1,000 entries in the record, errorsTruncated; all of them in errors.csv', async () => {
      const rows = Array.from({ length: 1_001 }, (_, index) => `Row ${index + 1},nope`)
      const job = await imported(`name,url\n${rows.join('\n')}`)
      assert.deepEqual([job.errorCount, job.errors.length, job.errorsTruncated], [1_001, 1_000, true])
      const lines = (await org.client.imports.errorsCsv(org.orgId, job.id)).trimEnd().split('\r\n')
      assert.equal(lines.length, 1_002)
      assert.match(lines.at(-1) ?? '', /^Row 1001,nope,1001,/)
    })

    test('decisions 7: errors.csv has the rejected rows with their reason, ready to fix and upload again', async () => {
      const { id } = await imported('name,url,tags\nGood,https://example.com/,a\n"Mend, me",nope,a;b\n')
      const csv = await org.client.imports.errorsCsv(org.orgId, id)
      assert.match(csv, /^name,url,tags,row,error\r\n"Mend, me",nope,a;b,2,.*http/)
      const { status, headers } = org.last()
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/csv; charset=utf-8'])
      const again = await imported(csv.replace('nope', 'https://example.com/mended'))
      assert.deepEqual([again.successCount, again.errorCount], [1, 0])
      const [code] = await named('Mend, me')
      assert.deepEqual([code?.data, code?.tags], [{ url: 'https://example.com/mended' }, ['a', 'b']])
    })

    test('decisions 7: no file, no type, missing or doubled column: 400', async () => {
      const file = new Blob(['name,url\nA,https://example.com/'])
      const path = '/qr-codes/bulk-import'
      await org.refused(['POST', path, form(['type', 'URL'])], 400, 'VALIDATION_ERROR', /file/)
      await org.refused(['POST', path, form(['file', file])], 400, 'VALIDATION_ERROR', /type/)
      const wrongType = form(['type', 'url'], ['file', file])
      await org.refused(['POST', path, wrongType], 400, 'VALIDATION_ERROR', /type/)
      const more = form(['type', 'URL'], ['colour', 'red'], ['file', file])
      await org.refused(['POST', path, more], 400, 'VALIDATION_ERROR', /colour/)
      await rejection(start('name\nA'), 400, 'VALIDATION_ERROR', /url/)
      await rejection(start('name,url,URL\nA,x,x'), 400, 'VALIDATION_ERROR', /URL.*twice/)
      await rejection(start('name,url,colour\nA,x,x'), 400, 'VALIDATION_ERROR', /colour/)
      await rejection(start('A,https://example.com/'), 400, 'VALIDATION_ERROR')
    })

    test('spec 8: 10,000 rows per CSV file; decisions 7: over that 400 TOO_MANY_ROWS', async () => {
      const rows = 'A,https://example.com/\n'.repeat(10_000)
      const job = await start(`name,url\n${rows}`, { dryRun: true })
      assert.equal(job.totalRows, 10_000)
      await rejection(start(`name,url\n${rows}A,https://example.com/`), 400, 'TOO_MANY_ROWS', /10,?000/)
      await org.client.imports.cancel(org.orgId, job.id)
    })

    test('spec 8: CSV file size 10 MB; decisions 7: over that 413', async () => {
      // Rows of empty lines, so that the size alone is the limit that is met.
      const header = 'name,url\nA,https://example.com/\n'
      const whole = header + '\n'.repeat(tenMb - header.length)
      assert.equal((await imported(whole, { dryRun: true })).successCount, 1)
      await rejection(start(`${whole}\n`), 413, 'PAYLOAD_TOO_LARGE', /10 MB/)
    })

    test('decisions 7: not a CSV: 415', async () => {
      const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])
      await rejection(start(png), 415, 'UNSUPPORTED_MEDIA_TYPE')
      await rejection(start(Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0])), 415, 'UNSUPPORTED_MEDIA_TYPE')
    })

    const text = 'name,url,tags\nKäse-€,https://example.com/,"a;b"\n'
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
    for (const [what, file] of [
      ['UTF-8', text],
      ['BOM', `\ufeff${text}`],
      ['UTF-16, little endian', utf16],
      ['UTF-16, big endian', Buffer.from(utf16).swap16()],
      ['Windows-1252', Buffer.from(text.replace('€', '\x80'), 'latin1')],
      ['CRLF', text.replaceAll('\n', '\r\n')],
      ['semicolon', text.replace('"a;b"', 'a').replaceAll(',', ';').replace(';a\n', ';"a;b"\n')],
      ['tab', text.replaceAll(',', '\t')],
      ['headers in any letter case', text.replace('name,url,tags', 'NAME,Url,tAgS')],
      ['columns in any order', 'tags,url,name\na;b,https://example.com/,Käse-€'],
    ] as const)
      test(`decisions 7: read: ${what}`, async () => {
        const bytes = typeof file === 'string' ? file : new Uint8Array(file)
        const job = await imported(bytes)
        assert.deepEqual([job.successCount, job.errors], [1, []])
        const [code] = (await org.client.qrCodes.list(org.orgId, { limit: 1 })).data
        assert.deepEqual(
          [code?.name, code?.data, code?.tags],
          ['Käse-€', { url: 'https://example.com/' }, ['a', 'b']],
        )
      })

    test('decisions 7: read: quoted line breaks', async () => {
      const file = 'name,text\nQuoted,"First, line\nsecond ""line"""\n'
      const job = await imported(file, { type: 'TEXT' })
      assert.equal(job.successCount, 1)
      assert.deepEqual((await named('Quoted'))[0]?.data, { text: 'First, line\nsecond "line"' })
    })

    test('spec 4: sample is a fixed path segment, not an import job identifier', async () => {
      await org.refused(['GET', '/qr-codes/bulk-import/sample'], 400, 'VALIDATION_ERROR', /type/)
      assert.equal((await org.send('GET', '/qr-codes/bulk-import/sample?type=URL')).status, 200)
      await rejection(org.client.imports.read(org.orgId, 'samples'), 404, 'NOT_FOUND')
    })

    test('decisions 7: sample is text/csv; charset=utf-8 as an attachment', async () => {
      await org.client.imports.sample(org.orgId, 'URL')
      const { status, headers } = org.last()
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/csv; charset=utf-8'])
      assert.match(headers.get('content-disposition') ?? '', /^attachment; filename=.*\.csv/)
    })

    for (const type of keysOf(contents)) {
      const [required, optional] = contents[type].columns
      test(`decisions 4: CSV columns of ${type}: name, ${[...required, ...optional].join(', ')}, and those of every type; the example row imports`, async () => {
        const sample = await org.client.imports.sample(org.orgId, type)
        const [header = '', example = '', ...rest] = sample.split('\r\n')
        const columns = ['name', ...required, ...optional, ...columnsOfEveryType]
        assert.deepEqual([header.split(','), rest], [columns, ['']])
        assert.ok(example.length > 0)
        for (const column of ['name', ...required]) {
          const without = columns.filter((name) => name !== column)
          await rejection(start(without.join(','), { type }), 400, 'VALIDATION_ERROR', new RegExp(column))
        }
        const job = await imported(sample, { type })
        assert.deepEqual([job.successCount, job.errors], [1, []])
        const [code] = (await org.client.qrCodes.list(org.orgId, { type, limit: 1 })).data
        const keys = Object.keys(code?.data ?? {})
        assert.deepEqual([code?.status, code?.metadata], ['ACTIVE', { campaign: 'spring-2026' }])
        const fields = [...required, ...optional].map((column) => column.split('.')[0] ?? '')
        if (type !== 'SOCIAL') assert.deepEqual(keys.sort(), [...new Set(fields)].sort())
        else assert.deepEqual(keys, ['title', 'links'])
      })
    }
  })
}

const columnsOfEveryType = [
  'folder',
  'tags',
  'shortCode',
  'domain',
  'createdAt',
  'status',
  'metadata.campaign',
]

function form(...parts: [string, string | Blob][]): { body: FormData } {
  const body = new FormData()
  for (const [name, value] of parts) body.append(name, value)
  return { body }
}
