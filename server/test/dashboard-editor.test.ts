// Making and changing codes in the dashboard, in a browser, as a person does it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@everscan/client/create-client.ts'
import type { Page } from 'playwright-core'
import { openDashboard, type Dashboard } from './dashboard-testing.ts'

describe('the editor', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let client: Client
  let orgId: string
  let look: Dashboard['look']

  before(async () => {
    dashboard = await openDashboard()
    ;({ page, client, orgId, look } = dashboard)
  })
  after(async () => dashboard.close())

  const button = (name: string | RegExp) => page.getByRole('button', { name })

  test('c begins a new code; it is made, and it is ready', async () => {
    await dashboard.open('/codes')
    await page.getByRole('link', { name: 'Create code' }).first().waitFor()
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'New code' }).waitFor()
    await page.getByAltText('The code as it will look').waitFor()
    await look('editor-new')
    await button('Create code').click()
    await page.getByText('Please fill this in.').first().waitFor()
    await page.getByLabel('Link', { exact: true }).fill('example.com/spring')
    await look('editor-problem')
    await button('Create code').click()
    await page
      .getByRole('heading', { name: 'It is ready' })
      .waitFor({ timeout: 3000 })
      .catch(async (e) => {
        await page.screenshot({ path: '/tmp/fail.png', fullPage: true })
        console.log(page.url(), dashboard.problems)
        throw e
      })
    await look('editor-ready')
    assert.ok(client && orgId)
    assert.deepEqual(dashboard.problems, [])
  })
})
