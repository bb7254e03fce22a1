// The reference of the API in a browser: readable on a phone, searched, in the dark, with samples.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testBrowser } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'

describe('the reference in a browser', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  const goTo = async (path: string) => dashboard.page.goto(`${dashboard.service.baseUrl}/docs${path}`)
  before(async () => {
    dashboard = await openDashboard()
  })
  after(async () => dashboard.close())

  for (const path of ['', '/api/qr-codes', '/api/bulk-import'])
    test(`${path || '/'}: fits phones and desktops, and axe reports nothing`, async () => {
      await goTo(path)
      await dashboard.look(`reference${path.replaceAll('/', '-')}`)
    })

  test('a sample is shown in the language that was chosen, and stays so on other pages', async () => {
    const { page } = dashboard
    await goTo('/api/qr-codes#createQrCode')
    const section = page.locator('[data-operation=createQrCode]')
    await section.getByRole('button', { name: 'Python' }).click()
    await section.getByText('import requests').waitFor()
    assert.equal(await section.locator('pre').filter({ hasText: 'curl -X POST' }).isVisible(), false)
    await dashboard.page.screenshot({ path: 'screenshots/reference-sample.png' })
    await goTo('/api/folders')
    await page.getByText('import requests').first().waitFor()
  })

  test('search: the words of an operation lead to it', async () => {
    const { page } = dashboard
    // The texts may come after the last letter.
    await page.route('**/search.json', async (route) => {
      await sleep(500)
      await route.continue()
    })
    await goTo('')
    await page.keyboard.press('/')
    await page.keyboard.type('create qr code')
    const first = page.getByRole('option').first()
    await first.waitFor()
    assert.match((await first.textContent()) ?? '', /^QR codes: Create a QR code/)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/api/qr-codes#createQrCode')
  })

  test('a button changes to the dark, which the dashboard and the guide have then, too', async () => {
    const { page } = dashboard
    await goTo('')
    const ground = async () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    assert.equal(await ground(), 'rgb(247, 247, 245)')
    await page.getByRole('button', { name: 'Dark mode' }).click()
    assert.equal(await ground(), 'rgb(17, 18, 20)')
    await goTo('/guide')
    assert.equal(await ground(), 'rgb(17, 18, 20)')
    await page.getByRole('button', { name: 'Light mode' }).click()
    assert.equal(await ground(), 'rgb(247, 247, 245)')
  })

  test('without a script every page is reachable, and all samples show', async () => {
    const context = await (await testBrowser()).newContext({ javaScriptEnabled: false })
    try {
      const tab = await context.newPage()
      await tab.goto(`${dashboard.service.baseUrl}/docs`)
      await tab.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Folders' }).click()
      await tab.getByRole('heading', { name: 'Folders', level: 1 }).waitFor()
      assert.ok(await tab.getByText('import requests').first().isVisible())
      assert.ok(await tab.getByText('curl_init').first().isVisible())
    } finally {
      await context.close()
    }
    assert.deepEqual(dashboard.problems, [])
  })

  // The longest page: axe takes a quarter of a minute for it.
  test('/api/types: fits phones and desktops, and axe reports nothing', async () => {
    await goTo('/api/types')
    await dashboard.look('reference-api-types')
  })
})
