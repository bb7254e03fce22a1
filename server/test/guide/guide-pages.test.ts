// The guide in a browser: readable on a phone, searched with the keyboard, and without a script.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'

describe('the guide in a browser', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  const goTo = async (path: string) => dashboard.page.goto(`${dashboard.service.baseUrl}/docs/guide${path}`)
  before(async () => {
    dashboard = await openDashboard()
  })
  after(async () => dashboard.close())

  // Tables, code, a long page, the widest table, pictures, and no page at all.
  for (const path of ['', '/types', '/api', '/security', '/comparison', '/performance', '/nothing'])
    test(`${path || '/'}: fits phones and desktops, and axe reports nothing`, async () => {
      await goTo(path)
      await dashboard.look(`guide${path.replace('/', '-')}`)
    })

  test('search: "/" focuses, arrows choose, Enter opens the part, Esc closes', async () => {
    const { page } = dashboard
    await goTo('')
    await page.keyboard.press('/')
    await page.keyboard.type('Únique FIRST ever')
    const options = page.getByRole('option')
    await options.first().waitFor()
    assert.match((await options.first().textContent()) ?? '', /^What the figures mean: Unique scans/)
    assert.equal(await options.first().getAttribute('aria-selected'), 'true')
    await dashboard.look('guide-search')
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'hidden' })
    await page.keyboard.type(' zebra')
    await page.getByText('Nothing found for “Únique FIRST ever zebra”.').waitFor()
    await page.getByRole('combobox').fill('webhook')
    await page.keyboard.press('ArrowDown')
    assert.equal(await options.nth(1).getAttribute('aria-selected'), 'true')
    const address = (await options.nth(1).getAttribute('href')) ?? ''
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${address}`)
  })

  test('without a script every page is reachable and the search is not offered', async () => {
    const context = await (await testBrowser()).newContext({ javaScriptEnabled: false })
    try {
      const tab = await context.newPage()
      await tab.goto(`${dashboard.service.baseUrl}/docs/guide`)
      assert.ok(await tab.getByRole('combobox').isHidden())
      const menu = tab.getByRole('navigation', { name: 'Pages' }).filter({ visible: true })
      await menu.getByRole('link', { name: 'Types of codes' }).click()
      await tab.getByRole('heading', { name: 'Types of codes', level: 1 }).waitFor()
      await tab.setViewportSize({ width: 390, height: 844 })
      await tab.getByText('All pages').click()
      await menu.getByRole('link', { name: 'Webhooks' }).click()
      await tab.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    } finally {
      await context.close()
    }
  })

  test('the appearance that was chosen in the dashboard is that of the guide', async () => {
    const { page } = dashboard
    await goTo('')
    const ground = async () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    assert.equal(await ground(), 'rgb(247, 247, 245)')
    await page.evaluate("localStorage.setItem('everscan-theme', 'dark')")
    await page.reload()
    assert.equal(await ground(), 'rgb(17, 18, 20)')
    await page.evaluate("localStorage.removeItem('everscan-theme')")
  })

  test('the dashboard leads to the guide, from its menu and where a question arises', async () => {
    const { page } = dashboard
    await dashboard.open('/imports')
    await page.getByRole('button', { name: 'Your account' }).click()
    assert.equal(await page.getByRole('menuitem', { name: 'Guide' }).getAttribute('href'), '/docs/guide')
    await page.keyboard.press('Escape')
    const opened = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'Learn more about columns' }).click()
    const tab = await opened
    await tab.getByRole('heading', { name: 'Import', level: 1 }).waitFor()
    assert.ok(await tab.locator('#columns').isVisible())
    await tab.close()
  })

  test('the browser reports no error, and asks nothing elsewhere', () => {
    assert.deepEqual(dashboard.problems, [])
  })
})
