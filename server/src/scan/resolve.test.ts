import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { everyCode, everyPageOf } from '../db/feeds/changes.ts'
import type { ScanTarget } from '../db/scans/scan-lookup.ts'
import type { PageReply, ScanAnswer, ScanVisitor } from './scan-answer.ts'
import { readHead } from './internals/prepared-head.ts'
import { startResolver, type Resolver } from './resolve.ts'

const log = pino({ level: 'silent' })
const target = (url: string): ScanTarget => ({
  organizationId: 'org_1',
  qrCodeId: 'qr_1',
  codeKey: 'ABCD',
  shortCode: 'A',
  style: {},
  brand: {},
  type: 'URL',
  name: 'Menu',
  data: { url },
  status: 'ACTIVE',
})
const someone: ScanVisitor = { language: 'en', locale: 'en', system: 'other', acceptsGzip: false }
const replyOf = ({ reply }: ScanAnswer, visitor: Partial<ScanVisitor> = {}): PageReply => {
  const made = typeof reply === 'function' ? reply({ ...someone, ...visitor }) : reply
  if (made instanceof Promise) throw new Error('a small page is made at once')
  return 'head' in made ? readHead(made.head) : made
}
const scan = async (resolver: Resolver, code: string): Promise<PageReply> =>
  replyOf(await resolver.resolve(code))
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Creates a catalogue in memory that can be down. It answers immediately unless the test delays it.
 */
function fakeCatalogue() {
  const codes = new Map<string, ScanTarget>()
  const changed: string[] = []
  return {
    codes,
    changed,
    lookups: 0,
    lookupsFail: false,
    down: false,
    change(code: string, to: ScanTarget | undefined): void {
      if (to === undefined) codes.delete(code)
      else codes.set(code, to)
      changed.push(code)
    },
    lookup(code: string): ScanTarget | undefined {
      this.lookups++
      if (this.down || this.lookupsFail) throw new Error('down')
      return codes.get(code)
    },
    take(): readonly string[] {
      if (this.down) throw new Error('down')
      return changed.splice(0)
    },
  }
}

test('on SQLite a committed change is seen by the next turn, a create overtakes a negative entry', async () => {
  const catalogue = fakeCatalogue()
  const resolver = startResolver({
    lookup: (code) => catalogue.lookup(code),
    changes: { poll: () => catalogue.take(), catchUp: async () => catalogue.take() },
    log,
  })
  assert.equal((await scan(resolver, 'A')).status, 404)
  assert.equal((await scan(resolver, 'A')).status, 404)
  assert.equal(catalogue.lookups, 1, 'a code that does not exist is remembered')
  catalogue.change('A', target('https://one.example/'))
  await nextTurn()
  const first = await scan(resolver, 'A')
  assert.deepEqual(first.headers.slice(0, 2), ['Location', 'https://one.example/'])
  catalogue.change('A', target('https://two.example/'))
  await nextTurn()
  assert.deepEqual((await scan(resolver, 'A')).headers.slice(0, 2), ['Location', 'https://two.example/'])
})

test('while the catalogue is down, codes in memory go on and others fail', async () => {
  const catalogue = fakeCatalogue()
  catalogue.change('A', target('https://one.example/'))
  const resolver = startResolver({
    lookup: async (code) => catalogue.lookup(code),
    changes: { catchUp: async () => catalogue.take() },
    log,
    pollMs: 60_000,
  })
  await resolver.resolve('A')
  catalogue.down = true
  assert.equal((await scan(resolver, 'A')).status, 302)
  await assert.rejects(async () => resolver.resolve('B'), /down/)
  await resolver.catchUp()
  assert.equal((await scan(resolver, 'A')).status, 302)
  catalogue.down = false
  assert.equal((await scan(resolver, 'B')).status, 404, 'a failure is not remembered')
  resolver.close()
})

test('on PostgreSQL a look-up that a change overtook is answered but not remembered', async () => {
  const waiting: (() => void)[] = []
  const catalogue = fakeCatalogue()
  const resolver = startResolver({
    lookup: async (code) => {
      const found = catalogue.lookup(code)
      await new Promise<void>((resolve) => waiting.push(resolve))
      return found
    },
    changes: { catchUp: async () => catalogue.take() },
    log,
    pollMs: 60_000,
  })
  const slow = resolver.resolve('A')
  catalogue.change('A', target('https://new.example/'))
  await resolver.catchUp()
  waiting.shift()?.()
  assert.equal(replyOf(await slow).status, 404)
  const again = resolver.resolve('A')
  waiting.shift()?.()
  assert.equal(replyOf(await again).status, 302)
  resolver.close()
})

test('scans of one unknown code at once cost one look-up', async () => {
  const catalogue = fakeCatalogue()
  const resolver = startResolver({
    lookup: async (code) => catalogue.lookup(code),
    changes: { catchUp: async () => [] },
    log,
    pollMs: 60_000,
  })
  await Promise.all(Array.from({ length: 50 }, async () => resolver.resolve('A')))
  assert.equal(catalogue.lookups, 1)
  resolver.close()
})

test('destinations become safe locations, other types pages, the rest is told apart', async () => {
  const cases: [ScanTarget, number, string | undefined][] = [
    [target('https://bücher.example/straße?q=ü'), 302, 'https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%BC'],
    [target('javascript:alert(1)'), 200, undefined],
    [{ ...target(''), type: 'MENU', data: { url: 'https://menu.example/' } }, 302, 'https://menu.example/'],
    [{ ...target(''), type: 'MENU', data: { title: 'Lunch', sections: [] } }, 200, undefined],
    [{ ...target(''), type: 'WIFI', data: { ssid: '<b>', password: '"&' } }, 200, undefined],
    [{ ...target('https://one.example/'), status: 'ARCHIVED' }, 410, undefined],
    [{ ...target('https://one.example/'), status: 'DELETED' }, 410, undefined],
  ]
  for (const [of, status, location] of cases) {
    const resolver = startResolver({
      lookup: () => of,
      changes: { poll: () => [], catchUp: async () => [] },
      log,
    })
    const answer = await scan(resolver, 'A')
    assert.equal(answer.status, status, of.type)
    assert.equal(answer.headers[answer.headers.indexOf('Location') + 1] === location, location !== undefined)
    assert.doesNotMatch(answer.body?.toString() ?? '', /<b>|"&(?!#)/)
  }
})

test('an app code answers by device', async () => {
  const data = { iosUrl: 'https://apple.example/', androidUrl: 'https://google.example/' }
  const resolver = startResolver({
    lookup: () => ({ ...target(''), type: 'APP', data }),
    changes: { poll: () => [], catchUp: async () => [] },
    log,
  })
  const answer = await resolver.resolve('A')
  assert.equal(replyOf(answer, { system: 'ios' }).headers[1], 'https://apple.example/')
  assert.equal(replyOf(answer, { system: 'android' }).headers[1], 'https://google.example/')
  const page = replyOf(answer)
  assert.equal(page.status, 200)
  assert.match(page.body?.toString() ?? '', /apple\.example.*google\.example/)
})

test("a page shows its organization's brand as it is now, and goes on when the catalogue is away", async () => {
  const catalogue = fakeCatalogue()
  const branded = (name: string): ScanTarget => ({
    ...target(''),
    type: 'TEXT',
    data: { text: 'A' },
    brand: { name },
  })
  catalogue.change('A', branded('Before'))
  catalogue.change('B', target('https://one.example/'))
  const resolver = startResolver({
    lookup: (code) => catalogue.lookup(code),
    changes: { poll: () => catalogue.take(), catchUp: async () => catalogue.take() },
    log,
  })
  const page = async (): Promise<string> => String((await scan(resolver, 'A')).body)
  assert.match(await page(), /Before/)
  await scan(resolver, 'B')
  const lookups = catalogue.lookups
  catalogue.codes.set('A', branded('After'))
  catalogue.changed.push(everyPageOf('org_1'))
  await nextTurn()
  catalogue.lookupsFail = true
  assert.match(await page(), /Before/)
  catalogue.lookupsFail = false
  assert.match(await page(), /After/)
  await scan(resolver, 'B')
  assert.equal(catalogue.lookups, lookups + 2, 'a redirect has no brand, and is not looked up again')
})

for (const when of ['at once', 'later'] as const)
  test(`a changed code is answered as it was while the catalogue is away, and as it is as soon as it answers (${when})`, async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const catalogue = fakeCatalogue()
    const resolver = startResolver({
      ...(when === 'at once'
        ? {
            lookup: (code) => catalogue.lookup(code),
            changes: { poll: () => catalogue.take(), catchUp: async () => catalogue.take() },
          }
        : {
            lookup: async (code) => catalogue.lookup(code),
            changes: { catchUp: async () => catalogue.take() },
          }),
      log,
      pollMs: 1,
    })
    const location = async (code: string): Promise<string | number | undefined> => {
      await nextTurn()
      const { status, headers } = await scan(resolver, code)
      return status === 302 ? headers[1] : status
    }
    const change = async (code: string, to: ScanTarget | undefined): Promise<void> => {
      catalogue.change(code, to)
      await resolver.catchUp()
    }
    await change('A', target('https://one.example/'))
    await change('B', target('https://b.example/'))
    await change('C', target('https://c.example/'))
    for (const code of ['A', 'B', 'C', 'NONE']) await location(code)
    // The resolver sees the change, and then the catalogue becomes unavailable before the next
    // scan.
    await change('A', target('https://two.example/'))
    await change('B', { ...target('https://b.example/'), status: 'DELETED' })
    catalogue.lookupsFail = true
    assert.equal(await location('A'), 'https://one.example/')
    assert.equal(await location('B'), 'https://b.example/')
    catalogue.down = true
    for (let scans = 0; scans < 3; scans++) assert.equal(await location('A'), 'https://one.example/')
    assert.equal(await location('C'), 'https://c.example/')
    assert.equal(await location('NONE'), 404)
    await assert.rejects(location('NEVER'), /down/)
    catalogue.down = false
    catalogue.lookupsFail = false
    await resolver.catchUp()
    assert.equal(await location('A'), 'https://two.example/')
    assert.equal(await location('B'), 410)
    // A code that no longer exists is not found, even if its answer was remembered.
    await change('C', undefined)
    assert.equal(await location('C'), 404)
    assert.equal(resolver.stats().entries, 4, 'nothing is kept twice')
    resolver.close()
  })

test('a change whose catch-up fails is seen by the next scan all the same, and look-ups begun before it are not', async () => {
  const catalogue = fakeCatalogue()
  let feedFails = false
  let held: (() => void)[] | undefined
  const resolver = startResolver({
    lookup: async (code) => {
      const found = catalogue.lookup(code)
      if (held !== undefined) await new Promise<void>((resolve) => held?.push(resolve))
      return found
    },
    changes: {
      catchUp: async () => {
        if (feedFails) throw new Error('a connection was lost')
        return catalogue.take()
      },
    },
    log,
    pollMs: 60_000,
  })
  const location = async (code: string): Promise<string | undefined> =>
    (await scan(resolver, code)).headers[1]
  catalogue.change('A', target('https://one.example/'))
  catalogue.change('B', target('https://b.example/'))
  await resolver.catchUp()
  for (const code of ['A', 'B']) await location(code)
  feedFails = true
  catalogue.change('A', target('https://two.example/'))
  await resolver.catchUp()
  assert.equal(await location('A'), 'https://two.example/')
  held = []
  const before = location('A')
  await nextTurn()
  catalogue.change('A', target('https://three.example/'))
  await resolver.catchUp()
  const after = location('A')
  await nextTurn()
  for (const go of held) go()
  held = undefined
  assert.equal(await before, 'https://two.example/')
  assert.equal(await after, 'https://three.example/')
  catalogue.lookupsFail = true
  assert.equal(await location('A'), 'https://three.example/', 'away: the last answer that is known')
  catalogue.lookupsFail = false
  feedFails = false
  await resolver.catchUp()
  assert.equal(await location('A'), 'https://three.example/')
  const { lookups } = catalogue
  for (const code of ['A', 'B']) await location(code)
  assert.equal(catalogue.lookups, lookups, 'once the changes are known, memory answers again')
  resolver.close()
})

test('a catch-up that is under way when a second change is answered is followed by another', async () => {
  const catalogue = fakeCatalogue()
  const waiting: (() => void)[] = []
  let isSlow = false
  const resolver = startResolver({
    lookup: async (code) => catalogue.lookup(code),
    changes: {
      catchUp: async () => {
        const changed = catalogue.take()
        if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve))
        return changed
      },
    },
    log,
    pollMs: 60_000,
  })
  catalogue.change('A', target('https://one.example/'))
  catalogue.change('B', target('https://one.example/'))
  await resolver.catchUp()
  for (const code of ['A', 'B']) await resolver.resolve(code)
  isSlow = true
  catalogue.change('A', target('https://two.example/'))
  const first = resolver.catchUp()
  await nextTurn()
  catalogue.change('B', target('https://two.example/'))
  const second = resolver.catchUp()
  waiting.shift()?.()
  await first
  await nextTurn()
  let isOver = false
  void second.then(() => {
    isOver = true
  })
  await nextTurn()
  assert.equal(isOver, false, 'the first read before the second change')
  waiting.shift()?.()
  await second
  for (const code of ['A', 'B'])
    assert.equal((await scan(resolver, code)).headers[1], 'https://two.example/', code)
  resolver.close()
})

test('when the feed cannot tell what changed, nothing in memory is given any more', async () => {
  const catalogue = fakeCatalogue()
  const resolver = startResolver({
    lookup: async (code) => catalogue.lookup(code),
    changes: { catchUp: async () => catalogue.take() },
    log,
    pollMs: 60_000,
  })
  for (let index = 0; index < 10; index++) catalogue.codes.set(`C${index}`, target('https://one.example/'))
  for (let index = 0; index < 12; index++) await resolver.resolve(`C${index}`)
  for (let index = 0; index < 12; index++) catalogue.codes.set(`C${index}`, target('https://two.example/'))
  catalogue.changed.push(everyCode)
  await resolver.catchUp()
  assert.equal(resolver.stats().entries, 0)
  for (let index = 0; index < 12; index++)
    assert.equal((await scan(resolver, `C${index}`)).headers[1], 'https://two.example/')
  resolver.close()
})

test('on SQLite a look at the changes that fails makes every scan ask', async () => {
  const catalogue = fakeCatalogue()
  let pollFails = false
  const resolver = startResolver({
    lookup: (code) => catalogue.lookup(code),
    changes: {
      poll: () => {
        if (pollFails) throw new Error('the file is locked')
        return catalogue.take()
      },
      catchUp: async () => [],
    },
    log,
  })
  catalogue.change('A', target('https://one.example/'))
  await scan(resolver, 'A')
  await nextTurn()
  pollFails = true
  catalogue.change('A', target('https://two.example/'))
  assert.equal((await scan(resolver, 'A')).headers[1], 'https://two.example/')
})

/** A catalogue on PostgreSQL whose feed answers when the test says so. */
function slowFeed() {
  const catalogue = fakeCatalogue()
  const answers: (() => void)[] = []
  const resolver = startResolver({
    lookup: async (code) => catalogue.lookup(code),
    // A read finds the changes from before its beginning.
    changes: {
      catchUp: () => {
        const found = catalogue.take()
        return new Promise((resolve) => answers.push(() => resolve(found)))
      },
    },
    log,
    pollMs: 60_000,
  })
  return { catalogue, resolver, answerFeed: () => answers.shift()?.() }
}

test('a change that is not known in time is looked up by each scan, until a later read of the feed', async () => {
  const { catalogue, resolver, answerFeed } = slowFeed()
  catalogue.codes.set('A', target('https://old.example/'))
  assert.equal((await scan(resolver, 'A')).headers[1], 'https://old.example/')
  const early = resolver.catchUp()
  catalogue.codes.set('A', target('https://new.example/'))
  await resolver.knowChanges()
  assert.equal((await scan(resolver, 'A')).headers[1], 'https://new.example/')
  answerFeed()
  await early
  const { lookups } = catalogue
  await scan(resolver, 'A')
  assert.equal(catalogue.lookups, lookups + 1, 'that read had begun before the change')
  answerFeed()
  await nextTurn()
  await scan(resolver, 'A')
  assert.equal(catalogue.lookups, lookups + 1, 'the next read knows it')
  resolver.close()
})

test('after a stall of the event loop, a scan looks up what other fronts may have answered', async () => {
  const { catalogue, resolver, answerFeed } = slowFeed()
  catalogue.codes.set('A', target('https://old.example/'))
  await scan(resolver, 'A')
  catalogue.codes.set('A', target('https://new.example/'))
  // Blocks this thread.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800)
  assert.equal((await scan(resolver, 'A')).headers[1], 'https://new.example/')
  assert.ok(resolver.settle() !== undefined, 'hosts wait for the feed')
  answerFeed()
  await nextTurn()
  assert.equal(resolver.settle(), undefined)
  resolver.close()
})

test('while the catalogue is away, hosts wait once, and in bounded time', async () => {
  const { catalogue, resolver } = slowFeed()
  await resolver.knowChanges()
  const settling = resolver.settle()
  assert.equal(resolver.settle(), settling)
  await settling
  assert.equal(resolver.settle(), undefined)
  catalogue.down = true
  resolver.close()
})
