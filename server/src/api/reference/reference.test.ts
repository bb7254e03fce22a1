import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTableApi } from '../testing/api.ts'
import { openApiDocument } from '../openapi/openapi.ts'
import type { SearchEntry } from '../guide/load-guide.ts'
import { loadReference } from './load-reference.ts'
import { operationsOf } from './operations.ts'

const app = openTableApi([])
const document = openApiDocument()
const { documents } = loadReference(document)

test('200: every page comes from this server, with nothing inline and its policy', async () => {
  assert.ok(documents.size > 20)
  for (const address of documents.keys()) {
    const page = await app.inject(address)
    assert.equal(page.statusCode, 200, address)
    const policy = String(page.headers['content-security-policy'])
    assert.doesNotMatch(policy, /unsafe|\*|https?:/)
    assert.match(policy, /default-src 'none'; script-src 'self'/)
    assert.doesNotMatch(page.body, /<script>|<style|style=| on\w+=/, address)
    assert.doesNotMatch(page.body, /undefined|\[object|NaN/, address)
  }
})

test('every link leads to a page, a file or a heading that is there', async () => {
  let fragments = 0
  for (const [address, body] of documents)
    for (const [, target = ''] of body.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^(https?:|\/app|\/api\/v1|\/docs\/guide$)/.test(target)) continue
      const [path = '', fragment] = target.split('#')
      const full = path === '' ? address : path
      if (fragment === undefined) {
        assert.equal((await app.inject(full)).statusCode, 200, `${address}: ${target}`)
        continue
      }
      fragments++
      assert.ok(documents.get(full)?.includes(`id="${fragment}"`), `${address}: ${target}`)
    }
  assert.ok(fragments > 300)
})

test('each operation of the document has its heading, path and four samples, and is found', async () => {
  const all = [...documents.values()].join('')
  const entries = (await app.inject('/docs/api/search.json')).json<SearchEntry[]>()
  const operations = operationsOf(document)
  assert.ok(operations.length > 100)
  for (const { id, path } of operations) {
    const section = all.split(`data-operation="${id}"`)[1]?.split('</section>')[0] ?? ''
    assert.ok(section.includes(`<code>${path}</code>`), id)
    for (const language of ['curl', 'js', 'python', 'php'])
      assert.ok(section.includes(`data-language="${language}"`), `${id}: ${language}`)
    assert.ok(
      entries.some(({ address }) => address.endsWith(`#${id}`)),
      id,
    )
  }
})

test('each named schema has its place, with its fields', () => {
  const types = documents.get('/docs/api/types') ?? ''
  for (const name of Object.keys(document.components['schemas'] ?? {}))
    assert.ok(types.includes(`<h2 id="${name}">`), name)
  assert.match(types, /<code>bookingUrl<\/code>/)
})

test('301 and 404: a trailing slash leads to the page, and other addresses are unknown', async () => {
  const answer = await app.inject('/docs/')
  assert.equal(answer.statusCode, 301)
  assert.equal(answer.headers['location'], '/docs')
  for (const path of ['/docs/x', '/docs/../package.json', '/docs/api/nothing', '/docs/api/toString'])
    assert.equal((await app.inject(path)).statusCode, 404, path)
})

test('304: pages and files are not sent again', async () => {
  for (const url of ['/docs', '/docs/api/qr-codes', '/docs/api/search.json', '/docs/api/reference.js']) {
    const first = await app.inject(url)
    const headers = { 'if-none-match': String(first.headers['etag']) }
    assert.equal((await app.inject({ url, headers })).statusCode, 304, url)
  }
})
