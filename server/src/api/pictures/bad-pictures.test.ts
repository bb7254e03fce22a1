import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { writePngFile } from '@everscan/qr/writers/png-file.ts'
import sharp from 'sharp'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi } from '../testing/api.ts'

const uri = (bytes: Buffer, type = 'png') => `data:image/${type};base64,${bytes.toString('base64')}`
const red = { red: 200, green: 0, blue: 0 }

/**
 * A complete and valid PNG of one color; zeros compress so well that a gigapixel is a small file.
 */
function onePng(widthPx: number, heightPx = widthPx): Buffer {
  const lines = Buffer.alloc((1 + Math.ceil(widthPx / 8)) * heightPx)
  const scanlines = deflateSync(lines, { level: 9 })
  return writePngFile({ widthPx, heightPx, bitsPerPixel: 1, palette: [red, red], scanlines })
}

const small = onePng(64)
const bomb = onePng(30_000)
/** Few pixels, but a million lines. */
const strip = onePng(1, 1_000_000)
const script = '<script>fetch("https://evil.example")</script>'
const svg = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg"><image href="https://evil.example/a.png"/>${script}</svg>`,
)
const label = (text: string) => ({ frame: { style: 'label-below', text } })

const badStyles: [style: object, status: 400 | 422, message: RegExp][] = [
  ...['red', '#FFF', '#GGGGGG', '#1234567', '112233', '', 'url(https://evil.example)', '#000000\n'].map(
    (foregroundColor): [object, 400, RegExp] => [
      { foregroundColor },
      400,
      /^style\.foregroundColor: must be a hex color/,
    ],
  ),
  [
    { gradient: { type: 'linear', colors: ['#000000', 'blue'] } },
    400,
    /^style\.gradient\.colors\[1\]: must be a hex color/,
  ],
  [
    { foregroundColor: '#FFFFFF', backgroundColor: '#FFFFFF' },
    422,
    /white|darker|modules from the background/,
  ],
  [{ foregroundColor: '#FFFFFF' }, 422, /modules from the background/],
  [{ foregroundColor: '#FFFFFF', backgroundColor: '#000000' }, 422, /modules from the background/],
  [
    { logo: { dataUri: uri(strip) } },
    400,
    /^style\.logo\.dataUri: must have sides of at most 10000 pixels, got 1 × 1000000/,
  ],
  [{ logo: { dataUri: uri(bomb) } }, 400, /^style\.logo\.dataUri: must have at most 4 million pixels/],
  [{ logo: { dataUri: uri(svg, 'svg+xml') } }, 400, /^style\.logo\.dataUri: must be a data URI of a PNG/],
  [{ logo: { dataUri: uri(svg) } }, 400, /^style\.logo\.dataUri: must be a PNG, JPEG or WebP picture/],
  [
    { logo: { dataUri: uri(small.subarray(0, 60)) } },
    400,
    /^style\.logo\.dataUri: must be a complete picture/,
  ],
  [{ logo: { dataUri: 'https://evil.example/logo.png' } }, 400, /^style\.logo\.dataUri: must be a data URI/],
  [{ logo: { dataUri: 'file:///etc/passwd' } }, 400, /^style\.logo\.dataUri: must be a data URI/],
  [{ logo: { dataUri: uri(Buffer.alloc(1024 * 1024 + 1)) } }, 400, /^style\.logo\.dataUri: .*at most/],
  [label('x'.repeat(10_000)), 400, /^style\.frame\.text: .*at most 40/],
  [label('x'.repeat(41)), 400, /^style\.frame\.text: .*at most 40/],
  ...['\0', '\u0007', '\u001b[31m', 'a\nb', '\u007f', '\u009b'].map((text): [object, 400, RegExp] => [
    label(text),
    400,
    /^style\.frame\.text: /,
  ]),
  [{ margin: -1 }, 400, /^style\.margin: /],
  [{ margin: 17 }, 400, /^style\.margin: /],
  [{ margin: 1.5 }, 400, /^style\.margin: /],
  [{ cornerRadius: 101 }, 400, /^style\.cornerRadius: /],
  [{ logo: { dataUri: uri(small), scale: 0.31 } }, 400, /^style\.logo\.scale: /],
  [{ logo: { dataUri: uri(small), margin: 4.1 } }, 400, /^style\.logo\.margin: /],
]

const badQueries: [query: string, message: RegExp][] = [
  ['format=exe', /^"format" must be one of .*, got "exe"$/],
  ['format=PNG', /^"format" must be one of /],
  ['format=', /^"format" must be one of /],
  ['format=png&format=svg', /format/],
  ['size=63', /^"size" must be at least 64, got 63$/],
  ['size=4097', /^"size" must be at most 4096, got 4097$/],
  ['size=0', /^"size" must be at least 64/],
  ['size=-1', /^"size" must be at least 64/],
  ['size=64.5', /^"size" must be a whole number|^"size" must be an? integer/],
  ['size=1e9', /^"size" /],
  ['size=NaN', /^"size" /],
  ['margin=17', /^"margin" must be at most 16, got 17$/],
  ['margin=-1', /^"margin" must be at least 0, got -1$/],
  ['sizeMm=4.9&format=pdf', /^"sizeMm" must be at least 5/],
  ['sizeMm=100000&format=pdf', /^"sizeMm" must be at most /],
]

onEitherDatabase('an invalid picture', (open) => {
  test('400 and 422: the problem is named, and nothing is fetched', async (t) => {
    const fetched = t.mock.method(globalThis, 'fetch', () => assert.fail('something was fetched'))
    const { create } = await openCodes(await open())
    for (const [style, status, message] of badStyles) {
      const answer = await create(style)
      const what = JSON.stringify(style).slice(0, 80)
      assert.equal(answer.statusCode, status, `${what}: ${answer.body.slice(0, 300)}`)
      assert.match(answer.json<ErrorBody>().message, message, what)
    }
    assert.equal(fetched.mock.callCount(), 0)
  })

  test('400: sizes off by one, and unknown formats', async () => {
    const { create, download } = await openCodes(await open())
    const { id } = (await create({})).json<QrCode>()
    for (const [query, message] of badQueries) {
      const answer = await download(id, query)
      assert.equal(answer.statusCode, 400, `${query}: ${answer.body.slice(0, 300)}`)
      assert.match(answer.json<ErrorBody>().message, message, query)
    }
    for (const size of [64, 4096])
      assert.equal((await download(id, `format=png&size=${size}`)).statusCode, 200)
  })

  test('a script inside a PNG appears in no picture', async () => {
    const { create, download } = await openCodes(await open())
    const commented = await sharp(small)
      .withExif({ IFD0: { ImageDescription: script } })
      .png()
      .toBuffer()
    for (const png of [commented, Buffer.concat([small, Buffer.from(script)])]) {
      assert.ok(png.includes('<script>'))
      const answer = await create({ logo: { dataUri: uri(png) } })
      assert.equal(answer.statusCode, 201, answer.body.slice(0, 300))
      const { id, style } = answer.json<QrCode>()
      const stored = Buffer.from(style.logo?.dataUri.split(',')[1] ?? '', 'base64')
      assert.ok(!stored.includes('script'))
      for (const format of ['svg', 'pdf', 'eps', 'png', 'jpeg', 'webp'])
        assert.ok(!(await download(id, `format=${format}`)).rawPayload.includes('script'), format)
    }
  })

  test('memory does not grow with repeated requests', async () => {
    const { create } = await openCodes(await open())
    const sendAll = async () => {
      for (const dataUri of [uri(bomb), uri(svg), uri(Buffer.alloc(1024 * 1024))])
        assert.equal((await create({ logo: { dataUri } })).statusCode, 400)
      assert.equal((await create(label('x'.repeat(10_000)))).statusCode, 400)
    }
    const grownMb = async (): Promise<number> => {
      const before = process.memoryUsage.rss()
      for (let time = 0; time < 20; time++) await sendAll()
      return (process.memoryUsage.rss() - before) / 1024 / 1024
    }
    const peakBefore = process.resourceUsage().maxRSS / 1024
    await grownMb()
    // Garbage collection is unpredictable: a leak grows in every round.
    const grown = [await grownMb(), await grownMb(), await grownMb()]
    assert.ok(
      Math.min(...grown) < 50,
      `grew by ${grown.map((mb) => mb.toFixed(0)).join(', ')} MB, in 80 requests each`,
    )
    const peak = process.resourceUsage().maxRSS / 1024 - peakBefore
    assert.ok(peak < 500, `grew to ${peak.toFixed(0)} MB more; one such logo decoded is 2,700 MB`)
  })
})

async function openCodes(db: Parameters<typeof openTestApi>[0]) {
  const { call, keys, orgId } = await openTestApi(db)
  const key = keys.EDITOR
  const path = `/organizations/${orgId}/qr-codes`
  const code = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/' } }
  return {
    create: (style: object) => call('POST', path, { key, payload: { ...code, style } }),
    download: (id: string, query: string) => call('GET', `${path}/${id}/download?${query}`, { key }),
  }
}
