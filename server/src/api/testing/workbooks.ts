import { zipOf } from './zip.ts'

/** A cell: a text, a number, a truth value, a date as a serial number, or raw XML. */
export type WorkbookCell = string | number | boolean | { day: number } | { xml: string } | undefined

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** An xlsx file with these rows; a row that is left out is undefined. `files` replace its parts. */
export async function workbookOf(
  rows: readonly (readonly WorkbookCell[] | undefined)[],
  files: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const sheetRows = rows.flatMap((cells, at) =>
    cells === undefined
      ? []
      : [`<row r="${at + 1}">${cells.map((cell, column) => cellXml(cell, at, column)).join('')}</row>`],
  )
  return zipOf({
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Codes" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${sheetRows.join('')}</sheetData></worksheet>`,
    ...files,
  })
}

function cellXml(cell: WorkbookCell, row: number, column: number): string {
  const place = `r="${String.fromCodePoint(65 + column)}${row + 1}"`
  if (cell === undefined) return ''
  if (typeof cell === 'string')
    return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
  if (typeof cell === 'number') return `<c ${place}><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c ${place} t="b"><v>${cell ? 1 : 0}</v></c>`
  return 'day' in cell ? `<c ${place} s="1"><v>${cell.day}</v></c>` : `<c ${place} ${cell.xml}</c>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
