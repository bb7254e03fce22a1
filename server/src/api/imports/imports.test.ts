import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportJob, ImportJobPage, ImportPreview } from '@everscan/contract/resources/bulk-imports.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { importTemplate } from '@everscan/contract/code-types/import-columns.ts'
import { writeImportFile } from '@everscan/contract/code-types/import-file.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Page } from '@everscan/contract/schema/pages.ts'
import { qrCodeTypes } from '@everscan/contract/code-types/code-types.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { readCsv } from '../../analytics/testing/csv.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import type { Jobs } from '../../jobs/start-jobs.ts'
import { ended, readJob, startImportWorker, upload } from '../testing/imports.ts'
import { openTestApi, publicUrl, type TestApi } from '../testing/api.ts'
import { workbookOf } from '../testing/workbooks.ts'
import { zipOf } from '../testing/zip.ts'

onEitherDatabase('bulk import', (open) => {
  let api: TestApi

  /** Runs a test with an API and a running worker. */
  const withWorker = (work: (db: Database) => Promise<void>) => async () => {
    const db = await open()
    api = await openTestApi(db)
    const jobs: Jobs = startImportWorker(db)
    try {
      await work(db)
    } finally {
      await jobs.stop()
    }
  }
  const get = (path: string) =>
    api.call('GET', `/organizations/${api.orgId}/qr-codes${path}`, { key: api.keys.VIEWER })
  const codes = async (query = '') => (await get(`?order=asc&limit=100${query}`)).json<Page<QrCode>>().data
  const imported = async (options: Parameters<typeof upload>[1]): Promise<ImportJob> => {
    const answer = await upload(api, options)
    assert.equal(answer.statusCode, 202, answer.body)
    return ended(api, answer)
  }

  test(
    '202: rows become codes, as the record states',
    withWorker(async () => {
      const file = [
        'name,url,folder,tags',
        'Spring,https://example.com/1,Campaign,a; b;;a',
        '"Two, with comma",https://example.com/2,campaign,',
        'Drei,https://example.com/3,,c',
      ].join('\n')
      const answer = await upload(api, { file })
      const started = answer.json<ImportJob>()
      assert.equal(answer.statusCode, 202)
      assert.equal(
        answer.headers['location'],
        `/api/v1/organizations/${api.orgId}/qr-codes/bulk-import/${started.id}`,
      )
      assert.match(started.id, /^job_[0-9a-z]{26}$/)
      assert.ok(['PENDING', 'PROCESSING'].includes(started.status))
      const { createdAt, completedAt, ...job } = await ended(api, answer)
      assert.deepEqual(job, {
        id: started.id,
        status: 'COMPLETED',
        type: 'URL',
        fileName: 'codes.csv',
        dryRun: false,
        styleId: null,
        folderId: null,
        repairOf: null,
        totalRows: 3,
        processedRows: 3,
        successCount: 3,
        errorCount: 0,
        errors: [],
        errorsTruncated: false,
        failureReason: null,
        problem: null,
        values: null,
      })
      assert.equal(createdAt, started.createdAt)
      assert.ok(completedAt !== null && completedAt >= createdAt)
      const made = await codes()
      assert.deepEqual(
        made.map(({ name, data, tags, status, totalScans }) => ({ name, data, tags, status, totalScans })),
        [
          { name: 'Spring', url: 1, tags: ['a', 'b'] },
          { name: 'Two, with comma', url: 2, tags: [] },
          { name: 'Drei', url: 3, tags: ['c'] },
        ].map(({ name, url, tags }) => ({
          name,
          data: { url: `https://example.com/${url}` },
          tags,
          status: 'ACTIVE',
          totalScans: 0,
        })),
      )
      assert.equal(made[0]?.folderId, made[1]?.folderId, 'a folder is found in any letter case')
      assert.match(made[0]?.folderId ?? '', /^fld_/)
      assert.equal(made[2]?.folderId, null)
    }),
  )

  test(
    '202: codes whose row names no folder are put into the folder that the form names',
    withWorker(async () => {
      const { id: chosen } = (
        await api.call('POST', `/organizations/${api.orgId}/folders`, {
          key: api.keys.EDITOR,
          payload: { name: 'Chosen' },
        })
      ).json<{ id: string }>()
      const file = 'name,url,folder\nA,https://example.com/1,\nB,https://example.com/2,Named'
      await imported({ file, fields: { type: 'URL', folderId: chosen } })
      const [first, second] = await codes()
      assert.equal(first?.folderId, chosen)
      assert.notEqual(second?.folderId, chosen)
      assert.match(second?.folderId ?? '', /^fld_/)
    }),
  )

  test('400 for a folder that the organization does not have', async () => {
    api = await openTestApi(await open())
    const fields = { type: 'URL', folderId: 'fld_01jqzv4x8m3c5t7w9y2b4d6f8h' }
    const answer = await upload(api, { file: 'name,url\nA,https://example.com/1', fields })
    assert.equal(answer.statusCode, 400)
    assert.equal(answer.json<ErrorBody>().details?.[0]?.path, 'folderId')
  })

  test(
    'the template of every type can be imported unchanged',
    withWorker(async () => {
      for (const type of qrCodeTypes) {
        const sample = await get(`/bulk-import/sample?type=${type}`)
        assert.equal(sample.statusCode, 200)
        assert.equal(sample.headers['content-type'], 'text/csv; charset=utf-8')
        assert.match(String(sample.headers['content-disposition']), /^attachment; filename="/)
        assert.equal(
          sample.body.split('\r\n')[0],
          importTemplate(type)
            .map(({ name }) => name)
            .join(','),
        )
        const job = await imported({ file: sample.body, fields: { type } })
        assert.deepEqual([job.successCount, job.errors], [1, []], type)
        const [code] = await codes(`&type=${type}`)
        assert.ok(code)
        // Written as a row again, it is the row of the template.
        const again = writeImportFile(type, [{ ...code, folder: 'Spring campaign', domain: '' }])
        assert.deepEqual(cellsOf(again.csv), cellsOf(sample.body), type)
        assert.deepEqual([code.name, code.tags], ['Spring poster', ['spring', 'print']])
        assert.deepEqual([code.status, code.metadata], ['ACTIVE', { campaign: 'spring-2026' }])
      }
      assert.equal(new Set((await codes()).map(({ folderId }) => folderId)).size, 1)
      for (const query of ['', '?type=NOPE', '?type=URL&x=1'])
        assert.equal((await get(`/bulk-import/sample${query}`)).statusCode, 400)
    }),
  )

  test(
    'failed rows are listed with row, line and column, and the valid ones become codes',
    withWorker(async () => {
      const file = [
        'name,url,folder,tags',
        'A,https://example.com/,,',
        ',https://example.com/,,',
        '"B\nC",ftp://example.com,,',
        '',
        'D,,,',
        `E,${publicUrl}/ABC,,`,
        `F,https://example.com/,,${Array.from({ length: 51 }, (_, i) => `t${i}`).join(';')}`,
        'G,https://example.com/,,,surplus',
        `H,https://example.com/,${'f'.repeat(256)},`,
        `I,https://example.com/${'x'.repeat(17_000)},,`,
        'J,https://example.com/,,',
      ].join('\r\n')
      const job = await imported({ file })
      assert.deepEqual([job.status, job.totalRows, job.successCount, job.errorCount], ['COMPLETED', 10, 2, 8])
      assert.deepEqual(
        job.errors.map(({ row, line, column, code }) => [row, line, column, code].join(' ')),
        [
          '2 3 name VALIDATION_ERROR',
          '3 4 name VALIDATION_ERROR',
          '4 7 url VALIDATION_ERROR',
          '5 8 url VALIDATION_ERROR',
          '6 9 tags VALIDATION_ERROR',
          '7 10  VALIDATION_ERROR',
          '8 11 folder VALIDATION_ERROR',
          '9 12 url VALIDATION_ERROR',
        ],
      )
      assert.deepEqual(
        job.errors.map(({ error }) => error),
        [
          'name: must not be empty',
          'name: must not be empty or contain control characters; url: must begin with http:// or https://',
          'url: is required',
          `url: must not lead back to this service (${publicUrl})`,
          'tags: must have at most 50 entries, got 51',
          'The row must have at most 4 cells',
          'folder: must have at most 255 characters, got 256',
          'url: must have at most 16384 bytes',
        ],
      )
      assert.deepEqual(
        (await codes()).map(({ name }) => name),
        ['A', 'J'],
      )
    }),
  )

  test(
    'errors.csv has the rejected rows and can be imported after a correction',
    withWorker(async () => {
      const file = 'Name;PHONE;Tags\n=1+1;+49 30 1;a,b\n"quoted ""x""";nope;c\nfine;+49 30 2;'
      const job = await imported({ file, fields: { type: 'PHONE' } })
      assert.deepEqual([job.successCount, job.errorCount], [2, 1])
      const csv = await get(`/bulk-import/${job.id}/errors.csv`)
      assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8')
      assert.match(String(csv.headers['content-disposition']), /^attachment; filename="job_.*errors\.csv"/)
      const sentence =
        'phone: must be a phone number: digits, spaces and + - ( ) . / * # only, like ""+49 30 123456""'
      assert.equal(csv.body, `Name,PHONE,Tags,row,error\r\n"quoted ""x""",nope,c,2,"${sentence}"\r\n`)
      const again = await imported({ file: csv.body.replace('nope', '+49 30 3'), fields: { type: 'PHONE' } })
      assert.deepEqual([again.successCount, again.errorCount], [1, 0])
      assert.deepEqual(
        (await codes()).map(({ name, data }) => [name, data]),
        [
          ['=1+1', { phone: '+49 30 1' }],
          ['fine', { phone: '+49 30 2' }],
          ['quoted "x"', { phone: '+49 30 3' }],
        ],
      )
    }),
  )

  test(
    'errors.csv escapes cells that a spreadsheet would run, and importing it removes the escapes',
    withWorker(async () => {
      const lines = ['=cmd()', '+1', '-1', '@x', 'a\u0007'].map((name) => `"${name}",nope`)
      const job = await imported({ file: ['name,url', ...lines].join('\n') })
      const { body } = await get(`/bulk-import/${job.id}/errors.csv`)
      for (const start of ["'=cmd()", "'+1", "'-1", "'@x"]) assert.ok(body.includes(start), body)
      await imported({ file: body.replaceAll(',nope', ',https://example.com') })
      assert.deepEqual(
        (await codes()).map(({ name }) => name),
        ['=cmd()', '+1', '-1', '@x'],
      )
    }),
  )

  test(
    'more than a thousand errors: the record has the first ones, errors.csv all',
    withWorker(async () => {
      const job = await imported({ file: `name,url\n${'x,nope\n'.repeat(2_345)}` })
      assert.deepEqual([job.errorCount, job.errors.length, job.errorsTruncated], [2_345, 1_000, true])
      assert.equal(job.errors.at(-1)?.row, 1_000)
      const { body } = await get(`/bulk-import/${job.id}/errors.csv`)
      assert.equal(body.trim().split('\r\n').length, 1 + 2_345)
    }),
  )

  test(
    'dryRun reports the same and writes nothing',
    withWorker(async (db) => {
      const file = 'name,url,folder\nA,https://example.com/,F\nB,nope,G\n'
      const job = await imported({ file, fields: { type: 'URL', dryRun: 'true' } })
      assert.deepEqual(
        [job.status, job.dryRun, job.processedRows, job.successCount, job.errorCount],
        ['COMPLETED', true, 2, 1, 1],
      )
      for (const table of ['qr_codes', 'short_codes', 'folders', 'changes', 'import_chunks'] as const)
        assert.deepEqual(await db.kysely.selectFrom(table).selectAll().execute(), [], table)
    }),
  )

  test(
    'columns with other names are mapped, and unknown ones ignored on request',
    withWorker(async () => {
      const file = 'Title,LINK,Notes,url\nA,https://example.com/1,secret,\n,nope,x,y'
      const columns = JSON.stringify({ title: 'name', ' Link ': 'url', url: null })
      const fields = { type: 'URL', columns, unknownColumns: 'ignore' }
      const job = await imported({ file, fields })
      assert.deepEqual([job.successCount, job.errorCount], [1, 1])
      assert.deepEqual(job.errors[0]?.values, { name: '', url: 'nope' })
      assert.deepEqual(
        (await codes()).map(({ name, data }) => [name, data]),
        [['A', { url: 'https://example.com/1' }]],
      )
      const { body } = await get(`/bulk-import/${job.id}/errors.csv`)
      assert.match(body, /^name,url,row,error\r\n,nope,2,/)
    }),
  )

  test('400 for a mapping that does not fit, with the field at fault', async () => {
    api = await openTestApi(await open())
    const file = 'Title,Link,Notes\nA,https://example.com/1,x'
    const cases: [Record<string, string>, RegExp][] = [
      [{ columns: '{' }, /^columns: must be JSON/],
      [{ columns: '[]' }, /^columns: must be an object/],
      [{ columns: '{"Title":7}' }, /^columns.Title: must be/],
      [
        { columns: '{"Name":"name"}', unknownColumns: 'ignore' },
        /columns: names "Name", which the file lacks/,
      ],
      [
        { columns: '{"Title":"names","Link":"url","Notes":null}' },
        /columns: has "names", which is not a column/,
      ],
      [{ columns: '{"Title":"name","Link":"url"}' }, /file: has "Notes", which is not a column of URL/],
      [{ columns: '{"Title":"name","Link":"url","Notes":"url"}' }, /file: has the column "Notes" twice/],
      [{ columns: '{"Title":"name","Link":null,"Notes":null}' }, /file: must have the column "url"/],
      [{ unknownColumns: 'drop' }, /^unknownColumns: must be one of/],
      [{ columns: `{"Title":"${'x'.repeat(300_000)}"}` }, /^columns: must have at most 262144 bytes/],
    ]
    for (const [given, expected] of cases) {
      const answer = await upload(api, { file, fields: { type: 'URL', ...given } })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json<ErrorBody>().message, expected)
    }
  })

  test(
    'repaired rows replace those of the file, and are judged like them',
    withWorker(async () => {
      const file =
        'name,url,tags\nA,nope,x\nB,nope,\nC,https://example.com/3,,surplus\nD,https://example.com/4,'
      const repairs = JSON.stringify({
        1: { url: 'https://example.com/1', folder: 'Mended' },
        2: { url: 'still wrong' },
        3: { name: '=C' },
      })
      const job = await imported({ file, fields: { type: 'URL', repairs } })
      assert.deepEqual([job.successCount, job.errorCount], [3, 1])
      const { row, line, values } = job.errors[0] ?? {}
      assert.deepEqual([row, line, values], [2, 3, { name: 'B', url: 'still wrong', tags: '', folder: '' }])
      const made = await codes()
      assert.deepEqual(
        made.map(({ name, data, tags }) => [name, data, tags]),
        [
          ['A', { url: 'https://example.com/1' }, ['x']],
          ['=C', { url: 'https://example.com/3' }, []],
          ['D', { url: 'https://example.com/4' }, []],
        ],
      )
      assert.match(made[0]?.folderId ?? '', /^fld_/)
      const again = await upload(api, {
        file,
        fields: { type: 'URL', repairs: JSON.stringify({ 5: { url: 'x' } }) },
      })
      assert.match(again.json<ErrorBody>().message, /^repairs: has the row 5, but the file has 4/)
      for (const [given, expected] of [
        ['{"0":{"url":"x"}}', /^repairs/],
        ['{"1":{"colour":"x"}}', /^repairs: has "colour", which is not a column of URL/],
        ['{"1":{"url":1}}', /^repairs/],
      ] as const) {
        const answer = await upload(api, { file, fields: { type: 'URL', repairs: given } })
        assert.equal(answer.statusCode, 400)
        assert.match(answer.json<ErrorBody>().message, expected)
      }
    }),
  )

  test(
    'an xlsx file: values as shown, and lines of the sheet',
    withWorker(async () => {
      const file = await workbookOf([
        undefined,
        ['Name', 'Phone', 'folder', 'tags'],
        [' Käse & <b> ', 4930123456, { day: 45_992 }, true],
        undefined,
        [{ xml: 't="str"><f>A3&amp;"!"</f><v>Formula</v>' }, '+49 30 2', undefined, 'a;b'],
        ['Wrong', 'nope'],
        [12.300_000_000_000_001, '+49 30 3'],
      ])
      const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
      const job = await imported({ file, fields: { type: 'PHONE' }, fileName: 'codes.xlsx', mediaType })
      assert.deepEqual([job.totalRows, job.successCount, job.errorCount], [4, 3, 1])
      assert.deepEqual([job.errors[0]?.row, job.errors[0]?.line, job.errors[0]?.column], [3, 6, 'phone'])
      const made = await codes()
      assert.deepEqual(
        made.map(({ name, data, tags }) => [name, data, tags]),
        [
          ['Käse & <b>', { phone: '4930123456' }, ['TRUE']],
          ['Formula', { phone: '+49 30 2' }, ['a', 'b']],
          ['12.3', { phone: '+49 30 3' }, []],
        ],
      )
      const folder = `/organizations/${api.orgId}/folders/${made[0]?.folderId}`
      const { name } = (await api.call('GET', folder, { key: api.keys.VIEWER })).json<{ name: string }>()
      assert.equal(name, '2025-12-01')
    }),
  )

  test('400: a file without a row of data, whatever is around it, and nothing is kept', async () => {
    const db = await open()
    api = await openTestApi(db)
    const xlsx = { fileName: 'codes.xlsx', mediaType: 'application/vnd.ms-excel' }
    const header = 'name,url\n'
    const files: [title: string, file: string | Buffer, message: RegExp, more?: typeof xlsx][] = [
      ['nothing', '', /^file: is empty/],
      ['a byte order mark', '\ufeff', /^file: is empty/],
      ['a byte order mark of UTF-16', Buffer.from('\ufeff', 'utf16le'), /^file: is empty/],
      ['line breaks', '\r\n\r\n\n', /^file: is empty/],
      ['separators', ';;;', /^file: is empty/],
      ['rows of separators', ';;;\n;;;\n', /^file: is empty/],
      ['a separator line', 'sep=;\n', /^file: is empty/],
      ['a header', header, /^file: has no row below/],
      ['a header without a line break', 'name,url', /^file: has no row below/],
      ['a header of UTF-16', Buffer.from(`\ufeff${header}`, 'utf16le'), /^file: has no row below/],
      ['a header behind a separator line', 'sep=,\nname,url\n', /^file: has no row below/],
      ['a header and blank rows', `\ufeff${header},\n ,\t\n"",""\n\n`, /^file: has no row below/],
      ['an empty sheet', await workbookOf([]), /^file: is empty/, xlsx],
      ['a sheet of empty rows', await workbookOf([[], undefined, ['', ' ']]), /^file: is empty/, xlsx],
      ['a sheet with a header', await workbookOf([['name', 'url']]), /^file: has no row below/, xlsx],
      [
        'a sheet with a header and blanks',
        await workbookOf([undefined, ['name', 'url'], ['', ' '], []]),
        /^file: has no row below/,
        xlsx,
      ],
    ]
    for (const [title, file, message, more] of files)
      for (const fields of [{ type: 'URL' }, { type: 'URL', dryRun: 'true' }]) {
        const answer = await upload(api, { file, fields, ...more })
        assert.equal(answer.statusCode, 400, `${title}: ${answer.body}`)
        assert.match(answer.json<ErrorBody>().message, message, title)
      }
    for (const table of ['jobs', 'import_chunks'] as const)
      assert.deepEqual(await db.kysely.selectFrom(table).selectAll().execute(), [], table)
  })

  test('413 and 415 for workbooks that cannot be read, and the next one is read', async () => {
    api = await openTestApi(await open())
    const sheet = 'xl/worksheets/sheet1.xml'
    const row = '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>'
    const files: [string, Buffer, number][] = [
      ['a bomb of 150 MB', await zipOf({ [sheet]: ' '.repeat(150 * 1024 * 1024) }), 413],
      ['an old workbook', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 415],
      ['another archive', await zipOf({ 'readme.txt': 'name,url' }), 415],
      ['half a workbook', (await workbookOf([['name', 'url']])).subarray(0, 300), 415],
      ['broken XML', await workbookOf([], { [sheet]: '<worksheet><sheetData><row' }), 415],
      [
        'a cell far to the right',
        await workbookOf([], {
          [sheet]: `<worksheet><sheetData>${row}<row r="2"><c r="ZZZZZZ2" t="b"><v>1</v></c></row></sheetData></worksheet>`,
        }),
        413,
      ],
      [
        'a row far below',
        await workbookOf([], {
          [sheet]: `<worksheet><sheetData>${row}<row r="99999999999"><c r="A99999999999" t="b"><v>1</v></c></row></sheetData></worksheet>`,
        }),
        413,
      ],
    ]
    for (const [title, file, status] of files) {
      const answer = await upload(api, { file, fileName: 'codes.xlsx' })
      assert.equal(answer.statusCode, status, `${title}: ${answer.body}`)
    }
    const good = await upload(api, {
      file: await workbookOf([
        ['name', 'url'],
        ['A', 'https://example.com'],
      ]),
    })
    assert.equal(good.statusCode, 202, good.body)
  })

  test('a preview has the columns and the first rows, and keeps nothing', async () => {
    const db = await open()
    api = await openTestApi(db)
    const rows = Array.from({ length: 7 }, (_, at) => `${at},x`).join('\n')
    const answer = await upload(api, {
      file: `sep=|\nTitle|Link\n${rows.replaceAll(',', '|')}`,
      fields: {},
      path: '/preview',
    })
    assert.equal(answer.statusCode, 200, answer.body)
    const read = answer.json<ImportPreview>()
    assert.deepEqual([read.header, read.totalRows, read.rows.length], [['Title', 'Link'], 7, 5])
    assert.deepEqual(read.rows[0], { line: 3, cells: ['0', 'x'] })
    for (const [given, expected] of [
      [{ file: '' }, /^file: is empty/],
      [{ file: undefined }, /^file: is required/],
      [{ file: 'a,b', fields: { type: 'URL' } }, /^type: is not a known field/],
    ] as const) {
      const refused = await upload(api, { fields: {}, ...given, path: '/preview' })
      assert.equal(refused.statusCode, 400)
      assert.match(refused.json<ErrorBody>().message, expected)
    }
    for (const table of ['jobs', 'import_chunks'] as const)
      assert.deepEqual(await db.kysely.selectFrom(table).selectAll().execute(), [], table)
  })

  test(
    'reads every encoding and delimiter that spreadsheets write',
    withWorker(async () => {
      const text = 'NAME,Url,tags\r\nCafé – Größe,https://example.com/é,ä\r\n'
      const windows = Buffer.from(text.replace('–', '\x96'), 'latin1')
      const bigEndian = Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
      const files: Record<string, Buffer> = {
        'UTF-8': Buffer.from(text),
        'UTF-8 with a mark': Buffer.from(`\ufeff${text}`),
        'UTF-16LE': Buffer.from(`\ufeff${text}`, 'utf16le'),
        'UTF-16LE without a mark': Buffer.from(text, 'utf16le'),
        'UTF-16BE': bigEndian,
        'Windows-1252': windows,
        semicolons: Buffer.from(text.replaceAll(',', ';')),
        tabs: Buffer.from(text.replaceAll(',', '\t')),
        'line feeds': Buffer.from(text.replaceAll('\r', '')),
        'carriage returns': Buffer.from(text.replaceAll('\n', '')),
        quotes: Buffer.from(text.replaceAll(/[^,\r\n]+/g, '"$&"')),
      }
      for (const [title, file] of Object.entries(files)) {
        const job = await imported({ file })
        assert.deepEqual([job.successCount, job.errors], [1, []], title)
        const code = (await codes()).at(-1)
        assert.deepEqual(
          [code?.name, code?.data, code?.tags],
          ['Café – Größe', { url: 'https://example.com/é' }, ['ä']],
          title,
        )
      }
    }),
  )

  test(
    'cells keep their meaning: white space in passwords, words for yes and no',
    withWorker(async () => {
      const file = [
        'name,ssid,password,encryption,hidden',
        ' A , Guests , p w ord ,wpa2,YES',
        'B,Net,,NOPASS,0',
        'C,Net,pw,wpa9,maybe',
      ].join('\n')
      const job = await imported({ file, fields: { type: 'WIFI' } })
      assert.deepEqual(
        (await codes()).map(({ name, data }) => [name, data]),
        [
          ['A', { ssid: ' Guests ', password: ' p w ord ', encryption: 'WPA', hidden: true }],
          ['B', { ssid: 'Net', encryption: 'nopass', hidden: false }],
        ],
      )
      assert.match(
        job.errors[0]?.error ?? '',
        /^encryption: must be one of .*; hidden: must be true or false/,
      )
    }),
  )

  test(
    'SOCIAL: the error names the column of an invalid link',
    withWorker(async () => {
      const file = 'name,title,instagram,x\nA,T,https://example.com,ftp://x\nB,T,,\n'
      const job = await imported({ file, fields: { type: 'SOCIAL' } })
      assert.deepEqual(
        job.errors.map(({ column, error }) => [column, error]),
        [
          ['x', 'x: must begin with http:// or https://'],
          [null, 'The row must have one link at least'],
        ],
      )
    }),
  )

  test(
    'Idempotency-Key: the same file again is the same job, another file is 409',
    withWorker(async () => {
      const headers = { 'idempotency-key': 'once' }
      const file = 'name,url\nA,https://example.com/\n'
      const answers = await Promise.all([1, 2, 3].map(async () => upload(api, { file, headers })))
      assert.deepEqual(
        answers.map(({ statusCode }) => statusCode),
        [202, 202, 202],
      )
      assert.equal(new Set(answers.map((answer) => answer.json<ImportJob>().id)).size, 1)
      assert.equal(answers.filter((answer) => answer.headers['idempotent-replayed'] === 'true').length, 2)
      await ended(api, answers[0] ?? assert.fail())
      assert.equal((await codes()).length, 1)
      const other = await upload(api, { file: `${file}B,https://example.com/`, headers })
      assert.equal(other.statusCode, 409)
    }),
  )

  test('cancel ends a job before its rows are processed; a second cancel changes nothing', async () => {
    const db = await open()
    api = await openTestApi(db)
    const started = await upload(api, { file: `name,url\n${'x,https://example.com\n'.repeat(1_200)}` })
    const { id } = started.json<ImportJob>()
    const cancel = () =>
      api.call('POST', `/organizations/${api.orgId}/qr-codes/bulk-import/${id}/cancel`, {
        key: api.keys.EDITOR,
      })
    const answers = [await cancel(), await cancel()]
    for (const answer of answers) {
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.json<ImportJob>().status, 'CANCELLED')
    }
    assert.deepEqual(answers[0]?.json(), answers[1]?.json())
    const jobs = startImportWorker(db)
    const next = await ended(api, await upload(api, { file: 'name,url\nA,https://example.com' }))
    await jobs.stop()
    assert.equal(next.status, 'COMPLETED')
    assert.equal((await codes()).length, 1)
    assert.deepEqual(await db.kysely.selectFrom('import_chunks').select('chunk').execute(), [])
    const late = await api.call(
      'POST',
      `/organizations/${api.orgId}/qr-codes/bulk-import/${next.id}/cancel`,
      {
        key: api.keys.EDITOR,
      },
    )
    assert.equal(late.statusCode, 409)
    assert.match(late.json<ErrorBody>().message, /already ended as COMPLETED/)
  })

  test('409: too many imports that have not ended; one that ends makes room', async () => {
    const db = await open()
    api = await openTestApi(db)
    const file = 'name,url\nA,https://example.com'
    const first = (await upload(api, { file })).json<ImportJob>()
    const { id: _, ...row } = await db.kysely.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
    const more = Array.from({ length: limits.importsOpenMax - 2 }, (_one, at) => ({
      ...row,
      id: `job_${at}`,
    }))
    for (const part of [more.slice(0, 50), more.slice(50)])
      await db.kysely.insertInto('jobs').values(part).execute()
    // Two files at once, and room for one.
    const statuses = (await Promise.all([upload(api, { file }), upload(api, { file })])).map(
      ({ statusCode }) => statusCode,
    )
    assert.deepEqual(
      statuses.toSorted((one, other) => one - other),
      [202, 409],
    )
    const refused = await upload(api, { file })
    assert.match(refused.json<ErrorBody>().message, /at most 100 imports that have not ended/)
    const cancelled = `/organizations/${api.orgId}/qr-codes/bulk-import/${first.id}/cancel`
    assert.equal((await api.call('POST', cancelled, { key: api.keys.EDITOR })).statusCode, 200)
    assert.equal((await upload(api, { file })).statusCode, 202)
  })

  test('cancel during processing: processed rows stay, and the counts add up', async () => {
    const db = await open()
    api = await openTestApi(db)
    const jobs = startImportWorker(db)
    const started = await upload(api, { file: `name,url\n${'x,https://example.com\n'.repeat(3_000)}` })
    const { id } = started.json<ImportJob>()
    while ((await readJob(api, id)).processedRows === 0) await nextTurn()
    const path = `/organizations/${api.orgId}/qr-codes/bulk-import/${id}/cancel`
    const job = (await api.call('POST', path, { key: api.keys.EDITOR })).json<ImportJob>()
    await jobs.stop()
    assert.equal(job.status, 'CANCELLED')
    assert.deepEqual(await readJob(api, id), job)
    assert.equal(job.processedRows % 500, 0)
    const made = await db.kysely.selectFrom('qr_codes').select('id').execute()
    assert.equal(made.length, job.successCount)
  })

  test("404: identical responses for another organization's import and an unknown one", async () => {
    const db = await open()
    api = await openTestApi(db)
    const theirs: TestApi = { ...api, orgId: api.foreignOrgId }
    const key = api.keys.foreign
    const { id } = (await upload(theirs, { file: 'name,url\nA,https://example.com', key })).json<ImportJob>()
    for (const [method, end] of [
      ['GET', ''],
      ['GET', '/errors.csv'],
      ['POST', '/cancel'],
    ] as const) {
      const bodies: string[] = []
      for (const wanted of [id, 'job_00000000000000000000000000', 'nonsense']) {
        const path = `/organizations/${api.orgId}/qr-codes/bulk-import/${wanted}${end}`
        const answer = await api.call(method, path, { key: api.keys.ADMIN })
        assert.equal(answer.statusCode, 404)
        bodies.push(answer.body.replace(String(answer.headers['x-request-id']), ''))
      }
      assert.equal(new Set(bodies).size, 1)
    }
    const path = `/organizations/${api.foreignOrgId}/qr-codes/bulk-import/${id}`
    assert.equal((await api.call('GET', path, { key })).json<ImportJob>().status, 'PENDING')
  })

  test(
    'the list: newest first, by status, without errors',
    withWorker(async () => {
      const ids: string[] = []
      for (let i = 0; i < 3; i++)
        ids.unshift((await imported({ file: 'name,url\nx,nope', fileName: `C:\\files\\${i}.csv` })).id)
      const page = (await get('/bulk-import?limit=2')).json<ImportJobPage>()
      assert.deepEqual(
        page.data.map(({ id, fileName }) => [id, fileName]),
        [
          [ids[0], '2.csv'],
          [ids[1], '1.csv'],
        ],
      )
      assert.ok(!('errors' in (page.data[0] ?? {})))
      assert.deepEqual([page.pagination.total, page.pagination.hasNext], [3, true])
      assert.equal((await get('/bulk-import?status=FAILED')).json<ImportJobPage>().pagination.total, 0)
      assert.equal((await get('/bulk-import?status=COMPLETED')).json<ImportJobPage>().data.length, 3)
      assert.equal((await get('/bulk-import?status=NOPE')).statusCode, 400)
    }),
  )
})

/** The cells of the only row by column, without what each code has of its own. */
function cellsOf(csv: string): Record<string, string> {
  const [columns = [], cells = []] = readCsv(csv.replaceAll('\r\n', '\n'))
  const own = new Set(['shortCode', 'createdAt'])
  return Object.fromEntries(
    columns.flatMap((name, at) => (own.has(name) ? [] : [[name, cells[at]?.replace(/^'/, '') ?? '']])),
  )
}
