import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { type LabelGrid, labelGrids, labelPages } from '@everscan/contract/resources/label-grids.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { loadCaptionFont } from '../shapes/captions.ts'
import { drawCode } from '../drawing/drawing.ts'
import { drawableCaption, fitCaption } from './label-captions.ts'
import { captionRoom, labelCorners } from './label-layout.ts'
import { createMatrix } from '../content/matrix.ts'
import { type Label, type LabelSheetOptions, writeLabelSheets } from './pdf-label-sheets.ts'
import { anyStyle, readPng, seed, testLogo } from '../testing/pictures.ts'

const font = await loadCaptionFont()
const pdfium = await PDFiumLibrary.init()
const grid = labelGrids['avery-l7160']
const usual: LabelSheetOptions = {
  grid,
  look: { position: 'right', captionLines: 2 },
  font,
  copies: 1,
  startAt: 1,
  cutMarks: false,
  title: 'Labels',
}

const contentOf = (at: number) => `HTTPS://GO.EXAMPLE.COM/7K3QX${String(at).padStart(2, '0')}`

function labelOf(at: number, style: Style = {}, name = `Table ${at}`): Label {
  const matrix = createMatrix({ text: contentOf(at), errorCorrection: style.logo ? 'H' : 'M' })
  const room = captionRoom(grid, { position: 'right' })
  return {
    drawing: drawCode(matrix, style, { font, logo: testLogo }),
    caption: fitCaption(font, drawableCaption(font, name).text, room),
  }
}

async function pdfOf(labels: readonly Label[], options: Partial<LabelSheetOptions> = {}): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(writeLabelSheets(labels, { ...usual, ...options })))
}

const dpi = 300
const pxPerMm = dpi / 25.4

/** A page rendered on white by another program, RGB. */
type Page = { data: Buffer; raw: { width: number; height: number; channels: 3 } }

/** Renders every page, or at most `pagesMax`, at 300 dpi and checks the page size. */
async function pagesOf(pdf: Buffer, { page }: LabelGrid, pagesMax = Infinity): Promise<Page[]> {
  const document = await pdfium.loadDocument(pdf)
  const pages: Page[] = []
  for (const one of document.pages()) {
    if (pages.length === pagesMax) break
    const { originalWidth, originalHeight } = one.getOriginalSize()
    const { widthMm, heightMm } = labelPages[page]
    assert.ok(Math.abs(originalWidth - (widthMm / 25.4) * 72) < 0.01)
    assert.ok(Math.abs(originalHeight - (heightMm / 25.4) * 72) < 0.01)
    const { data, width, height } = await one.render({ scale: dpi / 72, render: 'bitmap' })
    const raw = { width, height, channels: 4 } as const
    const flat = await sharp(Buffer.from(data), { raw }).flatten({ background: '#FFFFFF' }).raw().toBuffer()
    pages.push({ data: flat, raw: { width, height, channels: 3 } })
  }
  document.destroy()
  return pages
}

const picture = ({ data, raw }: Page) => sharp(data, { raw })

/** Returns the text of the code on each label of a page, and whether the label is blank. */
async function labelsOn(page: Page, one: LabelGrid, corners = labelCorners(one)) {
  const labels = []
  for (const { x, y } of corners) {
    const [left, top] = [x, y].map((mm) => Math.round(mm * pxPerMm)) as [number, number]
    const width = Math.floor(one.labelWidthMm * pxPerMm)
    const height = Math.floor(one.labelHeightMm * pxPerMm)
    const label = await picture(page).extract({ left, top, width, height }).png().toBuffer()
    const { channels } = await sharp(label).stats()
    labels.push({ texts: await readPng(label), isEmpty: channels.every(({ min }) => min === 255) })
  }
  return labels
}

test('labels: each of 21 styled codes is read on its own label, at 300 dpi', async () => {
  for (const pass of process.env['SOAK'] === '1' ? [0, 1] : [0]) {
    const styles = fc.sample(anyStyle, { seed: seed + pass, numRuns: 21 })
    const pdf = await pdfOf(styles.map((style, at) => labelOf(at, style)))
    const [page, ...more] = await pagesOf(pdf, grid)
    assert.ok(page !== undefined && more.length === 0)
    const found = await labelsOn(page, grid)
    for (const [at, { texts }] of found.entries())
      assert.deepEqual(texts, [contentOf(at)], JSON.stringify(styles[at]))
  }
})

test('labels: on every named sheet a code lies on the last label and its copy on the next page', async () => {
  for (const [name, one] of Object.entries<LabelGrid>(labelGrids)) {
    const count = one.columns * one.rows
    const look = { position: 'below', captionLines: 0 } as const
    const pdf = await pdfOf([labelOf(0)], { grid: one, copies: 2, startAt: count, look })
    assert.equal(countIn(pdf, '/Type/Page/'), 2, name)
    const [page = assert.fail('no page')] = await pagesOf(pdf, one, 1)
    const last = labelCorners(one).slice(-1)
    assert.deepEqual(await labelsOn(page, one, last), [{ texts: [contentOf(0)], isEmpty: false }], name)
  }
})

test('labels: the used labels of a sheet stay blank, copies follow each other', async () => {
  const pdf = await pdfOf([labelOf(0), labelOf(1)], { startAt: 20, copies: 2 })
  const pages = await pagesOf(pdf, grid)
  assert.equal(pages.length, 2)
  const [first, second] = await Promise.all(pages.map((page) => labelsOn(page, grid)))
  const on = (labels: typeof first) =>
    labels?.flatMap(({ texts, isEmpty }, at) => (isEmpty ? [] : [[at + 1, ...texts]]))
  assert.deepEqual(on(first), [
    [20, contentOf(0)],
    [21, contentOf(0)],
  ])
  assert.deepEqual(on(second), [
    [1, contentOf(1)],
    [2, contentOf(1)],
  ])
  // The copies share their content, which is in the file once.
  const more = await pdfOf([labelOf(0), labelOf(1)], { copies: 100 })
  assert.equal(countIn(more, '/Subtype/Form'), 2)
  assert.ok(more.length < pdf.length + 10_000)
})

test('labels: a logo shared by all labels is in the file once', async () => {
  const style: Style = { logo: { dataUri: '', scale: 0.2 } }
  const pdf = await pdfOf([labelOf(0, style), labelOf(1, style), labelOf(2, style)])
  assert.equal(countIn(pdf, '/Subtype/Image'), 2)
})

test('labels: cut marks are hairlines outside the labels', async () => {
  const [bare, marked] = await Promise.all(
    [false, true].map(async (cutMarks) => pagesOf(await pdfOf([labelOf(0)], { cutMarks }), grid)),
  )
  const [page = assert.fail('no page')] = marked ?? []
  assert.notDeepEqual(page, bare?.[0])
  const found = await labelsOn(page, grid)
  assert.deepEqual(
    found.slice(1).filter(({ isEmpty }) => !isEmpty),
    [],
  )
  const corner = { left: 0, top: 0, width: Math.floor(7 * pxPerMm), height: Math.floor(30 * pxPerMm) }
  const margin = await picture(page).extract(corner).stats()
  assert.ok(margin.channels.every(({ min }) => min < 200))
})

test('labels: only black ink, real size, no date, the same bytes each time', async () => {
  const labels = [labelOf(0), labelOf(1, { frame: { style: 'label-below', text: 'Scan me' } })]
  const pdf = await pdfOf(labels, { cutMarks: true })
  assert.ok(pdf.equals(await pdfOf(labels, { cutMarks: true })))
  const text = pdf.toString('latin1')
  assert.doesNotMatch(text, /CreationDate|\/ID\b/)
  assert.match(text, /\/PrintScaling\/None/)
  for (const content of contentsOf(pdf)) assert.doesNotMatch(content, / (rg|RG|g|G)$/m)
  const offsets = [...text.matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]))
  offsets.forEach((offset, at) => assert.ok(text.startsWith(`${at + 1} 0 obj\n`, offset)))
})

test('labels: many codes are written one piece at a time', async () => {
  const label = labelOf(0, { dotStyle: 'dots', logo: { dataUri: '', scale: 0.2 } })
  function* many() {
    for (let at = 0; at < 200; at++) yield label
  }
  let largest = 0
  for await (const piece of writeLabelSheets(many(), usual)) largest = Math.max(largest, piece.length)
  assert.ok(largest < 200_000, `${largest}`)
})

const countIn = (pdf: Buffer, word: string) => pdf.toString('latin1').split(word).length - 1

/** Returns the contents of pages and forms. */
function contentsOf(pdf: Buffer): string[] {
  const contents: string[] = []
  for (let at = pdf.indexOf('>>stream\n'); at >= 0; at = pdf.indexOf('>>stream\n', at + 1))
    contents.push(inflateSync(pdf.subarray(at + '>>stream\n'.length)).toString('latin1'))
  return contents
}
