import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi } from '../testing/api.ts'

onEitherDatabase('a download', (open) => {
  test('200: PNG by default, with a safe name, and 304 if it has not changed', async () => {
    const { download, update } = await openCode(await open())
    const png = await download('')
    assert.equal(png.statusCode, 200, png.body)
    assert.equal(png.headers['content-type'], 'image/png')
    assert.equal(
      png.headers['content-disposition'],
      `attachment; filename="Men_ _Mai_.png"; filename*=UTF-8''Men%C3%BC%20_Mai_.png`,
    )
    assert.equal(png.rawPayload.subarray(1, 4).toString(), 'PNG')
    assert.equal(png.rawPayload.readUInt32BE(16), 1024)

    const etag = String(png.headers['etag'])
    const unchanged = await download('', { 'if-none-match': etag })
    assert.equal(unchanged.statusCode, 304)
    assert.equal(unchanged.body, '')
    assert.equal(unchanged.headers['etag'], etag)

    await update({ data: { url: 'https://example.com/other' }, status: 'ARCHIVED' })
    assert.deepEqual((await download('')).rawPayload, png.rawPayload)
    await update({ style: { foregroundColor: '#102030' } })
    assert.equal((await download('', { 'if-none-match': etag })).statusCode, 200)
  })

  test('content=direct: whatever fits at its level is drawn, more is 400 with the most that fits', async () => {
    const { download, update } = await openCode(await open(), { type: 'TEXT', data: { text: 'a' } })
    for (const [text, level, status] of [
      ['ä'.repeat(850), 'L', 200],
      ['ä'.repeat(1_165), 'M', 200],
      ['a'.repeat(1_273), 'H', 200],
      ['a'.repeat(1_274), 'H', 400],
    ] as const) {
      await update({ data: { text } })
      const answer = await download(`?content=direct&size=2048&errorCorrection=${level}`)
      assert.equal(answer.statusCode, status, `${text.length} ${level}: ${answer.body.slice(0, 200)}`)
      if (status === 400)
        assert.match(answer.json<ErrorBody>().message, /^"?content"?:? .*1273 bytes .* level H, has 1274/)
    }
    await update({ data: { text: 'ä'.repeat(700) }, style: { dotStyle: 'dots' } })
    const styled = await download('?content=direct&size=2048&errorCorrection=Q')
    assert.ok([200, 422].includes(styled.statusCode), styled.body.slice(0, 200))
  })

  test('200: SVG by parameter or by Accept; size, margin, level and disposition take effect', async () => {
    const { download } = await openCode(await open())
    for (const svg of [await download('?format=svg'), await download('', { accept: 'image/svg+xml' })]) {
      assert.equal(svg.headers['content-type'], 'image/svg+xml')
      assert.match(svg.body, /^<svg .*width="1024"/)
    }
    const inline = await download('?disposition=inline&size=300')
    assert.match(String(inline.headers['content-disposition']), /^inline; /)
    assert.equal(inline.rawPayload.readUInt32BE(16), 300)
    const looks = await Promise.all(
      ['', '&margin=0', '&errorCorrection=H'].map(
        async (query) => (await download(`?format=svg${query}`)).body,
      ),
    )
    assert.equal(new Set(looks).size, 3)
    const head = await download('', {}, 'HEAD')
    assert.equal(head.statusCode, 200)
    assert.equal(head.body, '')
  })

  test('200: PDF and EPS with color space, bleed and crop marks', async () => {
    const { download } = await openCode(await open())
    const body = async (query: string): Promise<string> => {
      const answer = await download(`?sizeMm=40&${query}`)
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.rawPayload.toString('latin1')
    }
    const plain = await body('format=pdf')
    assert.match(plain, /MediaBox\[0 0 113\.3858 113\.3858\]\/Resources/)
    assert.equal(await body('format=pdf&bleed=0&cropMarks=false'), plain)
    const bled = await body('format=pdf&bleed=3')
    assert.match(bled, /MediaBox\[0 0 130\.3937 .*TrimBox\[8\.5039 8\.5039 121\.8898 121\.8898\]/)
    assert.match(await body('format=pdf&cropMarks=true'), /TrimBox\[19\.8425 /)
    assert.match(await body('format=pdf&colorSpace=rgb'), /sRGB IEC61966.*OutputIntents/s)
    assert.doesNotMatch(await body('format=pdf&colorSpace=cmyk'), /OutputIntents/)
    assert.match(await body('format=eps&colorSpace=cmyk&bleed=2.5'), /HiResBoundingBox: 0 0 127\.5591 /)
    assert.equal((await download('?bleed=0&cropMarks=false')).statusCode, 200)
  })

  test('400 and 406: impossible pictures, with what is possible', async () => {
    const { download } = await openCode(await open())
    const cases: [string, string][] = [
      ['?format=exe', '"format" must be one of "png", "svg", "pdf", "eps", "jpeg", "webp", got "exe"'],
      ['?content=none', '"content" must be one of "dynamic", "direct", got "none"'],
      ['?sizeMm=30&size=100', 'sizeMm: must not be sent together with size'],
      ['?dpi=300', 'dpi: requires sizeMm'],
      ['?sizeMm=500', 'sizeMm: must result in 64 to 4096 pixels at 300 dpi, got 5906'],
      ['?sizeMm=4', '"sizeMm" must be at least 5, got 4'],
      ['?size=63', '"size" must be at least 64, got 63'],
      ['?size=5000', '"size" must be at most 4096, got 5000'],
      ['?margin=17', '"margin" must be at most 16, got 17'],
      ['?errorCorrection=X', '"errorCorrection" must be one of "L", "M", "Q", "H", got "X"'],
      ['?disposition=open', '"disposition" must be one of "attachment", "inline", got "open"'],
      ['?bleed=3', 'bleed: requires the format pdf or eps'],
      ['?format=svg&cropMarks=true', 'cropMarks: requires the format pdf or eps'],
      ['?format=pdf&bleed=6', '"bleed" must be at most 5, got 6'],
      ['?format=pdf&colorSpace=lab', '"colorSpace" must be one of "rgb", "cmyk", got "lab"'],
      ['?colour=red', '"colour" is not a known parameter'],
    ]
    for (const [query, message] of cases) {
      const answer = await download(query)
      assert.equal(answer.statusCode, 400, query)
      assert.equal(answer.json<ErrorBody>().message, message)
    }
    const none = await download('', { accept: 'image/png;q=0' })
    assert.equal(none.statusCode, 406)
    assert.equal(none.json<ErrorBody>().code, 'NOT_ACCEPTABLE')
    assert.equal((await download('?format=png', { accept: 'image/png;q=0' })).statusCode, 200)
    assert.equal((await download('?format=jpg')).headers['content-type'], 'image/jpeg')
    assert.equal((await download('', { accept: 'application/json' })).headers['content-type'], 'image/png')
  })
})

async function openCode(db: Parameters<typeof openTestApi>[0], fields: object = {}) {
  const { call, keys, orgId } = await openTestApi(db)
  const key = keys.EDITOR
  const payload = { type: 'URL', name: 'Menü "Mai"', data: { url: 'https://example.com/' }, ...fields }
  const { id } = (await call('POST', `/organizations/${orgId}/qr-codes`, { key, payload })).json<QrCode>()
  const path = `/organizations/${orgId}/qr-codes/${id}`
  return {
    update: (changes: object) => call('PUT', path, { key, payload: changes }),
    download: (query: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
      call(method, `${path}/download${query}`, { key, headers }),
  }
}
