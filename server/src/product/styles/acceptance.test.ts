import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeStyle, type Style, type UpdateStyle } from '@everscan/contract/resources/styles.ts'
import sharp from 'sharp'
import { ApiError } from '../../errors.ts'
import { styleWork } from '../../api/testing/style-work.ts'
import { acceptQrCodeStyle } from './qr-code-styles.ts'
import { readPlain } from './read-style.ts'
import { runStyleJob } from './style-jobs.ts'

const publicUrl = 'https://example.com'
const accept = async (style: Style) => acceptQrCodeStyle(style, { publicUrl, work: styleWork })

const uri = (bytes: Buffer, type = 'png') => `data:image/${type};base64,${bytes.toString('base64')}`

async function logoOf(side: number, color = '#CC2233'): Promise<string> {
  const picture = sharp({ create: { width: side, height: side, channels: 3, background: color } })
  return uri(await picture.png().toBuffer())
}

async function refusal(style: Style): Promise<ApiError> {
  return accept(style).then(
    ({ scannability }) => assert.fail(`accepted: ${JSON.stringify(scannability)}`),
    (error: unknown) => (error instanceof ApiError ? error : assert.fail(String(error))),
  )
}

test('a plain style is decoded, with its minimum print size and the reason', async () => {
  const { style, scannability } = await accept({})
  assert.deepEqual(style, {})
  assert.deepEqual(
    { ...scannability, minPrintReason: '', minPrintDetails: [] },
    {
      verified: true,
      readers: [
        { name: 'zxing', read: 7, of: 7 },
        { name: 'qr/decode', read: 7, of: 7 },
      ],
      contrast: 21,
      minPrintMm: 19.8,
      minPrintReason: '',
      minPrintDetails: [],
      warnings: [],
      warningDetails: [],
    },
  )
  assert.match(scannability.minPrintReason, /^33 modules across .* 0\.60 mm wide: at 450 mm /)
  assert.deepEqual(
    scannability.minPrintDetails.map(({ problem, message }) => [problem, message]),
    [['printWidthByReading', scannability.minPrintReason]],
  )
})

test('codes without a style take no turn, and the readers read each of them, at every level', async () => {
  const work = { run: () => assert.fail('took a turn'), suggests: true }
  for (const style of [{}, { foregroundColor: '#000000', margin: 4 }, { errorCorrection: 'H' }] as const)
    assert.equal((await acceptQrCodeStyle(style, { publicUrl, work })).scannability.verified, true)
  for (const styled of [{ foregroundColor: '#000080' }, { margin: 3 }, { transparent: true }] as const)
    await assert.rejects(acceptQrCodeStyle(styled, { publicUrl, work }), /took a turn/)
  for (const errorCorrection of ['L', 'M', 'Q', 'H'] as const)
    for (let length = 1; length < 150; length += 29) {
      const text = `${length % 2 === 0 ? 'https://qr.example' : 'HTTPS://QR.EXAMPLE'}/${'A7KX9Z2QW'.repeat(20).slice(0, length)}`
      const code = { text, errorCorrection }
      assert.deepEqual(readPlain({ code }), await runStyleJob('readStyle', { code, style: {} }), text)
    }
})

test('decorative styles that scan are accepted', async () => {
  const styles: Style[] = [
    { foregroundColor: '#1A2B3C', cornerRadius: 30 },
    { dotStyle: 'dots', cornerSquareStyle: 'dot', cornerDotStyle: 'dot' },
    { dotStyle: 'classy-rounded', cornerSquareStyle: 'extra-rounded', cornerSquareColor: '#8A1538' },
    { gradient: { type: 'radial', colors: ['#0B3D91', '#7A1FA2'] }, dotStyle: 'extra-rounded' },
    { frame: { style: 'label-below', text: 'Scan me', color: '#102030' }, margin: 4 },
    { logo: { dataUri: await logoOf(200), scale: 0.2 } },
    { margin: 0 },
    { frame: { style: 'border', color: '#FFFFFF' } },
  ]
  for (const style of styles)
    assert.equal((await accept(style)).scannability.verified, true, JSON.stringify(style).slice(0, 80))
})

test('422: the suggested nearest change is accepted', async () => {
  const logo = { dataUri: await logoOf(100, '#000000'), scale: 0.3, margin: 4 }
  const unreadable: Style[] = [
    { foregroundColor: '#FFFFFF', backgroundColor: '#000000' },
    { foregroundColor: '#FFFF00' },
    { foregroundColor: '#000000', backgroundColor: '#101010' },
    { foregroundColor: '#808080', backgroundColor: '#909090' },
    { cornerSquareColor: '#DDDDDD' },
    { cornerDotColor: '#EEEEEE' },
    { gradient: { type: 'linear', colors: ['#000000', '#FFFFFF'] } },
    { logo, errorCorrection: 'L' },
    { frame: { style: 'border', color: '#000000' }, margin: 0 },
    { frame: { style: 'label-below', text: 'Scan', color: '#98FBA0' }, backgroundColor: '#FA69EA' },
    { frame: { style: 'border' }, foregroundColor: '#FFFFFF', backgroundColor: '#000000' },
    { frame: { style: 'border' }, margin: 3 },
    { foregroundColor: '#25D366' },
    // As dark to a camera as a green, but not in red light.
    { foregroundColor: '#FF6600' },
  ]
  for (const style of unreadable) {
    const error = await refusal(style)
    const title = `${JSON.stringify(style).slice(0, 90)}: ${error.message}`
    assert.equal(error.status, 422, title)
    assert.equal(error.code, 'STYLE_NOT_SCANNABLE', title)
    assert.ok(!error.message.includes('base64'), title)
    const [detail] = error.details as unknown as [{ suggestion: UpdateStyle }]
    const { scannability } = await accept(mergeStyle(style, detail.suggestion))
    assert.equal(scannability.verified, true, title)
  }
})

test('what is not ideal is a warning', async () => {
  const cases: [Style, RegExp][] = [
    [{ dotStyle: 'dots' }, /dotStyle rounded is read by more/],
    [{ foregroundColor: '#C81E1E' }, /^Red light does not show #C81E1E: scanners/],
    [
      { gradient: { type: 'linear', colors: ['#B91C1C', '#D11507'] } },
      /^Red light does not show #B91C1C and #D11507/,
    ],
    [{ backgroundColor: '#A0A0A0' }, /^The background #A0A0A0 is a mid-tone: on white paper/],
    [{ margin: 1 }, /^The margin of 1 is less than 4 modules: the surface/],
    [{ transparent: true }, /^The background is transparent/],
    [{ foregroundColor: '#1DB954' }, /^The contrast of 2\.5:1 is low/],
  ]
  for (const [style, warning] of cases) {
    const { scannability } = await accept(style)
    assert.equal(scannability.warnings.length, 1, JSON.stringify(scannability))
    assert.match(scannability.warnings[0] ?? '', warning)
    assert.equal(scannability.warningDetails[0]?.message, scannability.warnings[0])
  }
})

test('a green that cameras see well is accepted if every reader reads every picture', async () => {
  for (const foregroundColor of ['#1DB954', '#06C755', '#00B14F', '#00C853']) {
    const { readers } = (await accept({ foregroundColor })).scannability
    for (const { name, read, of } of readers) assert.equal(read, of, `${name}: ${foregroundColor}`)
  }
})

test('a background that is not white is also read on white paper', async () => {
  const opaque = await accept({ backgroundColor: '#FEF9C3' })
  const transparent = await accept({ backgroundColor: '#FEF9C3', transparent: true })
  for (const { of } of opaque.scannability.readers) assert.equal(of, 8)
  for (const { of } of transparent.scannability.readers) assert.equal(of, 7)
})

test('a stored style stays usable as it is: what is refused now is a warning in it', async () => {
  const style: Style = { frame: { style: 'border' }, margin: 2 }
  const options = { publicUrl, storedStyles: [style], work: styleWork }
  const { scannability } = await acceptQrCodeStyle(style, options)
  assert.match(scannability.warnings[0] ?? '', /^The margin of 2 .*: the frame is too close to the code\.$/)
  await assert.rejects(acceptQrCodeStyle({ ...style, foregroundColor: '#222222' }, options), {
    status: 422,
    message: /its frame is too close to the code; margin 4 would be accepted/,
  })
})

test('400: logos and captions that cannot be drawn', async () => {
  const png = Buffer.from((await logoOf(64)).split(',')[1] ?? '', 'base64')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  // The header alone determines the size.
  const bomb = Buffer.from(png)
  bomb.writeUInt32BE(30_000, 16)
  bomb.writeUInt32BE(30_000, 20)
  const cases: [Style, RegExp][] = [
    [{ logo: { dataUri: uri(svg) } }, /style\.logo\.dataUri: must be a PNG, JPEG or WebP picture/],
    [{ logo: { dataUri: uri(svg, 'webp') } }, /must be a PNG, JPEG or WebP picture/],
    [{ logo: { dataUri: uri(bomb) } }, /must have at most 4 million pixels|cannot be decoded/],
    [{ logo: { dataUri: uri(png.subarray(0, 100)) } }, /must be a complete picture/],
    [{ logo: { dataUri: uri(Buffer.alloc(1024 * 1024 + 1)) } }, /at most 1 MiB/],
    [{ frame: { style: 'label-below', text: '扫一扫' } }, /style\.frame\.text: .* cannot draw 扫 一/],
  ]
  for (const [style, message] of cases) {
    const error = await refusal(style)
    assert.equal(error.status, 400, error.message)
    assert.match(error.message, message)
  }
})

test('a logo is re-encoded once: hidden content disappears, and a re-encoded logo stays unchanged', async () => {
  const png = Buffer.from((await logoOf(900)).split(',')[1] ?? '', 'base64')
  const hidden = Buffer.concat([png, Buffer.from('<script>alert(1)</script>')])
  const { style } = await accept({ logo: { dataUri: uri(hidden) } })
  const stored = Buffer.from(style.logo?.dataUri.split(',')[1] ?? '', 'base64')
  assert.ok(!stored.includes('script'))
  assert.equal((await sharp(stored).metadata()).width, 512)
  const again = await acceptQrCodeStyle(style, { publicUrl, storedStyles: [style], work: styleWork })
  assert.deepEqual(again.style, style)
})

test('a repeated check is free', async () => {
  const style: Style = { foregroundColor: '#0A0B0C', dotStyle: 'rounded' }
  const firstMs = await time(() => accept(style))
  const times: number[] = []
  for (let i = 0; i < 50; i++) times.push(await time(() => accept(style)))
  const againMs = times.toSorted((a, b) => a - b)[25] ?? Number.NaN
  assert.ok(againMs < firstMs / 4, `first ${firstMs.toFixed(1)} ms, again ${againMs.toFixed(2)} ms`)
})

async function time(work: () => Promise<unknown>): Promise<number> {
  const fromMs = performance.now()
  await work()
  return performance.now() - fromMs
}
