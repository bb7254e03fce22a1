import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Conditions, Rule } from '@everscan/contract/rules/rules.ts'
import { ruleWarnings } from '@everscan/contract/rules/rule-warnings.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { compileRules, findArm, findRule, judgeRules } from './compile-rules.ts'
import { createSplits } from './splits.ts'
import { knownVisitor } from './testing/known-visitor.ts'
import { fullNetwork, randomRules, randomVisitor, zones } from './testing/random-rules.ts'
import { referenceRule, type ReferenceVisitor } from './testing/reference-rules.ts'

const createSplit = createSplits('a key')
const ruleOf = (when: Conditions): Rule => ({ id: 'rul_1', name: 'One', enabled: true, when, data: {} })
const matches = (when: Conditions, visitor: Partial<ReferenceVisitor>): boolean =>
  findRule(compileRules([ruleOf(when)], createSplit), knownVisitor({ timeMs: 0, key: '', ...visitor })) === 0
const at = (when: Conditions, time: string): boolean => matches(when, { timeMs: Date.parse(time) })

test('100,000 random visitors get the rule that a plain reading of the interface gives them', () => {
  const random = seededRandom()
  let answered = 0
  for (let round = 0; round < 10_000; round++) {
    const rules = randomRules(random)
    const compiled = compileRules(rules, createSplit)
    const readable = rules.map(forReference)
    for (let one = 0; one < 10; one++) {
      const visitor = randomVisitor(random)
      const place = findRule(compiled, knownVisitor(visitor))
      const found = compiled[place]?.rule.id
      const judged = judgeRules(compiled, knownVisitor(visitor))
      assert.equal(
        judged.findIndex(({ failed }) => failed.length === 0),
        place,
      )
      assert.equal(judged.length, place < 0 ? compiled.length : place + 1)
      const expected = referenceRule(readable, visitor)?.id
      if (found !== expected)
        assert.fail(`${JSON.stringify({ rules, visitor })}: expected ${expected}, got ${found}`)
      if (expected !== undefined) answered++
    }
  }
  assert.ok(answered > 20_000 && answered < 90_000, `${answered} of 100,000 were answered by a rule`)
})

test('no random visitor gets a rule that is warned of as never reached', () => {
  const random = seededRandom()
  const visitors = Array.from({ length: 400 }, () => {
    const { visit = 'first', ...visitor } = randomVisitor(random)
    // Warnings know that a region lies in its country, and that every scan is a first one or not.
    const country = visitor.region?.slice(0, 2) ?? visitor.country
    return { ...visitor, visit, ...(country !== undefined && { country }) }
  })
  const nowMs = Math.min(...visitors.map(({ timeMs }) => timeMs))
  let warned = 0
  for (let round = 0; round < 4_000; round++) {
    const rules = randomRules(random, { rules: 5, share: 0.4 })
    const unreachable = new Set(ruleWarnings(rules, nowMs).map(({ index }) => rules[index]?.id))
    if (unreachable.size === 0) continue
    warned += unreachable.size
    const compiled = compileRules(rules, createSplit)
    for (const visitor of visitors) {
      const id = compiled[findRule(compiled, knownVisitor(visitor))]?.rule.id
      if (id !== undefined && unreachable.has(id))
        assert.fail(`${JSON.stringify({ rules, visitor })}: got ${id}`)
    }
  }
  assert.ok(warned > 100, `${warned} rules were warned of`)
})

function forReference(rule: Rule): Rule {
  const full = (when: Conditions): Conditions => ({
    ...when,
    ...(when.networks !== undefined && { networks: when.networks.map(fullNetwork) }),
    ...(when.not !== undefined && { not: full(when.not) }),
  })
  return rule.when === undefined ? rule : { ...rule, when: full(rule.when) }
}

test('the first rule in use whose conditions hold answers', () => {
  const rules = [
    { ...ruleOf({}), enabled: false },
    { ...ruleOf({ countries: ['DE'] }), id: 'rul_2' },
    { ...ruleOf({}), id: 'rul_3' },
    { ...ruleOf({}), id: 'rul_4' },
  ]
  const compiled = compileRules(rules, createSplit)
  const idFor = (country: string) =>
    compiled[findRule(compiled, knownVisitor({ timeMs: 0, key: '', country }))]?.rule.id
  assert.equal(idFor('DE'), 'rul_2')
  assert.equal(idFor('FR'), 'rul_3')
  assert.equal(findRule([], knownVisitor({ timeMs: 0, key: '' })), -1)
})

test('what is unknown fulfils no condition, and no entry of not', () => {
  for (const when of [
    { countries: ['DE'] },
    { regions: ['DE-BY'] },
    { cities: [{ country: 'DE', city: 'Munich' }] },
    { languages: ['de'] },
    { devices: ['mobile' as const] },
    { os: ['iOS'] },
    { browsers: ['Safari'] },
    { query: { table: null } },
    { networks: ['0.0.0.0/0', '::/0'] },
    { visit: 'first' as const },
  ]) {
    assert.equal(matches(when, {}), false, JSON.stringify(when))
    assert.equal(matches({ not: when }, {}), true, `not ${JSON.stringify(when)}`)
  }
})

test('a language takes what it begins, at a hyphen only', () => {
  assert.ok(matches({ languages: ['de'] }, { language: 'de' }))
  assert.ok(matches({ languages: ['DE'] }, { language: 'de-at' }))
  assert.ok(!matches({ languages: ['de'] }, { language: 'den' }))
  assert.ok(!matches({ languages: ['de-AT'] }, { language: 'de' }))
})

test('hours over midnight belong to the day on which they begin', () => {
  const friday: Conditions = { days: ['FR'], from: '22:00', to: '02:00', timeZone: 'UTC' }
  assert.ok(at(friday, '2026-03-06T23:00:00Z'))
  assert.ok(at(friday, '2026-03-07T01:59:59.999Z'))
  assert.ok(!at(friday, '2026-03-07T02:00:00Z'))
  assert.ok(!at(friday, '2026-03-07T23:00:00Z'))
  assert.ok(!at(friday, '2026-03-06T01:00:00Z'), 'this night began on Thursday')
  const notFriday: Conditions = { timeZone: 'UTC', not: { days: ['FR'], from: '22:00', to: '02:00' } }
  assert.ok(!at(notFriday, '2026-03-06T12:00:00Z'), 'each field of not counts alone')
  assert.ok(at(notFriday, '2026-03-07T12:00:00Z'))
})

test('a period begins at its start and ends before its end', () => {
  const march: Conditions = { startsAt: '2026-03-01T00:00:00+01:00', endsAt: '2026-04-01T00:00:00Z' }
  assert.ok(!at(march, '2026-02-28T22:59:59.999Z'))
  assert.ok(at(march, '2026-02-28T23:00:00Z'))
  assert.ok(at(march, '2026-03-31T23:59:59.999Z'))
  assert.ok(!at(march, '2026-04-01T00:00:00Z'))
  assert.ok(at({ not: march }, '2026-04-01T00:00:00Z'), 'both ends are one field')
})

test('hours follow the clocks over each change of ten zones in a year', () => {
  const quarterMs = 15 * 60_000
  const when = { days: ['SA', 'SU'] as ('SA' | 'SU')[], from: '01:30', to: '03:00' }
  for (const timeZone of zones) {
    const rules = [ruleOf({ ...when, timeZone })]
    const compiled = compileRules(rules, createSplit)
    let matched = 0
    for (let timeMs = Date.UTC(2026, 0); timeMs < Date.UTC(2027, 0); timeMs += quarterMs) {
      const visitor = { timeMs, key: '' }
      const found = findRule(compiled, knownVisitor(visitor)) === 0
      assert.equal(
        found,
        referenceRule(rules, visitor) !== undefined,
        `${timeZone} ${new Date(timeMs).toISOString()}`,
      )
      if (found) matched++
    }
    assert.ok(matched > 600 && matched < 650, `${timeZone}: ${matched} quarters of 104 days with 6`)
  }
})

test('a condition asks for a fact only if those before it hold', () => {
  const asked: string[] = []
  const visitor = {
    ...knownVisitor({ timeMs: 0, key: '', device: 'mobile', country: 'DE' }),
    country: () => {
      asked.push('country')
      return 'DE'
    },
  }
  findRule(compileRules([ruleOf({ countries: ['DE'], devices: ['desktop'] })], createSplit), visitor)
  assert.deepEqual(asked, [])
  findRule(compileRules([ruleOf({ countries: ['DE'], devices: ['mobile'] })], createSplit), visitor)
  assert.deepEqual(asked, ['country'])
})

test('a rule without a split has one arm', () => {
  const [rule] = compileRules([ruleOf({})], createSplit)
  assert.ok(rule !== undefined)
  assert.equal(findArm(rule, knownVisitor({ timeMs: 0, key: 'x' })), 0)
})
