import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Style } from '@everscan/client/create-client.ts'
import sharp from 'sharp'
import { decodePicture } from '../support/decode-picture.ts'
import { rejection, urlCode, type Installation, type Tenant } from './installation.ts'

const curve = / d="[^"]*[cqsa]/
const white = { foregroundColor: '#FFFFFF', backgroundColor: '#FFFFFF' }

/**
 * How styles and formats are drawn, and the requirements for a style: section 8 of the decisions.
 */
export function lookRules(of: Installation): void {
  describe('looks', () => {
    let org: Tenant
    before(async () => {
      org = await of.organization()
    })

    /** A code in a style, with its decoded picture. */
    const styled = async (style: Style) => {
      const code = await org.client.qrCodes.create(org.orgId, urlCode('Styled', { style }))
      assert.equal(code.scannability.verified, true)
      const { bytes } = await org.client.qrCodes.download(org.orgId, code.id, { size: 600 })
      const onWhite = await sharp(bytes).flatten({ background: '#FFFFFF' }).png().toBuffer()
      const [found] = await decodePicture(new Uint8Array(onWhite))
      assert.equal(found?.text, `HTTPS://QR.EXAMPLE/${code.shortCode}`, JSON.stringify(style))
      return { code, bytes, found }
    }
    const svgOf = async (id: string) => {
      const { bytes } = await org.client.qrCodes.download(org.orgId, id, { format: 'svg' })
      return new TextDecoder().decode(bytes)
    }
    const refused = async (style: object, field: RegExp) =>
      org.refused(['POST', '/qr-codes', { body: { ...urlCode('A'), style } }], 400, 'VALIDATION_ERROR', field)

    test('decisions 8: format=pdf|eps|jpeg|webp', async () => {
      const { id, shortCode } = await org.client.qrCodes.create(org.orgId, urlCode('In all formats'))
      const download = async (format: 'pdf' | 'eps' | 'jpeg' | 'webp', sizeMm?: number) =>
        org.client.qrCodes.download(org.orgId, id, { format, ...(sizeMm !== undefined && { sizeMm }) })
      for (const format of ['jpeg', 'webp'] as const) {
        const { bytes, contentType, fileName } = await download(format)
        assert.equal(contentType, `image/${format}`)
        assert.ok(fileName.endsWith(`.${format}`), fileName)
        const { format: found, width, height } = await sharp(bytes).metadata()
        assert.deepEqual([found, width, height], [format, 1024, 1024])
        const png = new Uint8Array(await sharp(bytes).png().toBuffer())
        assert.equal((await decodePicture(png))[0]?.text, `HTTPS://QR.EXAMPLE/${shortCode}`)
      }
      const latin1 = new TextDecoder('latin1')
      const points = (40 / 25.4) * 72
      const pdf = await download('pdf', 40)
      assert.equal(pdf.contentType, 'application/pdf')
      const mediaBox = /\/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]/.exec(latin1.decode(pdf.bytes))
      assert.ok(Math.abs(Number(mediaBox?.[1]) - points) < 0.01, mediaBox?.[0])
      const eps = await download('eps', 40)
      assert.equal(eps.contentType, 'application/postscript')
      const text = latin1.decode(eps.bytes)
      assert.match(text, /^%!PS-Adobe-3\.0 EPSF-3\.0/)
      const box = /%%HiResBoundingBox: 0 0 ([\d.]+)/.exec(text)
      assert.ok(Math.abs(Number(box?.[1]) - points) < 0.01, box?.[0])
    })

    test('decisions 8: content=direct encodes the content itself, for types that have such a form', async () => {
      const direct = async (body: Parameters<typeof org.client.qrCodes.create>[1]) => {
        const { id } = await org.client.qrCodes.create(org.orgId, body)
        const { bytes } = await org.client.qrCodes.download(org.orgId, id, { content: 'direct' })
        return (await decodePicture(bytes))[0]?.text
      }
      const name = 'Direct'
      const wifi = { ssid: 'Guests', password: 'a;b-2026', encryption: 'WPA' } as const
      assert.equal(await direct({ type: 'WIFI', name, data: wifi }), 'WIFI:T:WPA;S:Guests;P:a\\;b-2026;;')
      assert.equal(await direct({ type: 'PHONE', name, data: { phone: '+49 30 123456' } }), 'tel:+4930123456')
      const mail = { email: 'ada@example.com', subject: 'A & B' }
      assert.equal(
        await direct({ type: 'EMAIL', name, data: mail }),
        'mailto:ada@example.com?subject=A%20%26%20B',
      )
      const text = await direct({ type: 'VCARD', name, data: { firstName: 'Ada', lastName: 'Lovelace' } })
      assert.match(text ?? '', /^BEGIN:VCARD\r\n[\s\S]*\r\nEND:VCARD/)
      assert.equal(await direct({ type: 'TEXT', name, data: { text: 'Plain words' } }), 'Plain words')
      assert.equal(await direct(urlCode(name)), 'https://example.com/')
      const app = { type: 'APP', name, data: { fallbackUrl: 'https://example.com/' } } as const
      const { id } = await org.client.qrCodes.create(org.orgId, app)
      const path = `/qr-codes/${id}/download?content=direct`
      await org.refused(['GET', path], 400, 'VALIDATION_ERROR', /content/)
    })

    for (const [field, values] of Object.entries({
      dotStyle: ['square', 'rounded', 'dots', 'classy', 'classy-rounded', 'extra-rounded'],
      cornerSquareStyle: ['square', 'dot', 'extra-rounded'],
      cornerDotStyle: ['square', 'dot'],
    }))
      test(`decisions 8: ${field} ${values.join(', ')}`, async () => {
        const pictures = new Set<string>()
        const { id } = await org.client.qrCodes.create(org.orgId, urlCode('Many looks'))
        for (const value of values) {
          await styled({ [field]: value })
          const { style } = await org.client.qrCodes.update(org.orgId, id, { style: { [field]: value } })
          assert.deepEqual(style, { [field]: value })
          pictures.add(await svgOf(id))
        }
        assert.equal(pictures.size, values.length)
        await refused({ [field]: 'wavy' }, new RegExp(`style\\.${field}`))
      })

    test('decisions 8: cornerSquareColor, cornerDotColor', async () => {
      const { bytes } = await styled({ cornerSquareColor: '#7F1D1D', cornerDotColor: '#14532D' })
      const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      const moduleSize = Math.floor(600 / 33)
      const margin = Math.floor((600 - 25 * moduleSize) / 2)
      const colorAt = (x: number, y: number) => {
        const at =
          ((margin + (y + 0.5) * moduleSize) | 0) * info.width + ((margin + (x + 0.5) * moduleSize) | 0)
        return data
          .subarray(at * info.channels, at * info.channels + 3)
          .toString('hex')
          .toUpperCase()
      }
      assert.deepEqual([colorAt(0, 0), colorAt(3, 3), colorAt(1, 1)], ['7F1D1D', '14532D', 'FFFFFF'])
      await refused({ cornerDotColor: 'red' }, /style\.cornerDotColor/)
    })

    test('decisions 8: gradient {type linear|radial, angle, colors[2]}', async () => {
      for (const type of ['linear', 'radial'] as const) {
        const { bytes } = await styled({ gradient: { type, angle: 45, colors: ['#1E3A8A', '#7F1D1D'] } })
        const { channels } = await sharp(bytes).removeAlpha().stats()
        assert.ok((channels[0]?.mean ?? 0) !== (channels[2]?.mean ?? 0))
      }
      await refused({ gradient: { type: 'conic', colors: ['#000000', '#111111'] } }, /gradient\.type/)
      await refused({ gradient: { type: 'linear', colors: ['#000000'] } }, /gradient\.colors/)
      await refused({ gradient: { type: 'linear', angle: 361, colors: ['#000000', '#111111'] } }, /angle/)
    })

    test('decisions 8: logo {dataUri, scale 0.1…0.3, margin, round}; H with a logo', async () => {
      const square = sharp({ create: { width: 64, height: 64, channels: 3, background: '#FF0000' } })
      const dataUri = `data:image/png;base64,${(await square.png().toBuffer()).toString('base64')}`
      for (const logo of [
        { dataUri },
        { dataUri, scale: 0.1, margin: 0 },
        { dataUri, scale: 0.2, round: true },
      ]) {
        const { bytes, found } = await styled({ logo })
        assert.equal(found?.ecLevel, 'H')
        const middle = { left: 300, top: 300, width: 1, height: 1 }
        const [red, green] = await sharp(bytes).extract(middle).raw().toBuffer()
        assert.ok(Number(red) > 240 && Number(green) < 16, `${red}, ${green}`)
      }
      for (const logo of [{ dataUri, scale: 0.31 }, { dataUri, scale: 0.09 }, { dataUri, margin: 5 }, {}])
        await refused({ logo }, /style\.logo/)
      for (const wrong of [
        'https://example.com/logo.png',
        'data:image/svg+xml,<svg/>',
        'data:image/png;base64,AAAA',
      ])
        await refused({ logo: { dataUri: wrong } }, /style\.logo\.dataUri/)
    })

    test('decisions 8: frame {style, text, color, textColor}', async () => {
      const frame = { style: 'label-below', text: 'Scan me', color: '#14532D', textColor: '#FFFFFF' } as const
      const { bytes } = await styled({ frame })
      const { width, height } = await sharp(bytes).metadata()
      assert.ok(width === 600 && height > 600, `${width} × ${height}`)
      await refused({ frame: { ...frame, style: 'cloud' } }, /frame\.style/)
      await refused({ frame: { ...frame, text: 'x'.repeat(10_000) } }, /frame\.text/)
      await refused({ frame: { ...frame, text: 'a\u0000b' } }, /frame\.text/)
    })

    test('decisions 8: transparent', async () => {
      const { bytes } = await styled({ transparent: true })
      const { hasAlpha } = await sharp(bytes).metadata()
      const corner = await sharp(bytes).extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer()
      assert.deepEqual([hasAlpha, corner.at(-1)], [true, 0])
    })

    test("decisions 8: cornerRadius is 0 to 100: the percentage of the maximum rounding of a module's corner", async () => {
      const { code } = await styled({ cornerRadius: 100 })
      assert.match(await svgOf(code.id), curve)
      await org.client.qrCodes.update(org.orgId, code.id, { style: { cornerRadius: 0 } })
      assert.doesNotMatch(await svgOf(code.id), curve)
      for (const cornerRadius of [-1, 101]) await refused({ cornerRadius }, /style\.cornerRadius/)
    })

    test('decisions 8: the details of a 422 have the nearest change that is accepted', async () => {
      const unreadable: Style[] = [
        white,
        { foregroundColor: '#CCCCCC' },
        { foregroundColor: '#FFFFFF', backgroundColor: '#000000' },
        { gradient: { type: 'linear', colors: ['#000000', '#EEEEEE'] } },
      ]
      for (const style of unreadable) {
        const error = await rejection(
          org.client.qrCodes.create(org.orgId, urlCode('Unreadable', { style })),
          422,
          'STYLE_NOT_SCANNABLE',
        )
        const suggestion = error.details?.[0]?.suggestion as Style | undefined
        assert.ok(suggestion !== undefined && Object.keys(suggestion).length > 0, JSON.stringify(style))
        const merged = Object.entries({ ...style, ...suggestion }).filter(([, value]) => value !== null)
        await styled(Object.fromEntries(merged))
      }
    })
  })
}

/** Saved styles: sections 8 and 10 of the decisions. */
export function styleRules(of: Installation): void {
  describe('styles', () => {
    test('decisions 8: an import has a style too: its codes are drawn in it and verified', async () => {
      const { client, orgId } = await of.organization()
      const { id: styleId, style } = await client.styles.create(orgId, {
        name: 'Leaves',
        style: { dotStyle: 'classy', foregroundColor: '#14532D' },
      })
      const file = 'name,url\nA,https://example.com/a\nB,https://example.com/b'
      const unknown = client.imports.start(orgId, { type: 'URL', file, styleId: 'sty_unknown' })
      await rejection(unknown, 400, 'VALIDATION_ERROR', /styleId/)
      const started = await client.imports.start(orgId, { type: 'URL', file, styleId })
      await client.imports.waitFor(orgId, started.id, { pollMs: 20 })
      const { data } = await client.qrCodes.list(orgId)
      assert.deepEqual(
        data.map((code) => [code.name, code.style, code.scannability.verified]),
        [
          ['B', style, true],
          ['A', style, true],
        ],
      )
    })

    test('record 52: GET/POST/PUT/DELETE utm-templates', async () => {
      const { client, orgId } = await of.organization()
      const saved = await client.utmTemplates.create(orgId, { name: 'Flyer', campaign: '{folder}' })
      assert.deepEqual((await client.utmTemplates.list(orgId)).data, [saved])
      const changed = await client.utmTemplates.update(orgId, saved.id, { source: 'flyer' })
      assert.deepEqual([changed.source, changed.campaign], ['flyer', '{folder}'])
      await rejection(
        client.utmTemplates.update(orgId, saved.id, { source: null, campaign: null }),
        400,
        'VALIDATION_ERROR',
        /at least one/,
      )
      assert.deepEqual(await client.utmTemplates.delete(orgId, saved.id), { id: saved.id, deleted: true })
      await rejection(client.utmTemplates.read(orgId, saved.id), 404, 'NOT_FOUND')
    })

    test('decisions 10: GET/POST/PUT/DELETE styles; styleId on create and update; the default', async () => {
      const { client, orgId } = await of.organization()
      const style = { foregroundColor: '#1A2B3C', dotStyle: 'rounded' } as const
      const saved = await client.styles.create(orgId, { name: 'House', style, isDefault: true })
      assert.deepEqual([saved.name, saved.style, saved.isDefault], ['House', style, true])
      assert.deepEqual(await client.styles.read(orgId, saved.id), saved)
      assert.deepEqual((await client.styles.list(orgId)).data, [saved])
      const made = await client.qrCodes.create(orgId, urlCode('By default'))
      assert.deepEqual(made.style, style)
      const other = await client.styles.create(orgId, { name: 'Dots', style: { dotStyle: 'dots' } })
      const changed = await client.qrCodes.update(orgId, made.id, { styleId: other.id })
      assert.deepEqual(changed.style, { dotStyle: 'dots' })
      assert.equal((await client.styles.update(orgId, other.id, { name: 'Points' })).name, 'Points')
      assert.deepEqual(await client.styles.delete(orgId, other.id), { id: other.id, deleted: true })
      await rejection(client.styles.read(orgId, other.id), 404, 'NOT_FOUND')
      assert.deepEqual((await client.qrCodes.read(orgId, made.id)).style, { dotStyle: 'dots' })
      const unreadable = client.styles.create(orgId, { name: 'White', style: white })
      await rejection(unreadable, 422, 'STYLE_NOT_SCANNABLE')
    })
  })
}
