import { createRequire } from 'node:module'
import type { Style } from '@everscan/contract/resources/styles.ts'
import { drawCode } from '@everscan/qr/drawing/drawing.ts'
import { createMatrix } from '@everscan/qr/content/matrix.ts'
import { drawPng } from '@everscan/qr/writers/png.ts'
import { writePng } from '@everscan/qr/writers/styled-png.ts'
import { drawSvg, writeSvg } from '@everscan/qr/writers/svg.ts'
import { acceptQrCodeStyle } from '@everscan/server/product/styles/qr-code-styles.ts'
import { runStyleJob } from '@everscan/server/product/styles/style-jobs.ts'
import { JSDOM } from 'jsdom'
import qrcode from 'qrcode'
import type QRCodeStylingType from 'qr-code-styling'
import sharp from 'sharp'
import { median, quantile, rounded } from './figures.ts'

// The build for Node has no type declarations.
const { QRCodeStyling } = createRequire(import.meta.url)('qr-code-styling/lib/qr-code-styling.common.js') as {
  QRCodeStyling: typeof QRCodeStylingType.default
}

const text = 'HTTPS://EXAMPLE.COM/7K3QX9A'
const level = 'M'
const color = '#1E3A8A'
const margin = 4

type Draw = () => Promise<string | Uint8Array> | string | Uint8Array
type Pair = { readonly ours: Draw; readonly theirs: Draw; readonly aim: number | undefined }

/** From text to file in one call, without caching between pictures. */
const matrix = (fixed: { version?: number; mask?: number } = {}) =>
  createMatrix({ text, errorCorrection: level, ...fixed })
const stored = { version: 2, mask: 3 } as const
const style = { foregroundColor: color, dotStyle: 'rounded', cornerSquareStyle: 'extra-rounded' } as const

const pairs: Readonly<Record<string, Pair>> = {
  'plain SVG': {
    ours: () => drawSvg(matrix()),
    theirs: () => qrcode.toString(text, { type: 'svg', errorCorrectionLevel: level, margin, width: 1024 }),
    aim: 5,
  },
  // The product stores the version and mask of each code, so neither library chooses.
  'plain SVG, kept': {
    ours: () => drawSvg(matrix(stored)),
    theirs: () =>
      qrcode.toString(text, {
        type: 'svg',
        errorCorrectionLevel: level,
        margin,
        width: 1024,
        version: stored.version,
        maskPattern: stored.mask,
      }),
    aim: undefined,
  },
  'plain PNG 512': plainPng(512),
  'plain PNG 2048': plainPng(2048),
  'styled SVG': {
    ours: () => writeSvg(drawCode(matrix(), style), { sizePx: 1024 }),
    theirs: () => drawTheirs(1024),
    aim: 50,
  },
  // Without a browser's canvas the other library draws no pixels. Its SVG is rasterized like our
  // pictures with a logo.
  'styled PNG 1024': {
    ours: () => writePng(drawCode(matrix(), style), { sizePx: 1024 }),
    theirs: async () =>
      sharp(await drawTheirs(1024))
        .png()
        .toBuffer(),
    aim: undefined,
  },
}

function plainPng(sizePx: number): Pair {
  return {
    ours: () => drawPng(matrix(), { sizePx }),
    theirs: () => qrcode.toBuffer(text, { type: 'png', errorCorrectionLevel: level, margin, width: sizePx }),
    aim: 10,
  }
}

async function drawTheirs(sizePx: number): Promise<Buffer> {
  const picture = new QRCodeStyling({
    jsdom: JSDOM,
    type: 'svg',
    data: text,
    width: sizePx,
    height: sizePx,
    margin: Math.round((sizePx * margin) / 33),
    qrOptions: { errorCorrectionLevel: level },
    dotsOptions: { type: 'rounded', color },
    cornersSquareOptions: { type: 'extra-rounded', color },
  })
  return (await picture.getRawData('svg')) as Buffer
}

/**
 * Compares our pictures with those of `qrcode` and, if styled, of qr-code-styling with a DOM: the
 * same content, level and size, in turn, from text to bytes. Ratios are their median time divided
 * by ours.
 */
export async function benchPicture({ quick }: { quick: boolean }): Promise<object> {
  const rounds = quick ? 7 : 21
  const roundMs = quick ? 30 : 100
  const figures: Record<string, object> = {}
  for (const [name, { ours, theirs, aim }] of Object.entries(pairs)) {
    const times: { ours: number; theirs: number }[] = []
    // The first two rounds warm up.
    for (let round = -2; round < rounds; round++) {
      const pair = { ours: await timeOf(ours, roundMs), theirs: await timeOf(theirs, roundMs) }
      if (round >= 0) times.push(pair)
    }
    const figure = {
      ratio: rounded(median(times.map((pair) => pair.theirs / pair.ours))),
      aim,
      ms: rounded(median(times.map((pair) => pair.ours))),
      theirMs: rounded(median(times.map((pair) => pair.theirs))),
      bytes: Buffer.from(await ours()).length,
      theirBytes: Buffer.from(await theirs()).length,
    }
    figures[name] = figure
    console.log(`${name.padEnd(16)} ${JSON.stringify(figure)}`)
  }
  const check = await benchCheck(quick ? 20 : 100)
  console.log(`check            ${JSON.stringify(check)}`)
  return { rounds, figures, check }
}

/** Typical styles, each one new. */
const checked: Readonly<Record<string, (at: number) => Style>> = {
  color: (at) => ({ foregroundColor: hex(at * 7) }),
  rounded: (at) => ({ ...style, foregroundColor: hex(at * 11), cornerDotColor: hex(at * 5) }),
  'gradient and frame': (at) => ({
    dotStyle: 'dots',
    gradient: { type: 'linear', angle: at, colors: [hex(at * 3), '#1E3A8A'] },
    frame: { style: 'label-below', text: 'Scan me', color: '#1E3A8A' },
  }),
  // Read on white paper as well.
  'colored background': (at) => ({
    foregroundColor: hex(at * 13),
    backgroundColor: '#FEF9C3',
    dotStyle: 'classy',
  }),
}

/**
 * Measures the cost of a new style, and of the same style again: the milliseconds it adds to a
 * create or an update.
 */
async function benchCheck(count: number): Promise<object> {
  const code = { publicUrl: 'https://example.com', work: { run: runStyleJob, suggests: true } }
  const results: Record<string, object> = {}
  for (const [name, make] of Object.entries(checked)) {
    const times: { first: number; again: number }[] = []
    // The first two rounds warm up.
    for (let at = -2; at < count; at++) {
      const one = make(at + 2)
      const pair = {
        first: await msOf(() => acceptQrCodeStyle(one, code)),
        again: await msOf(() => acceptQrCodeStyle(one, code)),
      }
      if (at >= 0) times.push(pair)
    }
    results[name] = {
      firstMs: rounded(median(times.map((pair) => pair.first))),
      firstP95Ms: rounded(
        quantile(
          times.map((pair) => pair.first),
          0.95,
        ),
      ),
      againMs: rounded(median(times.map((pair) => pair.again))),
    }
  }
  return { ...results, firstMsMax: 100 }
}

/** Returns a different dark color for each number. */
function hex(at: number): string {
  return `#${(((at * 2_654_435) % 0x40_40_40) & 0x3f_3f_3f).toString(16).padStart(6, '0').toUpperCase()}`
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const fromMs = performance.now()
  await work()
  return performance.now() - fromMs
}

/** Returns the milliseconds of a picture, averaged over a period. */
async function timeOf(draw: Draw, forMs: number): Promise<number> {
  const fromMs = performance.now()
  let count = 0
  while (performance.now() - fromMs < forMs || count === 0) {
    await draw()
    count++
  }
  return (performance.now() - fromMs) / count
}
