import assert from 'node:assert/strict'
import { test } from 'node:test'
import { qrCodeTypes } from '@everscan/contract/code-types/code-types.ts'
import { networkOf } from '../address-networks.ts'
import { openGeography } from '../visitors/geography/geography.ts'
import { referrerOf } from '../ingest/referrers.ts'
import { classify } from '../visitors/user-agents/bots.ts'
import { deviceOf } from '../visitors/user-agents/user-agents.ts'
import { createLog } from '../log.ts'
import { demoBrowsers, demoPrograms, demoReferrers } from './demo-agents.ts'
import { demoCodes, demoFolders } from './demo-codes.ts'
import { demoPlaces } from './demo-places.ts'
import { dayMs, demoHits, startOfDemo, type DemoPlan } from './demo-plan.ts'
import { archivedAtOf, createdAtOf, demoHitsOf } from './demo-scans.ts'

const nowMs = Date.UTC(2026, 10, 24, 14, 21)

function planAt(atMs: number, retentionDays?: number): DemoPlan {
  const startMs = startOfDemo(atMs, retentionDays)
  return { version: 1, seed: 47, nowMs: atMs, startMs, writer: 'ab'.repeat(16), isWritten: false, codes: [] }
}

const hits = demoHitsOf(planAt(nowMs))

test('the packaged geography places every network where the demo says', async () => {
  const places = await openGeography({ log: createLog({ level: 'silent', role: 'test' }) })
  for (const { networks, country, city } of demoPlaces)
    for (const network of networks) {
      const found = places.locate(network)
      // After an update of the geography data: choose another network of the city.
      assert.deepEqual([found.country, found.city], [country, city], network)
    }
})

test('every browser, program and referrer is what the demo says', () => {
  for (const { userAgent, hints, deviceType, os, browser } of demoBrowsers) {
    assert.deepEqual(deviceOf(userAgent), { deviceType, os, browser }, userAgent)
    assert.equal(classify(userAgent, hints).class, 'human', userAgent)
  }
  for (const { userAgent, hints, class: expected } of demoPrograms)
    assert.equal(classify(userAgent, hints).class, expected, userAgent)
  for (const { host, referrer } of demoReferrers) assert.equal(referrerOf(host), referrer)
})

test('an address is in its network, which is all of it that a journal has', () => {
  for (const { address, network } of hits) assert.equal(networkOf(address), network)
})

test('codes are of all types, in folders that exist, with keys and names of their own', () => {
  assert.deepEqual(new Set(demoCodes.map(({ type }) => type)), new Set(qrCodeTypes))
  const folders = demoFolders.map(({ name, inside }) => (inside === undefined ? name : `${inside}/${name}`))
  for (const { folder } of demoCodes) assert.ok(folder === undefined || folders.includes(folder), folder)
  for (const name of ['key', 'name'] as const)
    assert.equal(new Set(demoCodes.map((code) => code[name])).size, demoCodes.length)
})

test('the same plan gives the same hits, and another day gives others', () => {
  assert.deepEqual(demoHitsOf(planAt(nowMs)), hits)
  assert.notEqual(demoHitsOf(planAt(nowMs + dayMs)).length, hits.length)
})

test('a year of hits, up to a moment ago, while their codes were in use', () => {
  const plan = planAt(nowMs)
  assert.ok(Math.abs(hits.length - demoHits) < demoHits / 20, `${hits.length} hits`)
  const codes = new Map(demoCodes.map((code) => [code.key, code]))
  for (const [index, { timeMs, code: key }] of hits.entries()) {
    const code = codes.get(key)
    assert.ok(code !== undefined && timeMs >= createdAtOf(code, plan), key)
    assert.ok(timeMs < (archivedAtOf(code, plan) ?? nowMs), key)
    assert.ok(timeMs >= (hits[index - 1]?.timeMs ?? plan.startMs), 'oldest first')
  }
  assert.ok(nowMs - (hits.at(-1)?.timeMs ?? 0) < 3_600_000)
  assert.ok((hits[0]?.timeMs ?? 0) - plan.startMs < dayMs)
})

test('rules of a code answer by hour and country, and a visitor keeps the arm of a split', () => {
  const [ruled, ...others] = demoCodes.filter(({ rules }) => rules !== undefined)
  assert.deepEqual([ruled?.key, others], ['cup-flyer', []])
  const berlin = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    weekday: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
  })
  const arms = new Map<string, string>()
  const counts: Record<string, number> = {}
  for (const { timeMs, code, place, address, agent, answer } of hits) {
    if (code !== 'cup-flyer') {
      assert.equal(answer, undefined)
      continue
    }
    const [weekday = '', hour] = berlin.format(timeMs).split(/[ ,]+/)
    const isHappyHour = !weekday.startsWith('S') && ['16', '17'].includes(hour ?? '')
    const expected = isHappyHour ? 0 : ['AT', 'DE'].indexOf(place.country) + 1 || undefined
    assert.equal(answer?.rule, expected, `${berlin.format(timeMs)} ${place.country}`)
    assert.equal(answer !== undefined && answer.arm !== '', expected === 2)
    const named = `${answer?.rule ?? 'own'} ${answer?.arm ?? ''}`.trim()
    counts[named] = (counts[named] ?? 0) + 1
    if (expected !== 2) continue
    const visitor = `${address} ${agent.userAgent}`
    assert.equal(arms.get(visitor) ?? answer?.arm, answer?.arm)
    arms.set(visitor, answer?.arm ?? '')
  }
  assert.deepEqual(Object.keys(counts).sort(), ['0', '1', '2 Drawing', '2 Photo', 'own'])
  for (const count of Object.values(counts)) assert.ok(count > 50, JSON.stringify(counts))
})

test('a retention shortens the year to scans that stay', () => {
  const days = 30
  const startMs = (Math.floor(nowMs / dayMs) - days) * dayMs
  const kept = demoHitsOf(planAt(nowMs, days))
  assert.ok(kept.length > 1_000 && kept.length < hits.length / 3, `${kept.length}`)
  for (const { timeMs } of kept) assert.ok(timeMs >= startMs)
})

test('the demo has a rhythm: hours, weekdays, few codes with most scans, one peak, visitors who return', () => {
  const people = hits.filter(({ agent }) => !('class' in agent))
  const count = (of: (hit: (typeof hits)[number]) => string | number) =>
    Map.groupBy(people, of)
      .entries()
      .map(([value, some]) => [value, some.length] as const)
      .toArray()
      .toSorted(([, a], [, b]) => b - a)
  const hours = count(({ timeMs }) => new Date(timeMs).getUTCHours())
  assert.ok((hours[0]?.[1] ?? 0) > 8 * (hours.at(-1)?.[1] ?? 0), 'nights are quiet')
  const codes = count(({ code }) => code)
  assert.ok((codes[0]?.[1] ?? 0) > 20 * (codes.at(-8)?.[1] ?? 0), 'codes differ')
  assert.equal(codes.length, demoCodes.length - 1, 'one code was never scanned')
  const days = count(({ timeMs }) => Math.floor(timeMs / dayMs))
  const median = days[Math.floor(days.length / 2)]?.[1] ?? 0
  assert.ok((days[0]?.[1] ?? 0) > 2 * median, 'one campaign stands out')
  const peakDay = Math.floor(nowMs / dayMs) - Number(days[0]?.[0])
  assert.ok(peakDay > 9 && peakDay < 25, `the campaign was ${peakDay} days ago`)
  const visitors = new Set(people.map((hit) => `${hit.code} ${hit.address} ${hit.agent.userAgent}`)).size
  assert.ok(visitors < people.length * 0.8 && visitors > people.length * 0.5, `${visitors} visitors`)
  const programs = hits.length - people.length
  assert.ok(programs > hits.length * 0.02 && programs < hits.length * 0.06, `${programs} programs`)
})
