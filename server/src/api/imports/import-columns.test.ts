import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportJob } from '@everscan/contract/resources/bulk-imports.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Page } from '@everscan/contract/schema/pages.ts'
import { keysOf } from '@everscan/contract/schema/records.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { writeImportFile } from '@everscan/contract/code-types/import-file.ts'
import { applyLook } from '../../catalogue/domains/domain-proofs.ts'
import { createDomain } from '../../catalogue/domains/domains.ts'
import { saveImportChunk } from '../../catalogue/imports/import-chunks.ts'
import { startImport } from '../../catalogue/imports/imports.ts'
import { someOrigin } from '../../catalogue/testing/catalogue.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { proofName } from '../../dns-looks.ts'
import { createId } from '../../ids.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { ended, readJob, startImportWorker, upload } from '../testing/imports.ts'
import { workbookOf } from '../testing/workbooks.ts'

const url = 'https://example.com/'

const importedParts = ({ type, name, data, tags, shortCode, createdAt, status, metadata }: QrCode) => [
  [type, name, data, tags],
  [shortCode, createdAt, status, metadata],
]

const told = ({ errors }: ImportJob) =>
  errors.map(({ line, column, code, error }) => [line, column, code, error])

onEitherDatabase('columns of imports', (open) => {
  let api: TestApi

  /** Runs a test with an API and a running worker. */
  const withWorker = (work: (db: Database) => Promise<void>) => async () => {
    const db = await open()
    api = await openTestApi(db)
    const jobs = startImportWorker(db)
    try {
      await work(db)
    } finally {
      await jobs.stop()
    }
  }
  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) =>
    api.call(method, `/organizations/${api.orgId}/qr-codes${path}`, {
      key: api.keys.EDITOR,
      ...(payload !== undefined && { payload }),
    })
  const codes = async () => (await call('GET', '?sort=name&order=asc&limit=100')).json<Page<QrCode>>().data
  const imported = async (options: Parameters<typeof upload>[1]): Promise<ImportJob> => {
    const answer = await upload(api, options)
    assert.equal(answer.statusCode, 202, answer.body)
    return ended(api, answer)
  }
  /** Imports a file twice: first as a check only, which must find the same. */
  const checkedAndImported = async (file: string, type = 'URL'): Promise<ImportJob> => {
    const dry = await imported({ file, fields: { type, dryRun: 'true' } })
    const job = await imported({ file, fields: { type } })
    assert.deepEqual([dry.errors, dry.successCount], [job.errors, job.successCount])
    return job
  }

  const addDomain = async (db: Database, hostname: string, fields = {}) => {
    const change = { origin: someOrigin, nowMs: Date.now() }
    const { proof } = await createDomain(db, api.orgId, { hostname, fields, ...change })
    const found = [{ type: 'TXT', name: proofName(hostname), value: proof }]
    await applyLook(db, hostname, { look: { found }, nowMs: change.nowMs })
  }

  test(
    'shortCode: kept as written; taken, repeated, reserved and malformed ones fail their row',
    withWorker(async () => {
      const taken = { type: 'URL', name: 'Z', data: { url }, shortCode: 'TAKEN-0NE' }
      assert.equal((await call('POST', '', taken)).statusCode, 201)
      const deleted = (await call('POST', '', { ...taken, shortCode: 'GONE-0NE' })).json<QrCode>()
      assert.equal((await call('DELETE', `/${deleted.id}`)).statusCode, 200)
      const file = [
        'name,url,shortCode',
        `A,${url},Sommer-26`,
        `B,${url},taken-one`,
        `C,${url},Gone-One`,
        `D,${url},SOMMER-26`,
        `E,${url},abc`,
        `F,${url},log1n`,
        `G,${url},with space`,
        `H,${url},`,
      ].join('\n')
      assert.deepEqual(told(await checkedAndImported(file)), [
        [3, 'shortCode', 'CONFLICT', 'shortCode: "taken-one" is taken, choose another'],
        [4, 'shortCode', 'CONFLICT', 'shortCode: "Gone-One" is taken, choose another'],
        [5, 'shortCode', 'CONFLICT', 'shortCode: "SOMMER-26" is the same code as in line 2, choose another'],
        [6, 'shortCode', 'VALIDATION_ERROR', 'shortCode: must be 4 to 32 letters, digits or "-", got "abc"'],
        [7, 'shortCode', 'VALIDATION_ERROR', 'shortCode: must not be a reserved word, got "log1n"'],
        [
          8,
          'shortCode',
          'VALIDATION_ERROR',
          'shortCode: must be 1 to 128 letters, digits or "-_.~+/", without "//", a "/" at its beginning, or a part that is "." or ".."',
        ],
      ])
      const made = (await codes()).filter(({ name }) => name !== 'Z')
      assert.deepEqual(
        made.map(({ name, shortCode }) => [name, shortCode.length === 7 ? 'random' : shortCode]),
        [
          ['A', 'Sommer-26'],
          ['H', 'random'],
        ],
      )
    }),
  )

  test(
    'shortCode: on an exact domain letters keep their case, and each host name has codes of its own',
    withWorker(async (db) => {
      await addDomain(db, 'old.example.com', { codes: 'exact' })
      await addDomain(db, 'go.example.com', { isDefault: true })
      const file = [
        'name,url,shortCode,domain',
        `A,${url},aB,old.example.com`,
        `B,${url},ab,old.example.com`,
        `C,${url},MENU/one,old.example.com`,
        `D,${url},Menu-1,`,
        `E,${url},Menu-1,old.example.com`,
        `F,${url},menu-1,GO.example.com`,
        `G,${url},aB,old.example.com`,
        `H,${url},MENU/one,`,
      ].join('\n')
      assert.deepEqual(
        told(await checkedAndImported(file)).map((one) => one.slice(0, 3)),
        [
          [7, 'shortCode', 'CONFLICT'],
          [8, 'shortCode', 'CONFLICT'],
          [9, 'shortCode', 'VALIDATION_ERROR'],
        ],
      )
      assert.deepEqual(
        (await codes()).map(({ shortUrl }) => shortUrl.replace(/^https?:\/\//, '')),
        [
          'old.example.com/aB',
          'old.example.com/ab',
          'old.example.com/MENU/one',
          'go.example.com/Menu-1',
          'old.example.com/Menu-1',
        ],
      )
    }),
  )

  test(
    'shortCode: a repeat is found far below, and repaired codes count',
    withWorker(async () => {
      const rows = Array.from({ length: 1_100 }, (_, at) => `N${at},${url},code-${at}`)
      const file = ['name,url,shortCode', ...rows.with(1_050, `N,${url},CODE-3`)].join('\n')
      const fields = { type: 'URL', dryRun: 'true' }
      const job = await imported({ file, fields })
      assert.deepEqual(told(job), [
        [1_052, 'shortCode', 'CONFLICT', 'shortCode: "CODE-3" is the same code as in line 5, choose another'],
      ])
      const repairs = JSON.stringify({ 1_051: { shortCode: 'code-new' }, 1_052: { shortCode: 'code-new' } })
      const again = await imported({ file, fields: { ...fields, repairs } })
      assert.deepEqual(
        again.errors.map(({ line, error }) => [line, error]),
        [[1_053, 'shortCode: "code-new" is the same code as in line 1052, choose another']],
      )
    }),
  )

  test(
    'shortCode: one that is taken between the check of a row and its creation names the column',
    withWorker(async (db) => {
      const key = { organizationId: api.orgId, id: createId('job') }
      const columns = ['name', 'url', 'shortCode']
      // Without the survey of an upload, only the catalogue sees that the codes are equal.
      const rows = [1, 2].map((row) => ({ row, line: row + 1, cells: ['N', url, 'same-code'] }))
      await saveImportChunk(db, { ...key, chunk: 0, nowMs: Date.now() }, rows)
      const input = {
        type: 'URL',
        dryRun: false,
        fileName: null,
        header: columns,
        columns,
        totalRows: 2,
      } as const
      await startImport(db, key, { preset: 'import', input, origin: someOrigin, nowMs: Date.now() })
      const answer = await call('GET', `/bulk-import/${key.id}`)
      const job = await ended(api, answer)
      assert.deepEqual(told(job), [
        [3, 'shortCode', 'CONFLICT', 'shortCode: "same-code" is taken, choose another'],
      ])
      assert.equal((await readJob(api, key.id)).successCount, 1)
    }),
  )

  test(
    'createdAt: dates and times that are past, in UTC without a zone; ids sort by import',
    withWorker(async () => {
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
      const file = [
        'name,url,createdAt',
        `A,${url},2026-01-31`,
        `B,${url},2020-02-29T09:30:00+02:00`,
        `C,${url},2020-02-29 09:30`,
        `D,${url},${tomorrow}`,
        `E,${url},2021-02-29`,
        `F,${url},31.01.2021`,
        `G,${url},1969-12-31`,
        `H,${url},`,
      ].join('\n')
      const expected = 'must be a date or a time, such as "2026-01-31" or "2026-01-31T09:30:00Z"'
      const job = await checkedAndImported(file)
      assert.deepEqual(
        told(job),
        [
          [5, `must not be in the future, got "${tomorrow}"`],
          [6, `${expected}, got "2021-02-29"`],
          [7, `${expected}, got "31.01.2021"`],
          [8, 'must not be before 1970, got "1969-12-31"'],
        ].map(([line, error]) => [line, 'createdAt', 'VALIDATION_ERROR', `createdAt: ${error}`]),
      )
      const made = await codes()
      assert.deepEqual(
        made.map(({ name, createdAt }) => [name, createdAt >= job.createdAt ? 'now' : createdAt]),
        [
          ['A', '2026-01-31T00:00:00.000Z'],
          ['B', '2020-02-29T07:30:00.000Z'],
          ['C', '2020-02-29T09:30:00.000Z'],
          ['H', 'now'],
        ],
      )
      const ids = made.map(({ id }) => id)
      assert.deepEqual(ids, ids.toSorted())
      assert.ok(made.every(({ updatedAt }) => updatedAt >= job.createdAt))
    }),
  )

  test(
    'status: ACTIVE or ARCHIVED in any letter case, and nothing else',
    withWorker(async () => {
      const words = ['active', 'Archived', '', 'DELETED', 'SCHEDULED']
      const rows = words.map((word, at) => `N${at},${url},${word}`)
      const job = await checkedAndImported(['name,url,status', ...rows].join('\n'))
      assert.deepEqual(
        told(job),
        [
          [5, 'DELETED'],
          [6, 'SCHEDULED'],
        ].map(([line, word]) => [
          line,
          'status',
          'VALIDATION_ERROR',
          `status: must be one of "ACTIVE", "ARCHIVED", got "${word}"`,
        ]),
      )
      assert.deepEqual(
        (await codes()).map(({ status }) => status),
        ['ACTIVE', 'ARCHIVED', 'ACTIVE'],
      )
    }),
  )

  test(
    'metadata.*: keys in their letter case, values within the limits of the API',
    withWorker(async () => {
      const { metadataKeyCharsMax, metadataKeysMax, metadataValueCharsMax } = limits
      const longKey = 'k'.repeat(metadataKeyCharsMax)
      const many = Array.from({ length: metadataKeysMax }, (_, at) => `metadata.n${at}`)
      const row = (name: string, ...cells: string[]) =>
        [name, url, ...cells, ...many.map((_, at) => (name === 'C' ? String(at) : ''))].join(',')
      const file = [
        ['name', 'url', 'Metadata.Key', 'METADATA.key', `metadata.${longKey}`, ...many].join(','),
        row('A', 'One', ' two ', 'x'.repeat(metadataValueCharsMax)),
        row('B', '', 'x'.repeat(metadataValueCharsMax + 1), ''),
        row('C', 'one too many', '', ''),
        row('D', '', '', ''),
      ].join('\n')
      assert.deepEqual(told(await checkedAndImported(file)), [
        [
          3,
          'metadata.key',
          'VALIDATION_ERROR',
          `metadata.key: must have at most ${metadataValueCharsMax} characters, got ${metadataValueCharsMax + 1}`,
        ],
        [
          4,
          null,
          'VALIDATION_ERROR',
          `The row has too much metadata: it must have at most ${metadataKeysMax} fields`,
        ],
      ])
      assert.deepEqual(
        (await codes()).map(({ metadata }) => metadata),
        [{ Key: 'One', key: 'two', [longKey]: 'x'.repeat(metadataValueCharsMax) }, {}],
      )
    }),
  )

  test('400 for a key of metadata that the API refuses, also if unknown columns are ignored', async () => {
    api = await openTestApi(await open())
    const long = `metadata.${'k'.repeat(limits.metadataKeyCharsMax + 1)}`
    const problem = 'which has a key of metadata that must be 1 to 50 characters'
    const cases: [string, Record<string, string>, string][] = [
      [`name,url,${long}`, {}, `file: has "${long}", ${problem}`],
      [`name,url,${long}`, { unknownColumns: 'ignore' }, `file: has "${long}", ${problem}`],
      ['name,url,Metadata.', {}, `file: has "Metadata.", ${problem}`],
      ['name,url,Note', { columns: '{"Note":"metadata."}' }, `columns: has "metadata.", ${problem}`],
      ['name,url,metadata.a,Metadata.a', {}, 'file: has the column "Metadata.a" twice'],
    ]
    for (const [header, fields, expected] of cases) {
      const answer = await upload(api, { file: header, fields: { type: 'URL', ...fields } })
      assert.equal(answer.statusCode, 400, answer.body)
      const { message } = answer.json<ErrorBody>()
      assert.ok(message.startsWith(expected), message)
      assert.match(message, /shortCode, domain, createdAt, status, metadata\.KEY$/)
    }
    const ignored = await upload(api, {
      file: `name,url,${long}\nA,https://example.com/,1`,
      fields: { type: 'URL', columns: JSON.stringify({ [long]: null }) },
    })
    assert.equal(ignored.statusCode, 202, ignored.body)
  })

  test(
    'a mapping gives columns to all of them, errors.csv keeps them, and it imports again',
    withWorker(async () => {
      const file = 'Title,Link,Order,metadata.orderno,Made\nA,nope,a-1,a-2,2020-02-29\nB,nope,,,\n'
      const columns = JSON.stringify({
        Title: 'name',
        Link: 'url',
        Order: 'metadata.orderNo',
        'metadata.orderno': 'metadata.OrderNo',
        Made: 'createdAt',
      })
      const job = await imported({ file, fields: { type: 'URL', columns } })
      assert.deepEqual(job.errors[0]?.values, {
        name: 'A',
        url: 'nope',
        'metadata.orderNo': 'a-1',
        'metadata.OrderNo': 'a-2',
        createdAt: '2020-02-29',
      })
      const { body } = await call('GET', `/bulk-import/${job.id}/errors.csv`)
      assert.match(body, /^name,url,metadata\.orderNo,metadata\.OrderNo,createdAt,row,error\r\n/)
      const again = await imported({ file: body.replaceAll('nope', url) })
      assert.deepEqual([again.successCount, again.errors], [2, []])
      const [made] = await codes()
      assert.deepEqual(
        [made?.metadata, made?.createdAt],
        [{ orderNo: 'a-1', OrderNo: 'a-2' }, '2020-02-29T00:00:00.000Z'],
      )
    }),
  )

  test(
    'repaired rows may have columns that the file lacks, metadata too; repairOf names the import',
    withWorker(async () => {
      const file = `name,url\nA,nope\n`
      const first = await imported({ file })
      assert.equal(first.repairOf, null)
      const repairs = JSON.stringify({ 1: { url, shortCode: 'Repaired', 'metadata.Why': 'late' } })
      const job = await imported({ file, fields: { type: 'URL', repairs, repairOf: first.id } })
      assert.deepEqual([job.successCount, job.repairOf], [1, first.id])
      const [made] = await codes()
      assert.deepEqual([made?.shortCode, made?.metadata], ['Repaired', { Why: 'late' }])
      for (const repairOf of ['job_00000000000000000000000000', 'nonsense']) {
        const answer = await upload(api, { file, fields: { type: 'URL', repairOf } })
        assert.equal(answer.statusCode, 400)
        assert.deepEqual(answer.json<ErrorBody>().details, [
          {
            path: 'repairOf',
            problem: 'noSuchImport',
            values: { got: repairOf },
            message: `must be an import of this organization, got "${repairOf}"`,
          },
        ])
      }
      const strange = JSON.stringify({ 1: { 'METADATA.x': 'y' } })
      const refused = await upload(api, { file, fields: { type: 'URL', repairs: strange } })
      assert.match(refused.json<ErrorBody>().message, /^repairs: has "METADATA\.x"/)
    }),
  )

  test("400 for repairOf: another organization's import is unknown", async () => {
    api = await openTestApi(await open())
    const file = `name,url\nA,${url}`
    const theirs = await upload({ ...api, orgId: api.foreignOrgId }, { file, key: api.keys.foreign })
    const { id } = theirs.json<ImportJob>()
    const answer = await upload(api, { file, fields: { type: 'URL', repairOf: id } })
    assert.equal(answer.statusCode, 400, answer.body)
  })

  test(
    'VCARD: every field of a contact, and the column of a part that is wrong',
    withWorker(async () => {
      const file = [
        'name,firstName,lastName,website,address.street,Address.City,note',
        `A,Ada,Lovelace,${url},12 St James Square,London,"Two\nlines"`,
        'B,Ada,Lovelace,,,,',
        `C,Ada,Lovelace,,,${'c'.repeat(256)},`,
        'D,Ada,Lovelace,example.com,,,',
      ].join('\n')
      const job = await checkedAndImported(file, 'VCARD')
      assert.deepEqual(told(job), [
        [5, 'address.city', 'VALIDATION_ERROR', 'address.city: must have at most 255 characters, got 256'],
        [6, 'website', 'VALIDATION_ERROR', 'website: must begin with http:// or https://'],
      ])
      assert.deepEqual(
        (await codes()).map(({ data }) => data),
        [
          {
            firstName: 'Ada',
            lastName: 'Lovelace',
            website: url,
            address: { street: '12 St James Square', city: 'London' },
            note: 'Two\nlines',
          },
          { firstName: 'Ada', lastName: 'Lovelace' },
        ],
      )
    }),
  )

  test(
    'xlsx: a date is a createdAt, a number a short code and metadata',
    withWorker(async () => {
      const file = await workbookOf([
        ['name', 'url', 'shortCode', 'createdAt', 'status', 'metadata.No'],
        ['A', url, 20_250_001, { day: 45_992 }, 'archived', 4_711],
      ])
      const job = await imported({ file, fileName: 'codes.xlsx' })
      assert.deepEqual([job.successCount, job.errors], [1, []])
      const [made] = await codes()
      assert.deepEqual(
        [made?.shortCode, made?.createdAt, made?.status, made?.metadata],
        ['20250001', '2025-12-01T00:00:00.000Z', 'ARCHIVED', { No: '4711' }],
      )
    }),
  )

  test('a file that was written for an import makes the same codes in another installation', async () => {
    const contents: Partial<Record<QrCodeType, Record<string, unknown>[]>> = {
      URL: [{ url: 'https://example.com/?a=1,2' }],
      VCARD: [{ firstName: 'Ada', lastName: 'Lovelace', phone: '+44 1', address: { city: 'London' } }],
      WIFI: [{ ssid: ' Guests ', password: '=secret-1', encryption: 'WPA', hidden: true }],
      TEXT: [{ text: 'Two\nlines, "quoted"' }],
      SOCIAL: [{ title: 'Us', links: [{ platform: 'x', url: 'https://x.com/a' }] }],
      APP: [{ fallbackUrl: url }],
    }
    api = await openTestApi(await open())
    const folder = await api.call('POST', `/organizations/${api.orgId}/folders`, {
      key: api.keys.EDITOR,
      payload: { name: 'Spring, 2026' },
    })
    const { id: folderId } = folder.json<{ id: string }>()
    for (const [type, all] of Object.entries(contents))
      for (const data of all) {
        const metadata = { OrderNo: '-1', orderNo: type }
        const body = { type, name: `'${type}'`, data, folderId, tags: ['a', 'b c'], metadata }
        const answer = await call('POST', '', { ...body, shortCode: `Code-${type}` })
        assert.equal(answer.statusCode, 201, answer.body)
        const { id } = answer.json<QrCode>()
        if (type === 'TEXT')
          await call('POST', '/batch/update', { ids: [id], updates: { status: 'ARCHIVED' } })
      }
    const before = await codes()
    const files = keysOf(contents).map((type) => ({
      type,
      ...writeImportFile(
        type,
        before
          .filter((code) => code.type === type)
          .map((code) => ({ ...code, folder: 'Spring, 2026', domain: '' })),
      ),
    }))
    await withWorker(async () => {
      for (const { type, csv, leftOut } of files) {
        assert.equal(leftOut, 0)
        const job = await imported({ file: csv, fields: { type } })
        assert.deepEqual([job.successCount, job.errors], [1, []], type)
      }
      const after = await codes()
      assert.deepEqual(after.map(importedParts), before.map(importedParts))
      assert.ok(after.some(({ status }) => status === 'ARCHIVED'))
      assert.equal(new Set(after.map((code) => code.folderId)).size, 1)
      assert.match(after[0]?.folderId ?? '', /^fld_/)
    })()
  })
})
