import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rule } from '@everscan/contract/rules/rules.ts'
import { adoptRules, draftRules, moved, newRuleId, sentRules, withSavedIds } from './rule-drafts.ts'

const rule = (id: string, when: Rule['when'] = {}): Rule => ({ id, name: id, enabled: true, when, data: {} })
const sent = (rules: readonly Rule[]) => sentRules(draftRules(rules), (data) => ({ ...data }))

test('rules are sent with the ids that the service gave, and without what says nothing', () => {
  const [one, two, three, four] = sent([
    rule('rul_1'),
    rule('rul_2', { timeZone: 'UTC', countries: ['DE'] }),
    rule('rul_3', { timeZone: 'UTC', not: { days: ['MO'] } }),
    rule(newRuleId(), { not: {} }),
  ])
  assert.deepEqual(one, { id: 'rul_1', name: 'rul_1', enabled: true, data: {} })
  assert.deepEqual(two?.when, { countries: ['DE'] })
  assert.deepEqual(three?.when, { timeZone: 'UTC', not: { days: ['MO'] } })
  assert.deepEqual([four?.id, four?.when], [undefined, undefined])
})

test('a rule that is gone from the code is a new one, with the same id of the page each time', () => {
  const rules = draftRules([rule('rul_1'), rule('rul_2')])
  assert.equal(adoptRules(rules, [rule('rul_2'), rule('rul_1')]), rules)
  const adopted = adoptRules(rules, [rule('rul_1')])
  assert.deepEqual(adopted, adoptRules(rules, [rule('rul_1')]))
  assert.deepEqual(
    sentRules(adopted, (data) => ({ ...data })).map(({ id }) => id),
    ['rul_1', undefined],
  )
})

test('rules that were edited during a save get the ids of those that were saved', () => {
  const made = draftRules([rule('new-a'), rule('rul_1')])
  const edited = moved([...made, ...draftRules([rule('new-b')])], 0, 2)
  const named = withSavedIds(edited, { sent: made, saved: [rule('rul_2'), rule('rul_1')] })
  assert.deepEqual(
    named.map(({ id, name }) => [id, name]),
    [
      ['rul_1', 'rul_1'],
      ['new-b', 'new-b'],
      ['rul_2', 'new-a'],
    ],
  )
})
