import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codesCsv } from './codes-csv.ts'

test('a table of codes is CSV whose cells no spreadsheet runs', () => {
  const row = {
    qrCodeId: 'qr_1',
    name: '=1+1, "new"',
    shortCode: 'ABC',
    type: 'URL',
    status: 'ACTIVE',
    folderId: 'fld_1',
    scans: 5,
    uniqueScans: 4,
    percentage: 12.5,
    previousScans: 10,
    change: -50,
  } as const
  const csv = codesCsv(
    [row, { ...row, name: 'Plain', folderId: null, previousScans: 0, change: null }],
    new Map([['fld_1', '-Spring']]),
  )
  assert.deepEqual(csv.split('\r\n'), [
    'Code id,Name,Short code,Type,Status,Folder,Scans,Share (%),Unique scans,Previous scans,Change (%)',
    `qr_1,"'=1+1, ""new""",ABC,URL,ACTIVE,'-Spring,5,12.5,4,10,-50`,
    'qr_1,Plain,ABC,URL,ACTIVE,,5,12.5,4,0,',
    '',
  ])
})
