import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { FreeLabelGrid } from '@everscan/contract/resources/label-sheets.ts'
import { someOrigin, someQrCode } from '../../catalogue/testing/catalogue.ts'
import { createQrCodes, type NewQrCode } from '../../catalogue/codes/qr-codes.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { clientOf, openTestApi } from '../testing/api.ts'

const square: FreeLabelGrid = {
  page: 'A4',
  columns: 4,
  rows: 6,
  labelWidthMm: 45,
  labelHeightMm: 45,
  marginLeftMm: 9,
  marginTopMm: 11,
  gapXMm: 4,
  gapYMm: 1,
}

/**
 * Drawing does not depend on the catalogue: slow styles are drawn on the first one, plain styles on
 * the other.
 */
const styles: readonly Partial<NewQrCode>[] = [
  { style: { dotStyle: 'dots', gradient: { type: 'radial', colors: ['#064E3B', '#4C1D95'] } } },
  {},
]
let drawn = 0
const most = hasVariants ? 1_000 : 100

onEitherDatabase('label sheets', (open) => {
  test('200: a PDF with as many sheets as required, for a VIEWER', async () => {
    const { print, ids } = await openCodes(await open(), 30)
    const answer = await print({ ids: [...ids, ...ids], sheet: 'avery-l7160' })
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(answer.headers['content-type'], 'application/pdf')
    assert.match(String(answer.headers['content-disposition']), /^attachment; filename="Labels.pdf"/)
    assert.equal(answer.headers['captions-incomplete'], '0')
    assert.deepEqual(shapeOf(answer.rawPayload), { pages: 2, labels: 30 })
    assert.deepEqual((await print({ ids, sheet: 'avery-l7160' })).rawPayload, answer.rawPayload)

    const copies = await print({ ids, sheet: 'avery-l7160', copies: 7, startAt: 21, cutMarks: true })
    // Twenty labels are skipped; cut marks are a form of their own.
    assert.deepEqual(shapeOf(copies.rawPayload), { pages: 11, labels: 31 })
    for (const caption of ['none', 'shortUrl']) {
      const other = await print({ ids, grid: square, caption, captionPosition: 'below' })
      assert.deepEqual(shapeOf(other.rawPayload), { pages: 2, labels: 30 })
    }
  })

  test('200: names in any script; characters that cannot be drawn are omitted and counted', async () => {
    const names = [
      'Menü',
      '🍵',
      'שלום',
      '晚餐',
      'Tea 🍵',
      'W'.repeat(200),
      '\u202e!',
      'é'.repeat(200),
      '-'.repeat(200),
    ]
    const { api, ids } = await openCodes(await open(), names.length, (at) => ({ name: names[at] ?? '' }))
    for (const sheet of ['avery-l7160', 'avery-l7164'] as const) {
      const file = await clientOf(api, 'VIEWER').qrCodes.labelSheet(api.orgId, { ids, sheet })
      assert.equal(file.captionsIncomplete, 4)
      assert.equal(file.fileName, 'Labels.pdf')
      assert.equal(shapeOf(Buffer.from(file.bytes)).labels, names.length)
    }
  })

  test(`200: ${most} codes, the maximum in the soak, without holding all of them in memory`, async () => {
    const { print, ids } = await openCodes(await open(), most, () => styles[drawn % styles.length] ?? {})
    drawn++
    const answer = await print({ ids, sheet: 'avery-l7651', codeMm: 15, copies: 5 })
    assert.equal(answer.statusCode, 200, answer.body.slice(0, 500))
    assert.deepEqual(shapeOf(answer.rawPayload), { pages: Math.ceil((most * 5) / 65), labels: most })
  })

  test('404: unknown ids are named, and nothing is drawn', async () => {
    const { print, ids } = await openCodes(await open(), 1)
    const answer = await print({ ids: [...ids, 'qr_unknown', 'nonsense'], sheet: 'avery-l7160' })
    assert.equal(answer.statusCode, 404)
    const { code, message, details } = answer.json<ErrorBody>()
    assert.equal(code, 'NOT_FOUND')
    assert.equal(message, 'ids[1]: no code with the id "qr_unknown" exists in this organization; and 1 more.')
    assert.deepEqual(
      details?.map(({ path }) => path),
      ['ids[1]', 'ids[2]'],
    )
  })

  test('400: every problem is named, with the limit', async () => {
    const { print, ids } = await openCodes(await open(), 100)
    const sheet = 'avery-l7160'
    const tiny = { ...square, labelWidthMm: 20, labelHeightMm: 14 }
    const cases: [object, string | RegExp][] = [
      [{}, 'ids: is required'],
      [{ ids }, 'sheet: is required, unless grid is given'],
      [{ ids, sheet, grid: square }, 'grid: must not be sent together with sheet'],
      [{ ids, sheet: 'avery-1' }, /^sheet: must be one of "avery-l7159", .*got "avery-1"$/],
      [{ ids: [], sheet }, 'ids: must not be empty'],
      [{ ids, sheet, startAt: 0 }, 'startAt: must be at least 1, got 0'],
      [{ ids, sheet, startAt: 22 }, 'startAt: must be at most 21, the number of labels on a sheet, got 22'],
      [{ ids, sheet, copies: 101 }, 'copies: must be at most 100, got 101'],
      [
        { ids, sheet, copies: 51 },
        'copies: must be at most 50 for 100 codes, for 5000 labels in total, got 51',
      ],
      [{ ids, sheet, caption: 'title' }, 'caption: must be one of "none", "name", "shortUrl", got "title"'],
      [
        { ids, sheet, captionPosition: 'left' },
        'captionPosition: must be one of "below", "right", got "left"',
      ],
      [{ ids, sheet, cutMarks: 'yes' }, 'cutMarks: must be true or false, got "yes"'],
      [{ ids, sheet, codeMm: 9 }, 'codeMm: must be at least 10, got 9'],
      [
        { ids, sheet, codeMm: 40 },
        'codeMm: must be at most 34.2, the largest width that fits this label, got 40',
      ],
      [{ ids, sheet, color: 'red' }, 'color: is not a known field'],
      [
        { ids, grid: { ...square, columns: 5 } },
        'grid.columns: must be at most 4 with this label: the page has 210 mm, less a margin of 9 mm, got 5',
      ],
      [{ ids, grid: { ...square, page: 'A3' } }, 'grid.page: must be one of "A4", "Letter", got "A3"'],
      [{ ids, grid: { ...square, gapXMm: -1 } }, 'grid.gapXMm: must be at least 0, got -1'],
      [
        { ids: ids.slice(0, 1), grid: tiny },
        /^ids\[0\]: would be [\d.]+ mm wide, must be at least 10 mm to be read: use a larger label or no caption$/,
      ],
    ]
    for (const [body, message] of cases) {
      const answer = await print(body)
      assert.equal(answer.statusCode, 400, JSON.stringify(body))
      const actual = answer.json<ErrorBody>().message
      if (typeof message === 'string') assert.equal(actual, message)
      else assert.match(actual, message)
    }
    const many = Array.from({ length: 1_001 }, (_, at) => `qr_${at}`)
    assert.equal((await print({ ids: many, sheet })).json<ErrorBody>().code, 'BATCH_TOO_LARGE')
  })
})

/** An API with codes, and a function that prints them as a VIEWER. */
async function openCodes(
  db: Database,
  count: number,
  fields: (at: number) => Partial<NewQrCode> = () => ({}),
) {
  const api = await openTestApi(db)
  const { call, keys, orgId } = api
  const codes = Array.from({ length: count }, (_, at) =>
    someQrCode({ origin: someOrigin, name: `Table ${at}`, ...fields(at) }),
  )
  const made = await createQrCodes(db, orgId, codes)
  const path = `/organizations/${orgId}/qr-codes/label-sheets`
  return {
    api,
    ids: made.map((row) => (row as { id: string }).id),
    print: (payload: object) => call('POST', path, { key: keys.VIEWER, payload }),
  }
}

/** The number of pages of a PDF, and of its forms: one for each code. */
function shapeOf(pdf: Buffer) {
  const text = pdf.toString('latin1')
  return {
    pages: Number(/\/Count (\d+)>>/.exec(text)?.[1]),
    labels: text.split('/Subtype/Form').length - 1,
  }
}
