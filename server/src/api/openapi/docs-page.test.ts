import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { openTableApi } from '../testing/api.ts'

const app = openTableApi([])

test('200: the page and every file it refers to come from this server, and nothing is inline', async () => {
  const page = await app.inject('/docs')
  assert.equal(page.statusCode, 200)
  const policy = String(page.headers['content-security-policy'])
  assert.doesNotMatch(policy, /unsafe|\*|https?:/)
  assert.match(policy, /default-src 'none'; script-src 'self'/)
  assert.doesNotMatch(page.body, /<script>|<style|style=|onload=|https?:\/\//)
  const names = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name = '']) => name)
  assert.ok(names.length >= 4)
  for (const name of names.filter((one) => !one.startsWith('/api/'))) {
    const answer = await app.inject(name)
    assert.equal(answer.statusCode, 200, name)
    assert.ok(answer.rawPayload.length > 100, name)
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    const again = await app.inject({
      url: name,
      headers: { 'if-none-match': String(answer.headers['etag']) },
    })
    assert.equal(again.statusCode, 304, name)
  }
})

test('the start script gives the renderer our document, and no URL of another site', async () => {
  const { body } = await app.inject('/docs/start.js')
  let settings: Record<string, unknown> = {}
  const SwaggerUIBundle = Object.assign((given: Record<string, unknown>) => (settings = given), {
    presets: { apis: [] },
  })
  runInNewContext(body, { SwaggerUIBundle })
  assert.equal(settings['url'], '/api/v1/openapi.json')
  assert.equal(settings['validatorUrl'], null)
  assert.doesNotMatch(body, /https?:\/\//)
})

test('the path with a trailing slash redirects to the page; others are 404', async () => {
  const answer = await app.inject('/docs/')
  assert.equal(answer.statusCode, 301)
  assert.equal(answer.headers['location'], '/docs')
  for (const path of ['/docs/x', '/docs/../package.json', '/docs/5.0.0/swagger-ui.css'])
    assert.equal((await app.inject(path)).statusCode, 404, path)
})
