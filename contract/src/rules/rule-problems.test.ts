import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Errors } from 'typebox/value'
import { problem } from '../problems/problem.ts'
import { problemsOf } from '../schema/problems.ts'
import { limits } from '../schema/limits.ts'
import { ruleProblems } from './rule-problems.ts'
import { RulesInput, type Conditions, type RuleInput } from './rules.ts'

const data = { url: 'https://example.com/' }
const facts = {
  dataProblems: (content: Record<string, unknown>, path: string) =>
    'url' in content ? [] : [{ path: `${path}.url`, ...problem('required') }],
  isRegion: (code: string) => code === 'DE-BY',
  isNetwork: (text: string) => text === '10.0.0.0/8',
}
const pathsOf = (rules: readonly RuleInput[]) => ruleProblems(rules, facts).map(({ path }) => path)
const pathsOfSchema = (rules: unknown) =>
  problemsOf(Errors(RulesInput, rules), rules, 'rules').map(({ path }) => path)
const pathsOfWhen = (when: Conditions) => pathsOf([{ name: 'One', when, data }])

test('every condition is accepted together with the others', () => {
  const conditions: Conditions = {
    countries: ['DE', 'XK'],
    regions: ['DE-BY'],
    cities: [{ country: 'DE', city: 'Munich' }],
    languages: ['de', 'zh-Hant-TW'],
    devices: ['mobile'],
    os: ['iOS'],
    browsers: ['Samsung Internet'],
    days: ['MO', 'SU'],
    from: '22:00',
    to: '02:00',
    startsAt: '2026-03-01T00:00:00+01:00',
    endsAt: '2026-04-01T00:00:00Z',
    timeZone: 'Europe/Berlin',
    query: { table: '7', bar: null },
    networks: ['10.0.0.0/8'],
    visit: 'again',
  }
  const rules = [{ name: 'All', when: { ...conditions, not: conditions }, data }]
  assert.deepEqual(Errors(RulesInput, rules), [])
  assert.deepEqual(ruleProblems(rules, facts), [])
})

test('a name that nothing has is named with its place', () => {
  const cases: [Conditions, string][] = [
    [{ countries: ['DE', 'XX'] }, 'countries[1]'],
    [{ countries: ['ZZ'] }, 'countries[0]'],
    [{ regions: ['DE-XX'] }, 'regions[0]'],
    [{ cities: [{ country: 'ZZ', city: 'Munich' }] }, 'cities[0].country'],
    [{ languages: ['de', 'en-a'] }, 'languages[1]'],
    [{ os: ['ios'] }, 'os[0]'],
    [{ os: ['Unknown'] }, 'os[0]'],
    [{ browsers: ['Netscape'] }, 'browsers[0]'],
    [{ networks: ['10.0.0.0/99'] }, 'networks[0]'],
    [{ timeZone: 'Europe/Bonn' }, 'timeZone'],
    [{ startsAt: '2026-13-01T00:00:00Z' }, 'startsAt'],
  ]
  for (const [when, path] of cases) {
    assert.deepEqual(pathsOfWhen(when), [`rules[0].when.${path}`])
    assert.deepEqual(pathsOfWhen({ not: when }), [`rules[0].when.not.${path}`])
  }
})

test('days and hours need a time zone, which not has from its condition', () => {
  assert.deepEqual(pathsOfWhen({ days: ['MO'] }), ['rules[0].when.timeZone'])
  assert.deepEqual(pathsOfWhen({ from: '09:00', to: '17:00' }), ['rules[0].when.timeZone'])
  assert.deepEqual(pathsOfWhen({ not: { days: ['MO'] } }), ['rules[0].when.not.timeZone'])
  assert.deepEqual(pathsOfWhen({ timeZone: 'UTC', not: { days: ['MO'] } }), [])
})

test('hours have two different ends, and a period ends after it starts', () => {
  const timeZone = 'UTC'
  assert.deepEqual(pathsOfWhen({ from: '09:00', timeZone }), ['rules[0].when.to'])
  assert.deepEqual(pathsOfWhen({ to: '09:00', timeZone }), ['rules[0].when.from'])
  assert.deepEqual(pathsOfWhen({ from: '09:00', to: '09:00', timeZone }), ['rules[0].when.to'])
  const startsAt = '2026-03-01T01:00:00+01:00'
  assert.deepEqual(pathsOfWhen({ startsAt, endsAt: '2026-03-01T00:00:00Z' }), ['rules[0].when.endsAt'])
})

test('a rule has either data or a split, whose arms have names of their own and data', () => {
  const split = [
    { name: 'A', weight: 1, data },
    { name: 'A', weight: 1, data: {} },
  ]
  assert.deepEqual(pathsOf([{ name: 'One' }]), ['rules[0]'])
  assert.deepEqual(pathsOf([{ name: 'One', data, split: [] }]), ['rules[0]'])
  assert.deepEqual(pathsOf([{ name: 'One', data: {} }]), ['rules[0].data.url'])
  assert.deepEqual(pathsOf([{ name: 'One', split }]), [
    'rules[0].split[1].name',
    'rules[0].split[1].data.url',
  ])
})

test('an id occurs once', () => {
  const rule = { id: 'rul_1', name: 'One', data }
  assert.deepEqual(pathsOf([rule, rule]), ['rules[1].id'])
})

test('a rule that is stored is not judged again, but the list is', () => {
  const rule = { id: 'rul_1', name: 'One', when: { os: ['OS of a later release'] }, data }
  assert.deepEqual(ruleProblems([rule], { ...facts, isKnown: ({ id }) => id === 'rul_1' }), [])
  assert.deepEqual(pathsOf([rule]), ['rules[0].when.os[0]'])
})

test('rules have a maximum size', () => {
  const text = 'x'.repeat(limits.rulesCharsMax / 2)
  const rules = [1, 2].map((number) => ({ name: `${number}`, data: { url: text } }))
  assert.deepEqual(pathsOf(rules), ['rules'])
  assert.deepEqual(pathsOf(rules.slice(1)), [])
})

test('wrong shapes are named with their places', () => {
  const cases: [unknown, string][] = [
    [{ name: 'A', data, when: { countries: ['de'] } }, 'rules[0].when.countries[0]'],
    [{ name: 'A', data, when: { countries: [] } }, 'rules[0].when.countries'],
    [{ name: 'A', data, when: { days: ['XX'], timeZone: 'UTC' } }, 'rules[0].when.days[0]'],
    [{ name: 'A', data, when: { from: '24:00', to: '01:00', timeZone: 'UTC' } }, 'rules[0].when.from'],
    [{ name: 'A', data, when: { startsAt: '2026-03-01' } }, 'rules[0].when.startsAt'],
    [{ name: 'A', data, when: { weather: 'rain' } }, 'rules[0].when.weather'],
    [{ name: 'A', data, when: { not: { not: {} } } }, 'rules[0].when.not.not'],
    [{ name: 'A', data, when: { query: {} } }, 'rules[0].when.query'],
    [{ name: 'A', split: [{ name: 'A', weight: 1, data }] }, 'rules[0].split'],
    [
      {
        name: 'A',
        split: [
          { name: 'A', weight: 0, data },
          { name: 'B', weight: 1, data },
        ],
      },
      'rules[0].split[0].weight',
    ],
    [{ name: '', data }, 'rules[0].name'],
    [{ data }, 'rules[0].name'],
  ]
  for (const [rule, path] of cases) assert.deepEqual(pathsOfSchema([rule]), [path])
  const many = Array.from({ length: limits.rulesMax + 1 }, () => ({ name: 'A', data }))
  assert.deepEqual(pathsOfSchema(many), ['rules'])
})
