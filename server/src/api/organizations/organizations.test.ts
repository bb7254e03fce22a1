import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { OrganizationDetails } from '@everscan/contract/resources/organizations.ts'
import sharp from 'sharp'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi } from '../testing/api.ts'

/** A photo of noise, which no format compresses. */
async function noisyLogo(width: number, height: number): Promise<string> {
  const raw = Buffer.alloc(width * height * 3)
  for (let at = 0, state = 1; at < raw.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    raw[at] = state >>> 24
  }
  const png = await sharp(raw, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
  return `data:image/png;base64,${png.toString('base64')}`
}

onEitherDatabase('an organization', (open) => {
  test('200: its settings, of which only the sent ones change', async () => {
    const api = await openTestApi(await open())
    const path = `/organizations/${api.orgId}`
    const key = api.keys.ADMIN
    const read = async () =>
      (await api.call('GET', path, { key: api.keys.VIEWER })).json<OrganizationDetails>()
    const put = async (payload: object) => {
      const answer = await api.call('PUT', path, { key, payload })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json<OrganizationDetails>()
    }
    const before = await read()
    assert.deepEqual(
      [before.name, before.publicName, before.logo, before.role],
      ['Mine', null, null, 'VIEWER'],
    )
    const named = await put({ name: 'Ours', publicName: 'Chez nous' })
    assert.deepEqual([named.name, named.publicName, named.slug], ['Ours', 'Chez nous', 'mine'])
    const { logo } = await put({ logo: await noisyLogo(500, 400) })
    const bytes = Buffer.from(logo?.split(',')[1] ?? '', 'base64')
    const { format, width, height } = await sharp(bytes).metadata()
    assert.equal(format, 'webp')
    assert.ok(
      bytes.length <= 6_000 && width <= 320 && height <= 96,
      `${bytes.length} bytes, ${width}×${height}`,
    )
    assert.deepEqual(await read(), {
      ...before,
      ...named,
      logo,
      role: 'VIEWER',
      updatedAt: (await read()).updatedAt,
    })
    const cleared = await put({ publicName: null, logo: null })
    assert.deepEqual([cleared.name, cleared.publicName, cleared.logo], ['Ours', null, null])
  })

  test('400: a logo that is not a picture, is damaged or too large, and invalid names', async () => {
    const api = await openTestApi(await open())
    const path = `/organizations/${api.orgId}`
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
    const whole = await noisyLogo(40, 40)
    for (const [payload, field] of [
      [{ logo: `data:image/svg+xml;base64,${svg}` }, 'logo'],
      [{ logo: `data:image/png;base64,${svg}` }, 'logo'],
      [{ logo: whole.slice(0, whole.length / 2) }, 'logo'],
      [{ logo: 'https://example.com/logo.png' }, 'logo'],
      [{ logo: await noisyLogo(2_001, 2_000) }, 'logo'],
      [{ publicName: '' }, 'publicName'],
      [{ publicName: 'a\nb' }, 'publicName'],
      [{ name: null }, 'name'],
      [{ slug: 'a' }, 'slug'],
    ] as const) {
      const answer = await api.call('PUT', path, { key: api.keys.ADMIN, payload })
      assert.ok([400, 413].includes(answer.statusCode), answer.body)
      if (answer.statusCode === 400) assert.equal(answer.json<ErrorBody>().details?.[0]?.path, field)
    }
    const { logo, publicName } = (
      await api.call('GET', path, { key: api.keys.ADMIN })
    ).json<OrganizationDetails>()
    assert.deepEqual([logo, publicName], [null, null])
  })
})
