// Left to the soak: `api/accounts/account-log` has the log, `dashboard/widths` the page.
// Recent activity of an account, in a browser, on a started service.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { screenshotPath } from '../support/browser.ts'
import { openDashboard, password, type Dashboard } from '../support/dashboard.ts'

describe('recent activity', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard()
    ;({ page } = dashboard)
  })
  after(async () => dashboard.close())

  const entries = () => page.getByRole('list', { name: 'Recent activity' }).getByRole('listitem')
  const signInFrom = async (userAgent: string, given = password) => {
    const answer = await fetch(`${dashboard.service.baseUrl}/api/v1/auth/sign-in`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        origin: dashboard.service.baseUrl,
      },
      body: JSON.stringify({ email: dashboard.email, password: given }),
    })
    return answer.status
  }

  test('the owner sees sign-ins, failures and changes, in plain words', async () => {
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    for (let i = 0; i < 3; i++) assert.equal(await signInFrom(firefox, 'not the password'), 401)
    for (let i = 0; i < 11; i++) assert.equal(await signInFrom(firefox), 200)
    await dashboard.open('/account')
    await entries().first().getByText('Signed in from Chrome on Linux').waitFor()
    assert.equal(await entries().count(), 10)
    await page.getByRole('button', { name: 'End all other sessions' }).click()
    await entries().first().getByText('All other sessions ended').waitFor()
    const more = page.getByRole('button', { name: 'Show more' })
    await more.click()
    await entries().getByText('Account created').waitFor()
    await more.waitFor({ state: 'detached' })
    await entries().filter({ hasText: 'Signed in from Firefox on Linux' }).nth(10).waitFor()
    // Failures are written a few seconds later.
    for (const endMs = Date.now() + 30_000; Date.now() < endMs;) {
      await page.reload()
      await more.click()
      await entries().getByText('Account created').waitFor()
      if ((await entries().getByText('failed sign-ins').count()) > 0) break
      await page.waitForTimeout(1_000)
    }
    await entries().getByText('3 failed sign-ins from 127.0.0.0/24').waitFor()
    const failed = page.getByText('3 failed sign-ins')
    await failed.scrollIntoViewIfNeeded()
    await dashboard.look('recent-activity')
    await page.setViewportSize({ width: 660, height: 900 })
    await page.getByRole('heading', { name: 'Recent activity' }).evaluate('(title) => title.scrollIntoView()')
    await page.mouse.wheel(0, -80)
    await page.waitForTimeout(200)
    await page.screenshot({ path: screenshotPath('dashboard-recent-activity-tablet-light') })
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('the advice leads to the password by keyboard, and the change is an entry', async () => {
    await page.getByRole('button', { name: 'Go to password' }).press('Enter')
    await page.keyboard.type(password)
    await page.getByLabel('New password').fill('a new and longer password')
    await page.keyboard.press('Enter')
    await page.getByText('Password changed. All other').waitFor()
    await entries().first().getByText('Password changed', { exact: true }).waitFor()
  })

  test('without entries it says so, and a failure can be tried again', async () => {
    const path = '**/users/me/account-log?**'
    const pagination = { page: 1, limit: 10, total: 0, totalPages: 0, hasNext: false, hasPrev: false }
    await page.route(path, async (route) => route.fulfill({ json: { data: [], pagination } }))
    await page.reload()
    await page.getByText('Nothing yet').scrollIntoViewIfNeeded()
    await dashboard.look('recent-activity-empty')
    await page.unroute(path)
    await page.route(path, async (route) => route.fulfill({ status: 500, json: {} }))
    await page.reload()
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.unroute(path)
    await again.click()
    await entries().first().getByText('Password changed').waitFor()
    assert.deepEqual(dashboard.problems, [])
  })
})
