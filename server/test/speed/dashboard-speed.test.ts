// Left to the soak: `dashboard/dashboard` has the pages; this has bounds in seconds.
// The responsiveness of the dashboard in figures: printed, and compared with the promised limits.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import type { CDPSession, Page } from 'playwright-core'
import { measurePages } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'

/**
 * The promised limits are for an otherwise idle machine: they apply in the soak. Elsewhere three
 * times the limits apply.
 */
const allowance = process.env['SOAK'] === '1' ? 1 : 3
/** Like Lighthouse's mid-range phone: the processor is four times slower. */
const slowdown = 4
const paintMsMax = { plain: 1_000 * allowance, slow: 3_000 * allowance }
const interactionMsMax = 100 * allowance
const rounds = 3
/**
 * A fast first round is enough; after a slow one the median of all rounds counts. The soak always
 * measures all rounds.
 */
const isMeasuredAnyway = process.env['SOAK'] === '1'

measurePages()

describe('responsiveness of the dashboard', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let session: CDPSession

  before(async () => {
    dashboard = await openDashboard()
    ;({ page } = dashboard)
    const data = { url: 'https://example.com/' }
    const codes = Array.from(
      { length: 60 },
      (_, at) => ({ type: 'URL', name: `Poster ${at}`, data }) as const,
    )
    await dashboard.client.batches.create(dashboard.orgId, codes)
    await dashboard.open('/codes')
    session = await page.context().newCDPSession(page)
  })
  after(async () => dashboard.close())

  const pages = {
    '/codes': 'Codes',
    '/codes/new': 'New code',
    '/analytics': 'Analytics',
    '/imports': 'Import',
    '/developers': 'Developers',
    '/settings': 'Settings',
  }

  /**
   * Milliseconds until something was visible, and until the page's own heading was, with an empty
   * browser cache.
   */
  const paint = async (path: string, heading: string): Promise<{ firstMs: number; headingMs: number }> => {
    await session.send('Network.clearBrowserCache')
    const fromMs = performance.now()
    await dashboard.open(path)
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    const headingMs = performance.now() - fromMs
    // Content of the page may not be painted yet.
    const firstMs = await page.evaluate<number>(`new Promise((resolve) => {
      new PerformanceObserver((list) => {
        for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime)
      }).observe({ type: 'paint', buffered: true })
    })`)
    return { firstMs, headingMs }
  }

  const measure = async (context: TestContext, ratio: number, msMax: number): Promise<void> => {
    await session.send('Emulation.setCPUThrottlingRate', { rate: ratio })
    for (const [path, heading] of Object.entries(pages)) {
      const found: { firstMs: number; headingMs: number }[] = []
      for (let round = 0; round < rounds; round++) {
        const shown = await paint(path, heading)
        found.push(shown)
        if (!isMeasuredAnyway && round === 0 && shown.firstMs <= msMax) break
      }
      const [firstMs, headingMs] = [found.map((one) => one.firstMs), found.map((one) => one.headingMs)].map(
        middle,
      ) as [number, number]
      context.diagnostic(
        `${path}: first paint ${Math.round(firstMs)} ms, its heading ${Math.round(headingMs)} ms`,
      )
      assert.ok(firstMs <= msMax, `${path}: ${firstMs} ms`)
    }
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  }

  test(`something is visible within ${paintMsMax.plain} ms`, (context) =>
    measure(context, 1, paintMsMax.plain))

  test(`and within ${paintMsMax.slow} ms on a processor ${slowdown} times slower`, (context) =>
    measure(context, slowdown, paintMsMax.slow))

  test(`a press or a key takes effect within ${interactionMsMax} ms, without layout shifts`, async (context) => {
    await dashboard.open('/codes')
    await page.getByText('60 codes').waitFor()
    await page.evaluate(`
      window.eventMs = [0]
      window.shift = 0
      new PerformanceObserver((list) => window.eventMs.push(...list.getEntries().filter((one) => one.interactionId > 0).map((one) => one.duration)))
        .observe({ type: 'event', durationThreshold: 16 })
      new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value })
        .observe({ type: 'layout-shift', buffered: true })`)
    await page.keyboard.press('/')
    await page.keyboard.type('poster 1', { delay: 30 })
    // Words are also found in destinations.
    const { pagination } = await dashboard.client.qrCodes.list(dashboard.orgId, { q: 'poster 1' })
    assert.ok(pagination.total > 0 && pagination.total < 60)
    await page.getByText(`${pagination.total} codes`).waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await page.getByText('60 codes').waitFor()
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Page 2 of 3').waitFor()
    const slowestMs = await page.evaluate<number>('Math.max(...window.eventMs)')
    const shift = await page.evaluate<number>('window.shift')
    context.diagnostic(`the slowest interaction took ${slowestMs} ms; layout shift ${shift.toFixed(3)}`)
    assert.ok(slowestMs <= interactionMsMax, `${slowestMs} ms`)
    assert.ok(shift < 0.01, `${shift}`)
  })
})

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
