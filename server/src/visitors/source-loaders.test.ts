import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createQrCode, updateQrCode } from '../catalogue/codes/qr-codes.ts'
import { someOrganization, someOrigin, someQrCode } from '../catalogue/testing/catalogue.ts'
import { countriesNeeded, openChangeFeed } from '../db/feeds/changes.ts'
import { onEitherDatabase } from '../db/testing/databases.ts'
import { countriesOf, noSources } from '../scan/testing/sources.ts'
import { createEarlyCountries } from './source-loaders.ts'

const log = pino({ level: 'silent' })
const ruleFor = (when: object) => ({ id: 'rul_1', name: 'One', enabled: true, when, data: {} })

onEitherDatabase('countries of visitors', (open) => {
  test('are loaded when the first code with a rule by country is saved, and at each later start', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const create = (when: object) => createQrCode(db, organizationId, someQrCode({ rules: [ruleFor(when)] }))
    const front = await open({ same: db, role: 'reader' })
    const startFront = () => {
      const sources = noSources({ countries: async () => countriesOf(() => 'DE') })
      return { sources, ...createEarlyCountries(front, sources, log) }
    }
    const feed = openChangeFeed(front)
    try {
      await feed.catchUp()
      const running = startFront()
      const { id } = await create({ devices: ['mobile'] })
      running.onChanged(await feed.catchUp())
      await running.start()
      await new Promise(setImmediate)
      assert.equal(running.sources.loaded.countries, undefined, 'no code has such a rule')

      const rules = [ruleFor({ not: { countries: ['DE'] } })]
      await updateQrCode(db, { organizationId, id }, { origin: someOrigin, rules })
      const entries = await feed.catchUp()
      assert.ok(entries.includes(countriesNeeded))
      running.onChanged(entries)
      await new Promise(setImmediate)
      assert.ok(running.sources.loaded.countries !== undefined)

      await create({ countries: ['AT'] })
      assert.ok(!(await feed.catchUp()).includes(countriesNeeded), 'the fronts know')
      const later = startFront()
      await later.start()
      await new Promise(setImmediate)
      assert.ok(later.sources.loaded.countries !== undefined)
    } finally {
      await feed.close()
      await front.close()
    }
  })
})
