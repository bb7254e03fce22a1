import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { DownloadQuery } from '@everscan/client/create-client.ts'
import sharp from 'sharp'
import { decodePicture } from '../support/decode-picture.ts'
import { rejection, urlCode, type Installation, type Tenant } from './installation.ts'

/** The picture: section 4 of the specification, section 8 of the decisions. */
export function pictureRules(of: Installation): void {
  describe('pictures', () => {
    let org: Tenant
    let id: string
    let text: string
    before(async () => {
      org = await of.organization()
      const code = await org.client.qrCodes.create(org.orgId, urlCode('Menü "Abend"'))
      id = code.id
      text = `HTTPS://QR.EXAMPLE/${code.shortCode}`
    })
    const download = (query?: DownloadQuery) => org.client.qrCodes.download(org.orgId, id, query)
    const path = (query = '') => `/qr-codes/${id}/download${query}`
    /** The size of a picture, and the width of its quiet zone in modules. */
    const measure = async (bytes: Uint8Array<ArrayBuffer>) => {
      const [found] = await decodePicture(bytes)
      assert.equal(found?.text, text)
      const { width, height } = await sharp(bytes).metadata()
      const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true })
      const dark = Array.from({ length: info.width }, (_, x) => x).filter((x) =>
        Array.from({ length: info.height }, (_, y) => data[(y * info.width + x) * info.channels] ?? 255).some(
          (value) => value < 128,
        ),
      )
      const modules = 17 + 4 * Number(found?.version)
      const [left = 0, right = 0] = [dark[0], dark.at(-1)]
      const moduleSize = (right - left + 1) / modules
      return { width, height, margin: Math.round(left / moduleSize) }
    }

    test('decisions 8: default PNG, 1024 px, margin 4, M; spec 4: the QR code image', async () => {
      const { bytes, contentType } = await download()
      assert.equal(contentType, 'image/png')
      assert.deepEqual(await measure(bytes), { width: 1024, height: 1024, margin: 4 })
      const [found] = await decodePicture(bytes)
      assert.equal(found?.ecLevel, 'M')
      const explicit = {
        format: 'png',
        size: 1024,
        margin: 4,
        errorCorrection: 'M',
        content: 'dynamic',
      } as const
      assert.deepEqual((await download(explicit)).bytes, bytes)
    })

    test('decisions 8: format=svg', async () => {
      const { bytes, contentType } = await download({ format: 'svg', size: 300 })
      assert.match(contentType, /^image\/svg\+xml/)
      const png = new Uint8Array(await sharp(bytes).png().toBuffer())
      const { width, height } = await measure(png)
      assert.deepEqual([width, height], [300, 300])
      assert.doesNotMatch(new TextDecoder().decode(bytes), /<script|href=/)
    })

    test('decisions 8: Accept decides if format is absent', async () => {
      for (const [accept, query, type] of [
        ['image/svg+xml', '', 'image/svg+xml'],
        ['image/png', '', 'image/png'],
        ['image/png;q=0.1, image/svg+xml', '', 'image/png'],
        ['text/html, image/webp, */*;q=0.8', '', 'image/png'],
        ['application/json', '', 'image/png'],
        ['image/png', '?format=jpg', 'image/jpeg'],
        ['*/*', '', 'image/png'],
        ['image/svg+xml', '?format=png', 'image/png'],
      ] as const) {
        const { headers } = await org.send('GET', path(query), { headers: { accept } })
        assert.ok(headers.get('content-type')?.startsWith(type), `${accept}: ${headers.get('content-type')}`)
      }
    })

    test('decisions 8: size=64…4096', async () => {
      for (const size of [64, 333, 4096]) {
        const { width, height } = await sharp((await download({ size })).bytes).metadata()
        assert.deepEqual([width, height], [size, size])
      }
      for (const size of ['63', '4097', '100.5', 'large', '-1', ''])
        await org.refused(['GET', path(`?size=${size}`)], 400, 'VALIDATION_ERROR', /size/)
    })

    test('decisions 8: margin=0…16', async () => {
      const [found] = await decodePicture((await download()).bytes)
      const modules = 17 + 4 * Number(found?.version)
      for (const margin of [0, 1, 16]) {
        // Modules are whole pixels, and the remainder is around them: with this size there is none.
        const size = (modules + 2 * margin) * 8
        assert.equal((await measure((await download({ margin, size })).bytes)).margin, margin)
      }
      for (const margin of ['-1', '17', '1.5', 'wide'])
        await org.refused(['GET', path(`?margin=${margin}`)], 400, 'VALIDATION_ERROR', /margin/)
    })

    test('decisions 8: errorCorrection=L|M|Q|H', async () => {
      for (const errorCorrection of ['L', 'M', 'Q', 'H'] as const) {
        const [found] = await decodePicture((await download({ errorCorrection })).bytes)
        assert.deepEqual([found?.ecLevel, found?.text], [errorCorrection, text])
      }
      for (const level of ['l', 'X', ''])
        await org.refused(['GET', path(`?errorCorrection=${level}`)], 400, 'VALIDATION_ERROR', /errorCorr/)
    })

    test("decisions 8: disposition=attachment|inline, with the code's name", async () => {
      for (const [query, word] of [
        [{}, 'attachment'],
        [{ disposition: 'attachment' }, 'attachment'],
        [{ disposition: 'inline' }, 'inline'],
      ] as const) {
        const { fileName } = await download(query)
        assert.match(fileName, /^Menü .?Abend.?\.png$/)
        assert.ok(org.last().headers.get('content-disposition')?.startsWith(`${word};`))
      }
      assert.match((await download({ format: 'svg' })).fileName, /\.svg$/)
      await org.refused(['GET', path('?disposition=save')], 400, 'VALIDATION_ERROR', /disposition/)
    })

    test('decisions 8: an invalid value is 400', async () => {
      for (const query of ['format=bmp', 'format=PNG', 'content=static', 'colour=red', 'size=64&size=65'])
        await org.refused(['GET', path(`?${query}`)], 400, 'VALIDATION_ERROR', /format|content|colour|size/)
    })

    test('decisions 8: ETag and 304', async () => {
      const tags = new Set<string>()
      for (const query of ['', '?size=100', '?format=svg', '?errorCorrection=H']) {
        const { status, headers } = await org.send('GET', path(query))
        const etag = headers.get('etag') ?? ''
        assert.equal(status, 200)
        assert.match(etag, /^(W\/)?"[^"]+"$/)
        tags.add(etag)
        const again = await org.send('GET', path(query), { headers: { 'if-none-match': etag } })
        assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag])
      }
      assert.equal(tags.size, 4)
      const headers = { 'if-none-match': [...tags][0] ?? '' }
      assert.equal((await org.send('GET', path('?size=101'), { headers })).status, 200)
    })

    test('decisions 8: archived codes can be downloaded', async () => {
      const { bytes } = await download()
      await org.client.qrCodes.update(org.orgId, id, { status: 'ARCHIVED' })
      assert.deepEqual((await download()).bytes, bytes)
      await org.client.qrCodes.update(org.orgId, id, { status: 'ACTIVE' })
    })

    test('spec 2: foregroundColor and backgroundColor are drawn', async () => {
      const style = { foregroundColor: '#1A2B3C', backgroundColor: '#FFEEDD' }
      const code = await org.client.qrCodes.create(org.orgId, urlCode('In colors', { style }))
      const { bytes } = await org.client.qrCodes.download(org.orgId, code.id, { size: 300 })
      const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      const colors = new Set<string>()
      for (let at = 0; at < data.length; at += info.channels)
        colors.add(
          `#${data
            .subarray(at, at + 3)
            .toString('hex')
            .toUpperCase()}`,
        )
      assert.deepEqual([...colors].sort(), [style.foregroundColor, style.backgroundColor])
      assert.match((await decodePicture(bytes))[0]?.text ?? '', new RegExp(code.shortCode))
      await org.client.qrCodes.update(org.orgId, code.id, { style: { foregroundColor: '#000000' } })
      const changed = await org.client.qrCodes.download(org.orgId, code.id, { size: 300 })
      assert.notDeepEqual(changed.bytes, bytes)
    })

    test('decisions 8: errorCorrection and margin of the style', async () => {
      const style = { errorCorrection: 'Q', margin: 6 } as const
      const code = await org.client.qrCodes.create(org.orgId, urlCode('Styled', { style }))
      const { bytes } = await org.client.qrCodes.download(org.orgId, code.id)
      assert.equal((await decodePicture(bytes))[0]?.ecLevel, 'Q')
      const narrow = await org.client.qrCodes.download(org.orgId, code.id, { margin: 4 })
      assert.notDeepEqual(narrow.bytes, bytes)
      for (const wrong of [{ errorCorrection: 'X' }, { margin: 17 }]) {
        const body = { ...urlCode('A'), style: wrong }
        await org.refused(['POST', '/qr-codes', { body }], 400, 'VALIDATION_ERROR', /style\./)
      }
    })

    test('decisions 8: the record contains scannability {verified, readers, contrast, minPrintMm, warnings}', async () => {
      const plain = (await org.client.qrCodes.read(org.orgId, id)).scannability
      for (const field of ['verified', 'readers', 'contrast', 'minPrintMm', 'warnings'])
        assert.ok(field in plain, field)
      assert.deepEqual(plain.readers, [
        { name: 'zxing', read: 7, of: 7 },
        { name: 'qr/decode', read: 7, of: 7 },
      ])
      assert.equal(plain.verified, true)
      assert.deepEqual([plain.contrast, plain.warnings], [21, []])
      assert.ok(plain.minPrintMm > 5 && plain.minPrintMm < 50)
      const style = { foregroundColor: '#777777', margin: 1 }
      const pale = await org.client.qrCodes.create(org.orgId, urlCode('Pale', { style }))
      assert.ok(pale.scannability.contrast < 5 && pale.scannability.warnings.length > 0)
    })

    test('decisions 8: dots, red and mid-tones are warnings; a second reader reads white paper and red light', async () => {
      const { client, orgId } = org
      const style = { dotStyle: 'dots', foregroundColor: '#B91C1C', backgroundColor: '#F9D8D8' } as const
      const { scannability } = await client.qrCodes.create(orgId, urlCode('Red dots', { style }))
      for (const reader of scannability.readers) assert.equal(reader.of, 8, reader.name)
      assert.match(scannability.warnings.join(' '), /dotStyle rounded .* Red light does not show #B91C1C/)
      const grey = { style: { backgroundColor: '#A8A8A8' } }
      const middling = await client.qrCodes.create(orgId, urlCode('Grey', grey))
      assert.match(middling.scannability.warnings.join(' '), /mid-tone/)
      const green = { style: { foregroundColor: '#1DB954' } }
      assert.ok((await client.qrCodes.create(orgId, urlCode('Green', green))).scannability.contrast < 3)
    })

    test('decisions 8: a frame needs its quiet zone', async () => {
      const { client, orgId } = org
      const style = { frame: { style: 'border' as const }, margin: 2 }
      const body = { body: urlCode('Framed', { style }) }
      await org.refused(['POST', '/qr-codes', body], 422, 'STYLE_NOT_SCANNABLE', /margin 4 would be accepted/)
      const framed = await client.qrCodes.create(orgId, urlCode('Framed', { style: { ...style, margin: 4 } }))
      // A download shows what it is asked for.
      assert.ok((await client.qrCodes.download(orgId, framed.id, { margin: 2 })).bytes.length > 0)
    })

    test('decisions 8: unreadable is 422 in create, update and batches', async () => {
      const style = { foregroundColor: '#FFFFFF', backgroundColor: '#FFFFFF' }
      const { client, orgId } = org
      const body = urlCode('White', { style })
      await rejection(client.qrCodes.create(orgId, body), 422, 'STYLE_NOT_SCANNABLE')
      await rejection(client.qrCodes.update(orgId, id, { style }), 422, 'STYLE_NOT_SCANNABLE')
      const made = await client.batches.create(orgId, [body])
      assert.equal(made.errors[0]?.code, 'STYLE_NOT_SCANNABLE')
      const changed = await client.batches.update(orgId, [id], { style })
      assert.equal(changed.errors[0]?.code, 'STYLE_NOT_SCANNABLE')
      assert.deepEqual((await client.qrCodes.read(orgId, id)).style, {})
    })
  })
}
