// Jobs of a first day, with the steps that they take in a browser.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { email, openDashboard, password, type Dashboard } from '../support/dashboard.ts'
import { countSteps } from '../support/steps.ts'

describe('jobs', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard()
    ;({ page } = dashboard)
  })
  after(async () => dashboard.close())

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const field = (name: string) => page.getByLabel(name, { exact: true })

  test('from the first sign-in to a file for the print shop in at most 9 steps', async () => {
    await page.goto(`${dashboard.service.baseUrl}/app`)
    const steps = countSteps('first PDF')
    await steps.fill(field('E-mail address'), email)
    await steps.fill(field('Password'), password)
    await steps.click(button('Sign in'))
    await steps.click(page.getByRole('link', { name: 'Create code' }).first())
    await steps.fill(field('Link'), 'example.com/spring')
    await steps.click(button('Create code'))
    await page.getByRole('heading', { name: 'Your code is ready' }).waitFor()
    await steps.click(page.locator('label').filter({ hasText: 'PDF', has: page.getByRole('radio') }))
    const downloading = page.waitForEvent('download')
    await steps.click(page.getByRole('link', { name: 'Download PDF' }).or(button('Download PDF')))
    const path = await (await downloading).path()
    assert.match((await readFile(path)).subarray(0, 5).toString('latin1'), /^%PDF-/)
    const count = steps.end()
    assert.ok(count <= 9, `${count} steps`)
    const { data } = await dashboard.client.qrCodes.list(dashboard.orgId)
    assert.deepEqual(
      data.map((code) => code.data),
      [{ url: 'https://example.com/spring' }],
    )
  })

  test('a code is deleted and taken back in at most 4 steps', async () => {
    const { client, orgId } = dashboard
    const [code] = (await client.qrCodes.list(orgId)).data
    await dashboard.open('/codes')
    const steps = countSteps('delete and take back')
    await steps.click(button(`Actions for ${code?.name}`))
    await steps.click(page.getByRole('menuitem', { name: 'Delete' }))
    await steps.click(page.getByRole('dialog').getByRole('button', { name: 'Delete 1 code' }))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal((await client.qrCodes.list(orgId)).pagination.total, 0)
    await steps.click(button('Undo'))
    await button(`Actions for ${code?.name}`).waitFor()
    const count = steps.end()
    assert.ok(count <= 4, `${count} steps`)
    assert.equal((await client.qrCodes.list(orgId)).data[0]?.shortCode, code?.shortCode)
    assert.deepEqual(dashboard.problems, [])
  })
})
