// Left to the soak: `demo/prepare-demo` creates the demo, and removes it.
// The dashboard says that the organization of a demo is made up, and to an ADMIN how to delete it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { saveMember } from '../../src/catalogue/accounts/users.ts'
import { listOperators } from '../../src/catalogue/installation/demo-organizations.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { silentLog } from '../../src/db/testing/databases.ts'
import { accessibilityProblems, screenshotPath } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { requireDemo, type Demo } from '../support/demo.ts'

const command = './everscan demo remove'

describe('the dashboard of a demo', () => {
  let dashboard: Dashboard
  let demo: Demo
  before(async () => {
    dashboard = await openDashboard({}, ['start', '--demo'])
    demo = await requireDemo(dashboard.service, {})
    await dashboard.open('/codes')
  })
  after(() => dashboard.close())

  const banner = () => dashboard.page.getByRole('complementary', { name: 'Demo' })
  const openDemo = () => dashboard.page.goto(`${dashboard.service.baseUrl}/app/${demo.orgId}/analytics`)

  test('an organization of people has no banner', async () => {
    await dashboard.page.getByRole('heading', { name: 'Codes', exact: true }).waitFor()
    assert.equal(await banner().count(), 0)
  })

  test('the banner is on every page of the demo, on a phone too, and has the command for an ADMIN', async () => {
    await openDemo()
    await banner().waitFor()
    assert.match(await banner().innerText(), /made up/)
    assert.ok((await banner().innerText()).includes(command))
    await dashboard.page.getByRole('heading', { level: 1 }).waitFor()
    for (const [name, width] of Object.entries({ phone: 390, tablet: 660, desktop: 1280 })) {
      await dashboard.page.setViewportSize({ width, height: 800 })
      assert.deepEqual(await accessibilityProblems(dashboard.page), [])
      const { width: shown = Infinity } = (await banner().boundingBox()) ?? {}
      assert.ok(shown <= width)
      await dashboard.page.screenshot({ path: screenshotPath(`demo-${name}`) })
    }
    await dashboard.page.getByRole('link', { name: 'Settings' }).click()
    await dashboard.page.getByRole('heading', { name: 'Settings' }).first().waitFor()
    assert.ok(await banner().isVisible())
  })

  test('a new name in the settings keeps the banner', async () => {
    const name = dashboard.page.getByLabel('Name', { exact: true }).first()
    await name.fill('Demo: renamed')
    await dashboard.page.getByRole('button', { name: 'Save' }).first().click()
    await dashboard.page.getByRole('button', { name: /Demo: renamed/ }).waitFor()
    assert.ok(await banner().isVisible())
  })

  test('who cannot delete it gets no command', async () => {
    const { dataDir } = dashboard.service
    const db = await openDatabase({ databaseUrl: undefined, dataDir, role: 'writer', log: silentLog })
    const [{ id: userId } = { id: '' }] = await listOperators(db)
    await saveMember(db, demo.orgId, { userId, role: 'VIEWER' })
    await db.close()
    await openDemo()
    await banner().waitFor()
    assert.match(await banner().innerText(), /made up/)
    assert.ok(!(await banner().innerText()).includes(command))
    assert.deepEqual(dashboard.problems, [])
  })
})
