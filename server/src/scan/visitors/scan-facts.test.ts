import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { countriesOf } from '../testing/sources.ts'
import { RecentCache } from '../recent-cache.ts'
import { ScanFacts } from './scan-facts.ts'

test('a fact is read once for a scan, also if it is unknown', () => {
  let asked = 0
  const sources = {
    countries: countriesOf(() => {
      asked++
      return undefined
    }),
  }
  const headers = {
    get 'accept-language'() {
      asked++
      return '*'
    },
  }
  const request = { url: '/RULES00', headers } as unknown as IncomingMessage
  const visitor = { address: '192.0.2.1', userAgent: '', visitor: 'v', visitKey: 'org_1 v' }
  const parts = { request, ...visitor, app: '', hints: 0, timeMs: 0 }
  const facts = new ScanFacts(parts, sources, new RecentCache<true>(1))
  for (let times = 0; times < 3; times++) {
    assert.equal(facts.country(), undefined)
    assert.equal(facts.language(), undefined)
  }
  assert.equal(asked, 2)
})
