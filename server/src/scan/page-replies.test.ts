import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { test } from 'node:test'
import { pageColors } from '@everscan/pages/page-colors.ts'
import type { PageType } from '@everscan/contract/code-types/code-types.ts'
import type { PageCode } from '@everscan/pages/page-content.ts'
import type { PageReply, ScanVisitor } from './scan-answer.ts'
import { createPageReplies } from './page-replies.ts'

const someone: ScanVisitor = { language: 'en', locale: 'en', system: 'other', acceptsGzip: false }

const codeOf = (type: PageType, data: object): PageCode => {
  const fields = { ...data }
  return { type, name: 'A', data: fields, colors: pageColors({}), brand: {}, contactPath: '/A.vcf' }
}

/** The largest menu that the API accepts. */
const largeMenu = codeOf('MENU', {
  title: 'Menu',
  sections: Array.from({ length: 50 }, (_, section) => ({
    name: `Section ${section}`,
    items: Array.from({ length: 200 }, (__, item) => ({
      name: `Dish ${item}`,
      price: item,
      currency: 'EUR',
    })),
  })),
})

test('a visitor gets the page of its language and system, which is rendered once', () => {
  const reply = createPageReplies().add(codeOf('SMS', { phone: '1', message: 'A' }), { inSteps: false })
  const text = (visitor: Partial<ScanVisitor>) =>
    String((reply({ ...someone, ...visitor }) as PageReply).body)
  assert.match(text({ system: 'ios' }), /sms:1&#38;body=A/)
  assert.match(text({ system: 'android' }), /sms:1\?body=A/)
  assert.match(text({ language: 'ja' }), /メッセージを送る/)
  assert.equal(reply({ ...someone, locale: 'de' }), reply(someone))
})

test('what is rendered is bounded by its bytes', () => {
  const pages = createPageReplies(100_000)
  const replies = Array.from({ length: 50 }, () =>
    pages.add(codeOf('TEXT', { text: 'A' }), { inSteps: false }),
  )
  const [first, second] = replies
  const before = [first?.(someone), second?.(someone)]
  for (const reply of replies.slice(2)) {
    void reply(someone)
    assert.equal(first?.(someone), before[0], 'one that is asked for stays')
  }
  assert.notEqual(second?.(someone), before[1])
  assert.deepEqual(second?.(someone), before[1])
})

test('a large page is rendered in steps, once for all who wait, and nobody else waits for it', async () => {
  const reply = createPageReplies().add(largeMenu, { inSteps: true })
  const waiting = Promise.all([reply(someone), reply(someone)].map(async (one) => one))
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  const [one, other] = await waiting
  clearInterval(counting)
  assert.ok(turns >= 5, `${turns} turns of others`)
  assert.equal(one, other)
  assert.equal(reply(someone), one)
  assert.match(String(one?.body), /Section 49/)
})

test('a page of many packets is compressed beside the loop, for those who read that', async () => {
  const reply = createPageReplies().add(largeMenu, { inSteps: true })
  const plain = await reply(someone)
  const wanted = { ...someone, acceptsGzip: true }
  assert.equal(await reply(wanted), plain, 'nobody waits for it')
  let gzipped = await reply(wanted)
  while (gzipped === plain) {
    await nextTurn()
    gzipped = await reply(wanted)
  }
  const header = (name: string) => gzipped.headers[gzipped.headers.indexOf(name) + 1]
  assert.equal(header('Content-Encoding'), 'gzip')
  assert.equal(header('Content-Length'), String(gzipped.body?.length))
  assert.deepEqual(gunzipSync(gzipped.body ?? ''), plain.body)
  assert.equal(await reply(someone), plain)
})
