import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { SimulatedAnswer, SimulatedVisitor } from '@everscan/contract/rules/rule-trials.ts'
import type { RuleInput } from '@everscan/contract/rules/rules.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi, publicUrl, type TestApi } from '../testing/api.ts'

const to = (path: string) => ({ url: `https://example.com/${path}` })
const lunch: RuleInput = {
  name: 'Lunch',
  when: { days: ['MO', 'TU', 'WE', 'TH', 'FR'], from: '11:00', to: '15:00', timeZone: 'Europe/Berlin' },
  data: to('lunch'),
}
const german: RuleInput = {
  name: 'German',
  when: { countries: ['DE', 'AT'], languages: ['de'], not: { devices: ['desktop'] } },
  data: to('de'),
}
const halves: RuleInput = {
  name: 'Halves',
  split: [
    { name: 'A', weight: 1, data: to('a') },
    { name: 'B', weight: 1, data: to('b') },
  ],
}
const mondayNoon = '2026-03-02T12:00:00+01:00'
const mondayEvening = '2026-03-02T20:00:00+01:00'

const open = { state: 'LIVE', asksPassword: false, answersLeft: null, closed: null }

onEitherDatabase('what a visitor would get', (openDb) => {
  test('is the first rule whose conditions hold, with the conditions that failed before', async () => {
    const { api, code } = await openRuled(await openDb(), [lunch, { ...halves, enabled: false }, german])
    const [first, , third] = code.rules
    const noon = await simulate(api, code, { at: mondayNoon })
    assert.deepEqual(noon, {
      access: open,
      ruleId: first?.id,
      index: 0,
      name: 'Lunch',
      arm: null,
      data: to('lunch'),
      steps: [{ ruleId: first?.id, index: 0, name: 'Lunch', matched: true, failed: [] }],
    })
    const evening = await simulate(api, code, {
      at: mondayEvening,
      country: 'DE',
      languages: ['de-AT', 'en'],
      device: 'mobile',
    })
    assert.equal(evening.name, 'German')
    assert.deepEqual(evening.steps, [
      { ruleId: first?.id, index: 0, name: 'Lunch', matched: false, failed: ['from'] },
      { ruleId: third?.id, index: 2, name: 'German', matched: true, failed: [] },
    ])
    const other = await simulate(api, code, { at: '2026-03-07T20:00:00+01:00', device: 'desktop' })
    assert.deepEqual(
      { ...other, steps: other.steps.map(({ failed }) => failed) },
      {
        access: open,
        ruleId: null,
        index: null,
        name: null,
        arm: null,
        data: to('own'),
        steps: [
          ['from', 'days'],
          ['languages', 'countries', 'not.devices'],
        ],
      },
    )
  })

  test('rules of the request are judged in place of those of the code, and not saved', async () => {
    const { api, code } = await openRuled(await openDb(), [lunch])
    const rules: RuleInput[] = [halves, { ...lunch, id: code.rules[0]?.id ?? '' }]
    const found = await simulate(api, code, { key: 'somebody' }, rules)
    assert.equal(found.ruleId, null)
    assert.equal(found.index, 0)
    assert.ok(found.arm === 'A' || found.arm === 'B')
    assert.deepEqual(found.data, to(found.arm.toLowerCase()))
    const arms = new Set<string | null>()
    for (let one = 0; one < 20; one++) arms.add((await simulate(api, code, { key: String(one) }, rules)).arm)
    assert.deepEqual(arms, new Set(['A', 'B']))
    const path = `/organizations/${api.orgId}/qr-codes/${code.id}`
    const now = (await api.call('GET', path, { key: api.keys.VIEWER })).json<QrCode>()
    assert.deepEqual(now, code)
  })

  test('the place of an address and the device of a user agent count where nothing is stated', async () => {
    const { api, code } = await openRuled(await openDb(), [
      { name: 'Munich', when: { cities: [{ country: 'DE', city: 'Munich' }] }, data: to('munich') },
      { name: 'iPhone', when: { os: ['iOS'] }, data: to('iphone') },
      { name: 'Table', when: { query: { table: '7 &' }, visit: 'again' }, data: to('table') },
      { name: 'Office', when: { networks: ['198.51.100.0/24'] }, data: to('office') },
    ])
    const nameFor = async (visitor: SimulatedVisitor) => (await simulate(api, code, visitor)).name
    assert.equal(await nameFor({ ip: '192.0.2.7' }), 'Munich')
    assert.equal(await nameFor({ ip: '192.0.2.7', country: 'AT' }), null)
    assert.equal(await nameFor({ userAgent: 'any' }), 'iPhone')
    assert.equal(await nameFor({ query: { table: '7 &' }, visit: 'again' }), 'Table')
    assert.equal(await nameFor({ ip: '198.51.100.9' }), 'Office')
  })

  test('depends on the access of the code at that time, or on that of the request, which is not saved', async () => {
    const { api, code } = await openRuled(await openDb(), [lunch])
    const path = `/organizations/${api.orgId}/qr-codes/${code.id}`
    const stored = { startsAt: '2026-03-02T11:00:00.000Z', endsAt: '2026-03-02T12:00:00.000Z', scanLimit: 7 }
    const put = { key: api.keys.EDITOR, payload: { access: { ...stored, password: 'sesame' } } }
    assert.equal((await api.call('PUT', path, put)).statusCode, 200)
    const before = (await api.call('GET', path, { key: api.keys.VIEWER })).json<QrCode>()
    const accessFor = async (at: string, access?: object | null) => {
      const body = { visitor: { at }, ...(access !== undefined && { access }) }
      return (await send(api, code, body)).json<SimulatedAnswer>()
    }
    const live = await accessFor(mondayNoon)
    assert.deepEqual(live.access, { state: 'LIVE', asksPassword: true, answersLeft: 7, closed: null })
    assert.equal(live.name, 'Lunch')
    assert.equal((await accessFor('2026-03-02T10:59:59.999Z')).access.state, 'SCHEDULED')
    assert.equal((await accessFor(mondayEvening)).access.state, 'ENDED')
    assert.deepEqual((await accessFor(mondayEvening, null)).access, open)
    const closed = { message: 'Over.' }
    const changed = await accessFor(mondayEvening, { endsAt: null, scanLimit: null, password: null, closed })
    assert.deepEqual(changed.access, { ...open, closed })
    assert.equal((await accessFor(mondayNoon, { password: 'other' })).access.asksPassword, true)
    const record = (await accessFor(mondayNoon, { ...before.access })).access
    assert.deepEqual(record, live.access, 'the record can be sent back')
    const wrong = await send(api, code, { visitor: {}, access: { endsAt: '2026-03-02T10:00:00Z' } })
    assert.deepEqual(
      wrong.json<ErrorBody>().details?.map((one) => one.path),
      ['access.endsAt'],
    )
    assert.deepEqual((await api.call('GET', path, { key: api.keys.VIEWER })).json<QrCode>(), before)
  })

  test('400 with the place of each problem in rules and visitor', async () => {
    const { api, code } = await openRuled(await openDb(), [])
    const cases: [object, string][] = [
      [{ visitor: { country: 'ZZ' } }, 'visitor.country'],
      [{ visitor: { region: 'DE-XX' } }, 'visitor.region'],
      [{ visitor: { os: 'Toaster' } }, 'visitor.os'],
      [{ visitor: { browser: 'Netscape' } }, 'visitor.browser'],
      [{ visitor: { ip: '300.1.1.1' } }, 'visitor.ip'],
      [{ visitor: { at: '2026-13-01T00:00:00Z' } }, 'visitor.at'],
      [{ visitor: { userAgent: 'x', device: 'mobile' } }, 'visitor.userAgent'],
      [{ visitor: { weather: 'rain' } }, 'visitor.weather'],
      [{}, 'visitor'],
      [
        { visitor: {}, rules: [lunch, { ...german, when: { countries: ['ZZ'] } }] },
        'rules[1].when.countries[0]',
      ],
      [{ visitor: {}, rules: [{ ...lunch, data: { url: `${publicUrl}/ABC` } }] }, 'rules[0].data.url'],
      [{ visitor: {}, rules: [{ ...lunch, id: 'rul_other' }] }, 'rules[0].id'],
    ]
    for (const [payload, path] of cases) {
      const answer = await send(api, code, payload)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.deepEqual(
        answer.json<ErrorBody>().details?.map((one) => one.path),
        [path],
      )
    }
  })
})

async function openRuled(db: Parameters<typeof openTestApi>[0], rules: RuleInput[]) {
  const api = await openTestApi(db)
  const answer = await api.call('POST', `/organizations/${api.orgId}/qr-codes`, {
    key: api.keys.EDITOR,
    payload: { type: 'URL', name: 'Poster', data: to('own'), rules },
  })
  assert.equal(answer.statusCode, 201, answer.body)
  return { api, code: answer.json<QrCode>() }
}

function send(api: TestApi, code: QrCode, payload: object) {
  const path = `/organizations/${api.orgId}/qr-codes/${code.id}/rules/simulate`
  return api.call('POST', path, { key: api.keys.VIEWER, payload })
}

async function simulate(
  api: TestApi,
  code: QrCode,
  visitor: SimulatedVisitor,
  rules?: readonly RuleInput[],
): Promise<SimulatedAnswer> {
  const answer = await send(api, code, { visitor, ...(rules !== undefined && { rules }) })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json<SimulatedAnswer>()
}
