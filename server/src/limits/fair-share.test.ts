import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import type { PlaceHolder } from '../catalogue/organizations/callers.ts'
import { FairShare } from './fair-share.ts'

const streams = { noun: 'streams', keyMax: 20, accountMax: 25, organizationMax: 30, totalMax: 100 }

let holders = 0

/** A caller with a key of its own, which belongs to no account. */
function someHolder(more: Partial<PlaceHolder> = {}): PlaceHolder {
  return { organizationId: 'org_1', keyId: `key_${++holders}`, sessionId: undefined, userId: null, ...more }
}

/** Takes places, each with another key, until one is refused. Returns how many there were. */
function takeAll(places: FairShare, more: Partial<PlaceHolder>, givenBack: (() => void)[] = []): number {
  for (let taken = 0; ; taken++)
    try {
      givenBack.push(places.take(someHolder(more)))
    } catch {
      return taken
    }
}

function refusal(places: FairShare, holder: PlaceHolder): string {
  let thrown: unknown
  try {
    places.take(holder)
  } catch (error) {
    thrown = error
  }
  assert.ok(thrown instanceof ApiError)
  const { status, code, headers, message } = thrown
  assert.deepEqual([status, code, headers['retry-after']], [429, 'RATE_LIMITED', '5'])
  return message
}

test('a key and a session each have their maximum, and the message names it', () => {
  const places = new FairShare(streams)
  for (const holder of [
    someHolder(),
    someHolder({ keyId: undefined, sessionId: 'ses_1', organizationId: 'org_2' }),
  ]) {
    const taken = Array.from({ length: 20 }, () => places.take(holder))
    assert.match(refusal(places, holder), /^This (API key|session) has 20 streams open, its maximum\. /)
    // Giving back twice gives back one.
    taken[0]?.()
    taken[0]?.()
    places.take(holder)
    refusal(places, holder)
  }
})

test('an account has its maximum over all of its organizations, keys and sessions', () => {
  const places = new FairShare(streams)
  const userId = 'usr_1'
  assert.equal(takeAll(places, { userId }), 25)
  assert.match(refusal(places, someHolder({ userId, organizationId: 'org_2' })), /^The account that created/)
  const session = someHolder({ userId, keyId: undefined, sessionId: 'ses_1', organizationId: 'org_3' })
  assert.match(refusal(places, session), /^Your account has 25 streams open/)
  places.take(someHolder({ userId: 'usr_2' }))
})

test('an organization has its maximum, however many keys and accounts it has', () => {
  const places = new FairShare(streams)
  for (let account = 0; account < 30; account++) places.take(someHolder({ userId: `usr_${account}` }))
  assert.match(refusal(places, someHolder({ userId: 'usr_30' })), /^This organization has 30 streams open/)
  places.take(someHolder({ organizationId: 'org_2' }))
})

test('when places are scarce, an organization has at most its fair share, and a newcomer gets a place', () => {
  const places = new FairShare(streams)
  for (const [organizationId, taken] of [
    ['org_1', 30],
    ['org_2', 30],
    // From 75 on, a share of 100 / (3 + 1).
    ['org_3', 25],
    // A share of 100 / (4 + 1), but the last tenth is for organizations without a place.
    ['org_4', 5],
    ['org_5', 1],
    ['org_6', 1],
  ] as const)
    assert.equal(takeAll(places, { organizationId }), taken, organizationId)
  assert.match(refusal(places, someHolder({ organizationId: 'org_1' })), /^This organization has 30/)
  assert.match(refusal(places, someHolder({ organizationId: 'org_3' })), /has its fair share of them, 25\./)
  for (let one = 7; one <= 14; one++) assert.equal(takeAll(places, { organizationId: `org_${one}` }), 1)
  assert.match(refusal(places, someHolder({ organizationId: 'org_15' })), /^All 100 streams/)
})

test('shares become equal as places are given back, as those of streams that end', () => {
  const places = new FairShare(streams)
  const all: { id: string; giveBack: () => void }[] = []
  const take = (id: string): boolean => {
    try {
      return all.push({ id, giveBack: places.take(someHolder({ organizationId: id })) }) > 0
    } catch {
      return false
    }
  }
  for (const id of ['org_1', 'org_2', 'org_3']) while (take(id));
  const ids = ['org_1', 'org_2', 'org_3', 'org_4', 'org_5', 'org_6']
  // The oldest ends, and each organization would like one more.
  for (let round = 0; round < 200; round++) {
    all.shift()?.giveBack()
    for (let place = 0; place < ids.length; place++) take(ids[(round + place) % ids.length] ?? '')
  }
  for (const id of ids) {
    const { length } = all.filter((one) => one.id === id)
    // 100 / (6 + 1), and the one that has just ended.
    assert.ok(length === 14 || length === 13, `${id} has ${length}`)
  }
})

test('100,000 takes and returns leave nothing behind, and every place is free again', () => {
  const places = new FairShare({ ...streams, totalMax: 1_000 })
  for (let count = 0; count < 100_000; count++)
    places.take(someHolder({ organizationId: `org_${count}`, userId: `usr_${count}` }))()
  const taken: (() => void)[] = []
  assert.equal(takeAll(places, {}, taken), 30)
  for (const giveBack of taken) giveBack()
  assert.equal(takeAll(places, {}), 30)
})
