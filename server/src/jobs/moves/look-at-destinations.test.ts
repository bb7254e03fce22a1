import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAddressLook } from './look-at-address.ts'
import { createDestinationLooks } from './look-at-destinations.ts'
import { startOldService } from './testing/old-service.ts'

test('each destination is opened once, one after the other on a host, and only pages that are gone are warnings', async (t) => {
  const site = await startOldService((path) => ({ status: Number(path.slice(1)) || 200 }))
  t.after(site.close)
  const { look, close } = createAddressLook({ allowPrivate: true })
  t.after(close)
  const lookAt = createDestinationLooks(look, { pauseMs: 1 })
  const statuses = [200, 301, 401, 403, 404, 410, 429, 500, 503]
  const urls = statuses.map((one) => `${site.url}/${one}`)
  const found = await lookAt([...urls, ...urls, 'http://127.0.0.1:1/'])
  assert.deepEqual(
    [...found]
      .filter(([, warning]) => warning !== null)
      .map(([url, warning]) => `${new URL(url).pathname} ${warning?.message}`)
      .toSorted(),
    [
      '/ The host refused the connection.',
      '/404 The page answers 404.',
      '/410 The page answers 410.',
      '/500 The page answers 500.',
    ],
  )
  assert.equal(found.size, 10)
  assert.equal(site.atOnceMax(), 1)
  assert.equal(site.asked.filter((line) => line.startsWith('HEAD')).length, 9)
})

test('a step ends in time: what is left is looked at in the next one', async () => {
  const asked: string[] = []
  const lookAt = createDestinationLooks(
    async (url) => {
      asked.push(url)
      return { status: 200, location: undefined, retryAfterMs: undefined }
    },
    { pauseMs: 100 },
  )
  const urls = Array.from({ length: 50 }, (_, at) => `https://example.com/${at}`)
  const found = await lookAt(urls)
  assert.ok(found.size > 0 && found.size < 50, String(found.size))
  assert.deepEqual([...found.keys()], asked)
})
