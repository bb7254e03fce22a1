import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { SavedStyle, SavedStylePage } from '@everscan/contract/resources/saved-styles.ts'
import sharp from 'sharp'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi } from '../testing/api.ts'

onEitherDatabase('styles of an organization', (open) => {
  test('are saved, updated, listed and deleted; one is the default', async () => {
    const { styles, call } = await openStyles(await open())
    const house = (await styles('POST', '', { name: 'House', style: { foregroundColor: '#1A2B3C' } })).body
    assert.equal(house.isDefault, false)
    const menu = (await styles('POST', '', { name: 'Menu', style: { dotStyle: 'rounded' }, isDefault: true }))
      .body
    const read = async (id: string) => (await styles('GET', `/${id}`)).body
    assert.equal((await read(menu.id)).isDefault, true)

    const changed = (await styles('PUT', `/${house.id}`, { isDefault: true, style: { cornerRadius: 50 } }))
      .body
    assert.deepEqual([changed.isDefault, changed.style, changed.name], [true, { cornerRadius: 50 }, 'House'])
    assert.equal((await read(menu.id)).isDefault, false)

    const page = (await call('GET', '')).json<SavedStylePage>()
    assert.deepEqual(
      page.data.map(({ name }) => name),
      ['Menu', 'House'],
    )
    assert.equal((await styles('DELETE', `/${menu.id}`)).status, 200)
    assert.equal((await styles('DELETE', `/${menu.id}`)).status, 404)
    assert.equal((await styles('GET', `/${menu.id}`)).status, 404)
  })

  test('422 and 400: a style that cannot be decoded or drawn is not saved', async () => {
    const { call } = await openStyles(await open())
    const refused = await call('POST', '', { name: 'Ghost', style: { foregroundColor: '#FFFFFF' } })
    assert.equal(refused.statusCode, 422)
    assert.equal(refused.json<ErrorBody>().code, 'STYLE_NOT_SCANNABLE')
    const odd = await call('POST', '', { name: 'Odd', style: { foregroundColor: 'red' } })
    assert.equal(odd.statusCode, 400)
    assert.equal((await call('GET', '')).json<SavedStylePage>().pagination.total, 0)
  })

  test('a logo is re-encoded only once, however often its style is sent back', async () => {
    const { styles, codes } = await openStyles(await open())
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const photo = sharp({ create: { width: 80, height: 80, channels: 3, background: '#808080', noise } })
    const dataUri = `data:image/jpeg;base64,${(await photo.jpeg({ quality: 80 }).toBuffer()).toString('base64')}`
    const style = { errorCorrection: 'H', logo: { dataUri } }
    const saved = (await styles('POST', '', { name: 'Photo', style })).body
    const body = { type: 'URL', name: 'a', data: { url: 'https://example.com/' } }
    const made = (await codes('POST', '', body)).json<QrCode>()
    const styleAfter = async (method: 'PUT' | 'POST', path: string, payload: object) =>
      (await codes(method, `/${made.id}${path}`, payload)).json<QrCode>().style
    assert.deepEqual(await styleAfter('PUT', '', { styleId: saved.id }), saved.style)
    assert.deepEqual(await styleAfter('PUT', '', { styleId: null }), {})
    assert.deepEqual(await styleAfter('POST', '/rollback', { version: 2 }), saved.style)
  })

  test('styleId: on create and update, style is merged into it; without it the default applies, with null no style', async () => {
    const { styles, codes } = await openStyles(await open())
    const style = { foregroundColor: '#1A2B3C', margin: 2 }
    const house = (await styles('POST', '', { name: 'House', style, isDefault: true })).body
    const menu = (await styles('POST', '', { name: 'Menu', style: { dotStyle: 'dots' } })).body
    const body = { type: 'URL', name: 'a', data: { url: 'https://example.com/' } }
    const made = (await codes('POST', '', body)).json<QrCode>()
    assert.deepEqual(made.style, style)
    assert.equal(made.scannability.verified, true)
    assert.deepEqual((await codes('POST', '', { ...body, styleId: null })).json<QrCode>().style, {})
    const both = await codes('POST', '', { ...body, styleId: menu.id, style: { margin: 6 } })
    assert.deepEqual(both.json<QrCode>().style, { dotStyle: 'dots', margin: 6 })

    const other = await codes('PUT', `/${made.id}`, { styleId: menu.id })
    assert.deepEqual(other.json<QrCode>().style, { dotStyle: 'dots' })
    const batch = await codes('POST', '/batch/update', {
      ids: [made.id],
      updates: { styleId: house.id, style: { margin: null } },
    })
    assert.deepEqual(batch.json<{ data: QrCode[] }>().data[0]?.style, { foregroundColor: '#1A2B3C' })

    // Existing codes keep their style.
    await styles('PUT', `/${house.id}`, { style: { foregroundColor: '#000000' } })
    const unchanged = (await codes('GET', `/${made.id}`)).json<QrCode>()
    assert.deepEqual(unchanged.style, { foregroundColor: '#1A2B3C' })

    for (const [method, path, payload] of [
      ['POST', '', { ...body, styleId: 'sty_unknown' }],
      ['PUT', `/${made.id}`, { styleId: 'sty_unknown' }],
      ['POST', '/batch/update', { ids: [made.id], updates: { styleId: 'sty_unknown' } }],
      ['POST', '/batch/clone', { ids: [made.id], overrides: { styleId: 'sty_unknown' } }],
    ] as const) {
      const answer = await codes(method, path, payload)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json<ErrorBody>().message, /styleId: must be a style of this organization/)
    }
  })
})

async function openStyles(db: Parameters<typeof openTestApi>[0]) {
  const { call: send, keys, orgId } = await openTestApi(db)
  const below =
    (base: string) => (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) =>
      send(method, `/organizations/${orgId}${base}${path}`, {
        key: keys.EDITOR,
        ...(payload === undefined ? {} : { payload }),
      })
  const call = below('/styles')
  return {
    call,
    codes: below('/qr-codes'),
    styles: async (...request: Parameters<typeof call>) => {
      const answer = await call(...request)
      return { status: answer.statusCode, body: answer.json<SavedStyle>() }
    },
  }
}
