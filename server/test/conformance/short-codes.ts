import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { decodePicture } from '../support/decode-picture.ts'
import { publicUrl, rejection, urlCode, type Installation, type Tenant } from './installation.ts'

/** Short codes and short URLs: section 4 of the decisions. */
export function shortCodeRules(of: Installation): void {
  const destination = async (shortCode: string) =>
    (await of.scan(encodeURI(shortCode))).headers.get('location')

  describe('short codes', () => {
    let org: Tenant
    before(async () => {
      org = await of.organization()
    })
    const make = (shortCode?: string) =>
      org.client.qrCodes.create(org.orgId, urlCode('A', shortCode === undefined ? {} : { shortCode }))
    const versionOf = async (shortCode: string) => {
      const { id } = await make(shortCode)
      const { bytes } = await org.client.qrCodes.download(org.orgId, id, { errorCorrection: 'M' })
      return Number((await decodePicture(bytes))[0]?.version)
    }

    test("decisions 4: shortCode is 7 characters of Crockford's base 32 in upper case, random", async () => {
      const { client, orgId } = org
      const bodies = Array.from({ length: 200 }, (_, index) => urlCode(`Random ${index}`))
      const { data } = await client.batches.create(orgId, bodies)
      const codes = data.map(({ shortCode }) => shortCode)
      for (const code of codes) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{7}$/)
      assert.equal(new Set(codes).size, 200)
      // Each position has many values: the codes are not sequential.
      for (let place = 0; place < 7; place++)
        assert.ok(new Set(codes.map((code) => code[place])).size > 20, `place ${place}`)
    })

    test('decisions 4: a client may choose the short code, 4 to 32 letters, digits or -, stored as written', async () => {
      for (const shortCode of ['a1-Z', 'Summer-2026', '----', '2026', `Long-${'x'.repeat(27)}`]) {
        const code = await make(shortCode)
        assert.equal(code.shortCode, shortCode)
        assert.equal(code.shortUrl, `${publicUrl}/${shortCode}`)
        assert.equal((await org.client.qrCodes.read(org.orgId, code.id)).shortCode, shortCode)
        assert.equal(await destination(shortCode), 'https://example.com/')
      }
      for (const shortCode of ['abc', 'x'.repeat(33), '', 'a_bc', 'a bc', 'äbcd', 'a.bc', 'a/bc', 'abc\n'])
        await rejection(make(shortCode), 400, 'VALIDATION_ERROR', /shortCode/)
    })

    test('decisions 4: reserved words, which are paths of the service, are rejected', async () => {
      for (const word of ['healthz', 'readyz', 'metrics', 'docs', 'HealthZ', 'HEA1THZ', 'D0CS'])
        await rejection(make(word), 400, 'VALIDATION_ERROR', /shortCode/)
      const paths = ['/healthz', '/readyz', '/metrics', '/docs']
      for (const path of paths) assert.equal((await of.send('GET', path)).status, 200, path)
    })

    test('decisions 4: looked up in canonical form: in any letter case', async () => {
      const { shortCode } = await make('Mixed-Case-26')
      for (const text of [shortCode, 'MIXED-CASE-26', 'mixed-case-26', 'mIxEd-CaSe-26'])
        assert.equal(await destination(text), 'https://example.com/', text)
      const made = await make()
      assert.equal(await destination(made.shortCode.toLowerCase()), 'https://example.com/')
    })

    test('decisions 4: looked up in canonical form: O read as 0, I and L as 1', async () => {
      await make('OIL-01')
      for (const text of ['OIL-01', '011-01', 'oil-oi', '0ll-Ol', 'O1I-0L'])
        assert.equal(await destination(text), 'https://example.com/', text)
      await make('X0011X')
      assert.equal(await destination('xoOiLx'), 'https://example.com/')
      for (const text of ['OIL-02', 'OIL01', 'QIL-01']) assert.equal(await destination(text), null, text)
    })

    test('decisions 4: unique across the installation, in canonical form', async () => {
      await make('Lion-10')
      const other = await of.organization()
      for (const shortCode of ['Lion-10', 'LION-10', 'l10n-io', '110N-10']) {
        const call = other.client.qrCodes.create(other.orgId, urlCode('B', { shortCode }))
        await rejection(call, 409, 'CONFLICT')
      }
      assert.equal((await other.client.qrCodes.list(other.orgId)).pagination.total, 0)
    })

    test('decisions 4: an assigned code is never assigned again, even after deletion', async () => {
      const { id } = await make('Gone-Soon')
      await org.client.qrCodes.delete(org.orgId, id)
      await rejection(make('Gone-Soon'), 409, 'CONFLICT')
      await rejection(make('G0NE-S00N'), 409, 'CONFLICT')
      const { id: second } = await make('Gone-Batch')
      await org.client.batches.delete(org.orgId, [second])
      await rejection(make('gone-batch'), 409, 'CONFLICT')
    })

    test('decisions 4: the picture encodes the short URL with scheme and host in upper case if possible', async () => {
      const texts: (string | undefined)[] = []
      for (const code of [await make(), await make('UPPER-26'), await make('lower-26')]) {
        const { bytes } = await org.client.qrCodes.download(org.orgId, code.id)
        const [found] = await decodePicture(bytes)
        texts.push(found?.text.replace(code.shortCode, '*'))
      }
      assert.deepEqual(texts, ['HTTPS://QR.EXAMPLE/*', 'HTTPS://QR.EXAMPLE/*', 'https://qr.example/*'])
    })

    test('decisions 4: one version smaller than the lower-case form of the same URL', async () => {
      assert.equal(await versionOf('HIGHER-26'), (await versionOf('higher-27')) - 1)
    })
  })
}
