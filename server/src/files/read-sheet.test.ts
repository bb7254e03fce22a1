import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workbookOf } from '../api/testing/workbooks.ts'
import { readSheetRows } from './read-sheet.ts'

test('entities of a workbook stay text: none is read from a file, none grows', async () => {
  const grows = Array.from({ length: 20 }, (_, at) => `<!ENTITY g${at + 1} "${`&g${at};`.repeat(10)}">`)
  const entities = `<!ENTITY g0 "ha">${grows.join('')}<!ENTITY passwd SYSTEM "file:///etc/passwd">`
  const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const cell = '<c r="A1" t="inlineStr"><is><t>&passwd; &g20;</t></is></c>'
  const sheet = `<!DOCTYPE w [${entities}]><worksheet xmlns="${namespace}"><sheetData><row r="1">${cell}</row></sheetData></worksheet>`
  const rows = await readSheetRows(await workbookOf([], { 'xl/worksheets/sheet1.xml': sheet }))
  assert.deepEqual(rows, [{ line: 1, cells: ['&passwd; &g20;'] }])
})
