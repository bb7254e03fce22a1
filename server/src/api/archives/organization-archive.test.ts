import assert from 'node:assert/strict'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { startTestStore } from '../../analytics/testing/store.ts'
import { someOrigin, someQrCode } from '../../catalogue/testing/catalogue.ts'
import { createQrCodes } from '../../catalogue/codes/qr-codes.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi, publicUrl, type TestApi } from '../testing/api.ts'
import { zipStream } from '../../files/zip-streams.ts'
import { filesOfZip } from '../testing/zip.ts'

const { scanStore, remove } = await startTestStore()
after(remove)

type Line = Record<string, unknown>

onEitherDatabase('the archive of an organization', (open) => {
  test('has every folder and code in its current state, with picture and history', async () => {
    const db = await open()
    const api = await openTestApi(db, { store: scanStore })
    const { call, orgId, keys } = api
    const key = keys.ADMIN
    const codes = `/organizations/${orgId}/qr-codes`
    const send = async (method: 'POST' | 'PUT', path: string, payload: object) => {
      const answer = await call(method, path, { key, payload })
      assert.ok(answer.statusCode < 300, answer.body)
      return answer.json<{ id: string }>()
    }
    const top = await send('POST', `/organizations/${orgId}/folders`, { name: 'Top' })
    const inner = { name: 'Inner', parentId: top.id }
    const nested = await send('POST', `/organizations/${orgId}/folders`, inner)
    const many = Array.from({ length: 250 }, (_, i) => someQrCode({ name: `Code ${i}`, origin: someOrigin }))
    await createQrCodes(db, orgId, many)
    const wifi = { type: 'WIFI', name: 'Lobby', data: { ssid: 'x' }, folderId: nested.id, tags: ['a', 'b'] }
    const { id } = await send('POST', codes, { ...wifi, metadata: { a: 'b' } })
    for (const name of ['Two', 'Three', 'Four']) await send('PUT', `${codes}/${id}`, { name })
    const query = { period: 'last-month', timezone: 'UTC', qrCodeId: id }
    const view = await send('POST', `/organizations/${orgId}/views`, { name: 'Posters', query, public: {} })
    await send('POST', `/organizations/${api.foreignOrgId}/qr-codes`, {}).catch(() => undefined)

    const domain = await send('POST', `/organizations/${orgId}/domains`, { hostname: 'go.example.com' })
    const template = await send('POST', `/organizations/${orgId}/utm-templates`, {
      name: 'Flyer',
      source: 'flyer',
    })

    const files = await archiveOf(api)
    assert.deepEqual(
      [...files.keys()],
      [
        'README.txt',
        'organization.json',
        'folders.jsonl',
        'domains.jsonl',
        'styles.jsonl',
        'utm-templates.jsonl',
        'qr-codes.jsonl',
        'history.jsonl',
        'views.jsonl',
        'webhooks.jsonl',
        'redirects/everscan.map',
        'redirects/everscan.caddy',
      ],
    )
    const about = JSON.parse(files.get('organization.json') ?? '') as { organization: Line }
    assert.deepEqual([about.organization['id'], about.organization['name']], [orgId, 'Mine'])
    assert.deepEqual(
      linesOf(files, 'folders.jsonl').map((line) => [line['id'], line['name'], line['parentId']]),
      [
        [top.id, 'Top', null],
        [nested.id, 'Inner', top.id],
      ],
    )
    assert.deepEqual(linesOf(files, 'domains.jsonl'), [domain])
    assert.deepEqual(linesOf(files, 'utm-templates.jsonl'), [template])
    const lines = linesOf(files, 'qr-codes.jsonl')
    assert.equal(lines.length, 251)
    assert.equal(new Set(lines.map((line) => line['id'])).size, 251)
    const { picture, history, ...record } = lines.find((line) => line['id'] === id) ?? {}
    assert.deepEqual(record, (await call('GET', `${codes}/${id}`, { key })).json<QrCode>())
    assert.deepEqual(Object.keys(picture as object), ['version', 'mask'])
    assert.equal((history as Line)['version'], 4)
    const [savedView = {}, ...others] = linesOf(files, 'views.jsonl')
    const { createdAt: _, updatedAt: __, ...saved } = savedView
    assert.deepEqual([saved, others], [{ id: view.id, name: 'Posters', query, mail: null }, []])
    assert.deepEqual(
      linesOf(files, 'history.jsonl').map((line) => [line['qrCodeId'], line['version'], line['name']]),
      [
        [id, 3, 'Three'],
        [id, 2, 'Two'],
        [id, 1, 'Lobby'],
      ],
    )
  })

  test('has the redirects for nginx and Caddy, without anything that these would run', async () => {
    const api = await openTestApi(await open(), { store: scanStore })
    const { call, orgId, keys } = api
    const make = async (shortCode: string, fields: object) => {
      const payload = { name: 'a', shortCode, ...fields }
      const answer = await call('POST', `/organizations/${orgId}/qr-codes`, { key: keys.EDITOR, payload })
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json<QrCode>().id
    }
    await make('Plain-1', { type: 'URL', data: { url: 'https://example.com/?a=1&b=ü#c' } })
    await make('WILD', { type: 'PDF', data: { url: 'https://example.com/$host/{env.X}"`;\'?q=$a{$B}' } })
    await make('APPS', {
      type: 'APP',
      data: { iosUrl: 'https://a.example/', fallbackUrl: 'https://b.example/' },
    })
    await make('STORE', { type: 'APP', data: { iosUrl: 'https://a.example/' } })
    await make('WIFI', { type: 'WIFI', data: { ssid: 'x' } })
    const gone = await make('GONE', { type: 'URL', data: { url: 'https://example.com/' } })
    const archived = { status: 'ARCHIVED' }
    await call('PUT', `/organizations/${orgId}/qr-codes/${gone}`, { key: keys.EDITOR, payload: archived })
    const files = await archiveOf(api)
    const wild = 'https://example.com/%24host/%7Benv.X%7D%22%60%3B%27?q=%24a%7B%24B%7D'
    const linesIn = (name: string) =>
      (files.get(name) ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    assert.deepEqual(linesIn('redirects/everscan.map'), [
      '"/Plain-1" "https://example.com/?a=1&b=%C3%BC#c";',
      `"/WILD" "${wild}";`,
      '"/APPS" "https://b.example/";',
    ])
    assert.deepEqual(linesIn('redirects/everscan.caddy'), [
      'redir /Plain-1 "https://example.com/?a=1&b=%C3%BC#c" 302',
      `redir /WILD "${wild}" 302`,
      'redir /APPS "https://b.example/" 302',
    ])
  })

  test('with format=static it is a site of the codes', async () => {
    const api = await openTestApi(await open())
    const { call, orgId, keys } = api
    const made = { type: 'TEXT', name: 'a', shortCode: 'HELLO', data: { text: 'Hi there' } }
    await call('POST', `/organizations/${orgId}/qr-codes`, { key: keys.EDITOR, payload: made })
    const path = `/organizations/${orgId}/export?format=static`
    const answer = await call('GET', `${path}&language=de`, { key: keys.ADMIN })
    assert.match(String(answer.headers['content-disposition']), /filename="Mine static \d{4}-/)
    const files = await filesOfZip(answer.rawPayload)
    const { hostname } = new URL(publicUrl)
    assert.match(files.get(`sites/${hostname}/HELLO/index.html`)?.toString() ?? '', /lang="de"[^]*Hi there/)
    assert.match(files.get('nginx.conf')?.toString() ?? '', /root \/srv\/everscan\/sites\//)
    assert.ok(files.has('README.txt') && files.has('Caddyfile'))
    const wrong = await call('GET', `${path}&language=xx`, { key: keys.ADMIN })
    assert.equal(wrong.statusCode, 400)
    assert.match(wrong.body, /language/)
  })

  test('of an empty organization is an archive too; 403 for an EDITOR', async () => {
    const api = await openTestApi(await open(), { store: scanStore })
    const files = await archiveOf(api)
    assert.equal(files.get('qr-codes.jsonl'), '')
    assert.match(files.get('README.txt') ?? '', new RegExp(publicUrl))
    const refused = await api.call('GET', `/organizations/${api.orgId}/export`, { key: api.keys.EDITOR })
    assert.equal(refused.statusCode, 403)
  })
})

test('an archive is created no faster than it is read, and breaks off when a file fails', async () => {
  let made = 0
  async function* pieces() {
    for (; made < 500; made++) yield piece()
  }
  const archive = zipStream([{ name: 'a', pieces }], new Date())
  await once(archive, 'readable')
  await sleep(200)
  assert.ok(made < 50, `${made} pieces for a reader that reads nothing`)
  archive.destroy()
  await sleep(50)
  const before = made
  await sleep(50)
  assert.equal(made, before)

  await assert.rejects(buffer(zipStream([{ name: 'a', pieces: failing }], new Date())), /no more/)
})

/** Data that deflate cannot compress. */
function piece(): string {
  return Array.from({ length: 5_000 }, () => Math.random().toString(36)).join('')
}

async function* failing() {
  yield 'a'
  throw new Error('no more')
}

async function archiveOf({ call, orgId, keys }: TestApi): Promise<Map<string, string>> {
  const answer = await call('GET', `/organizations/${orgId}/export`, { key: keys.ADMIN })
  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.headers['content-type'], 'application/zip')
  assert.match(String(answer.headers['content-disposition']), /filename="Mine \d{4}-\d\d-\d\d\.zip"/)
  const files = await filesOfZip(answer.rawPayload)
  return new Map([...files].map(([name, contents]) => [name, contents.toString()]))
}

function linesOf(files: Map<string, string>, name: string): Line[] {
  const lines = (files.get(name) ?? '').split('\n')
  assert.equal(lines.pop(), '')
  return lines.map((line) => JSON.parse(line) as Line)
}
