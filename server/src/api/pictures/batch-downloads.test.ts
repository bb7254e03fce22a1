import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problem } from '@everscan/contract/problems/problem.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi } from '../testing/api.ts'
import { filesOfZip } from '../testing/zip.ts'

onEitherDatabase('pictures of many codes', (open) => {
  test('200: a zip with a file for each code, named after it; errors.json lists the codes that cannot be drawn', async () => {
    const { make, download } = await openCodes(await open())
    const a = await make({ name: 'Menü / Mai' })
    const b = await make({ name: 'menü / mai', style: { dotStyle: 'dots' } })
    const wifi = await make({
      type: 'WIFI',
      name: 'Guests',
      data: { ssid: 'Guests', password: 'secret-2026' },
    })
    const ids = [a.id, wifi.id, 'qr_unknown', b.id, a.id]

    const svg = await filesOfZip((await download({ ids, format: 'svg', sizeMm: 30 })).rawPayload)
    assert.deepEqual([...svg.keys()], ['Menü _ Mai.svg', 'Guests.svg', 'menü _ mai (2).svg', 'errors.json'])
    assert.match(String(svg.get('Guests.svg')), /^<svg .*width="30mm" height="30mm"/)
    const { message: error, ...named } = problem('noSuchRecord')
    assert.deepEqual(JSON.parse(String(svg.get('errors.json'))), [
      { id: 'qr_unknown', error, code: 'NOT_FOUND', ...named },
    ])

    const print = { ids: [a.id], format: 'pdf', sizeMm: 40, bleed: 3, cropMarks: true, colorSpace: 'cmyk' }
    const pdf = (await filesOfZip((await download(print)).rawPayload)).get('Menü _ Mai.pdf')
    assert.match(String(pdf), /TrimBox\[22\.6772 /)

    const social = await make({
      type: 'SOCIAL',
      name: 'Us',
      data: { title: 'Us', links: [{ platform: 'x', url: 'https://x.com/us' }] },
    })
    const direct = await filesOfZip(
      (await download({ ids: [social.id, wifi.id], content: 'direct' })).rawPayload,
    )
    assert.deepEqual([...direct.keys()], ['Guests.png', 'errors.json'])
    assert.match(String(direct.get('errors.json')), /content: must be dynamic: a code of type SOCIAL/)
  })

  test('400 and 404: problems common to all codes', async () => {
    const { make, download } = await openCodes(await open())
    const { id } = await make({ name: 'a' })
    const cases: [object, number, RegExp][] = [
      [{ ids: [] }, 400, /ids/],
      [{ ids: Array.from({ length: 1_001 }, (_, i) => `qr_${i}`) }, 400, /at most 1000 entries/],
      [{ ids: [id], format: 'exe' }, 400, /format/],
      [{ ids: [id], sizeMm: 900 }, 400, /sizeMm: must result in 64 to 4096 pixels/],
      [{ ids: [id], size: 63 }, 400, /size/],
      [{ ids: [id], bleed: 3 }, 400, /bleed: requires the format pdf or eps/],
      [{ ids: ['qr_unknown'] }, 404, /No record with this id/],
    ]
    for (const [payload, status, message] of cases) {
      const answer = await download(payload)
      assert.equal(answer.statusCode, status, answer.body)
      assert.match(answer.json<ErrorBody>().message, message)
    }
  })

  test('many pictures in one call', async () => {
    const { make, download } = await openCodes(await open())
    const made = await Promise.all(Array.from({ length: 20 }, (_, i) => make({ name: `Code ${i}` })))
    const files = await filesOfZip((await download({ ids: made.map(({ id }) => id), size: 300 })).rawPayload)
    assert.equal(files.size, 20)
    for (const picture of files.values()) assert.equal(picture.readUInt32BE(16), 300)
  })
})

async function openCodes(db: Parameters<typeof openTestApi>[0]) {
  const { call, keys, orgId } = await openTestApi(db)
  const path = `/organizations/${orgId}/qr-codes`
  return {
    make: async (fields: object) => {
      const payload = { type: 'URL', data: { url: 'https://example.com/' }, ...fields }
      const answer = await call('POST', path, { key: keys.EDITOR, payload })
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json<QrCode>()
    },
    download: (payload: object) => call('POST', `${path}/batch/download`, { key: keys.VIEWER, payload }),
  }
}
