// Left to the soak: `dashboard/widths` sees skeletons go; this holds answers back for seconds.
// Places that load show what is coming in place of blank space, and nothing shifts then.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { screenshotPath } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'

/** How long an answer is held back, so that its skeleton is there to be seen. */
const heldMs = 1_500
/** Google calls up to 0.1 good: https://web.dev/articles/cls. */
const shiftMax = 0.1

const countShifts = `new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift = (globalThis.shift ?? 0) + value
}).observe({ type: 'layout-shift', buffered: true })`

describe('skeletons', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  before(async () => {
    dashboard = await openDashboard()
    ;({ page } = dashboard)
    await dashboard.client.folders.create(dashboard.orgId, { name: 'Spring' })
    await dashboard.open('/codes')
    await page.getByRole('heading', { name: 'Codes', exact: true }).waitFor()
  })
  after(async () => dashboard.close())

  const hold = async (pattern: RegExp): Promise<void> => {
    await page.route(pattern, async (route) => {
      await page.waitForTimeout(heldMs)
      await route.continue()
    })
  }
  const loading = () => page.getByRole('status', { name: 'Loading…' }).filter({ visible: true })
  const shift = async () => page.evaluate<number>('globalThis.shift ?? 0')

  test('a page whose program is on its way has a skeleton', async () => {
    await hold(/assets\/imports-[^/]*\.js/)
    await page.goto(`${dashboard.service.baseUrl}/app/${dashboard.orgId}/imports`)
    await loading().first().waitFor()
    await page.screenshot({ path: screenshotPath('skeleton-page') })
    await page.getByRole('heading', { name: 'Import', exact: true }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  for (const [path, pattern, shown] of [
    ['/codes', /\/folders\?/, 'Spring'],
    ['/imports', /\/bulk-import\?/, 'Your imports will be listed here'],
    ['/account', /\/sessions/, 'This session'],
  ] as const)
    test(`${path}: what is read later is announced, and nothing shifts when it comes`, async () => {
      await hold(pattern)
      await page.addInitScript(countShifts)
      await page.goto(`${dashboard.service.baseUrl}/app/${dashboard.orgId}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await loading().first().waitFor()
      await page.screenshot({ path: screenshotPath(`skeleton${path.replace('/', '-')}`) })
      await page.getByText(shown).first().waitFor()
      const shifted = await shift()
      assert.ok(shifted < shiftMax, `${shifted}`)
      await page.unrouteAll({ behavior: 'wait' })
    })

  test('no page reported a problem', () => {
    assert.deepEqual(dashboard.problems, [])
  })
})
