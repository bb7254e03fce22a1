// Closing codes in the dashboard, and what phones then see.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Client, TypedQrCode } from '@everscan/client/create-client.ts'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { accessibilityProblems, screenshotPath, testBrowser } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { phones } from '../support/phones.ts'
import { hangMs, until } from '../support/service.ts'

describe('access of a code', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let client: Client
  let orgId: string
  let ticket: TypedQrCode
  let phone: BrowserContext
  let destination: string
  const elsewhere = createServer((_request, response) => response.end('the party'))

  before(async () => {
    dashboard = await openDashboard()
    ;({ page, client, orgId } = dashboard)
    elsewhere.listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    destination = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/party`
    const data = { url: destination }
    ticket = (await client.qrCodes.create(orgId, {
      type: 'URL',
      name: 'Party',
      shortCode: 'PARTY',
      data,
    })) as TypedQrCode
    await client.qrCodes.create(orgId, { type: 'URL', name: 'Menu', data })
    phone = await (
      await testBrowser()
    ).newContext({ viewport: { width: 390, height: 844 }, locale: 'de-DE', userAgent: phones[0] })
    phone.setDefaultTimeout(hangMs)
  })
  after(async () => {
    await phone.close()
    elsewhere.closeAllConnections()
    elsewhere.close()
    await dashboard.close()
  })

  const field = (label: string): Locator => page.getByLabel(label, { exact: true })
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true })
  const save = async (): Promise<void> => {
    await button('Save access').click()
    await page.getByText('Access saved.').waitFor()
  }
  test('a code opens later, for some, with a password, and says so in the list', async () => {
    await dashboard.open(`/codes/${ticket.id}`)
    await field('Number of scans').fill('0')
    await button('Save access').click()
    await page.getByText('must be at least 1').waitFor()
    await field('Number of scans').fill('3')
    await field('Opens').fill('2099-05-01T08:00')
    await field('Password').fill('open sesame')
    await field('What visitors get while it is closed').selectOption('A page with my message')
    await field('Message').fill('Wir öffnen im Mai.')
    await save()
    await page.getByText('0 of 3 so far').waitFor()
    await page.getByText('Visitors must enter a password.').waitFor()
    await dashboard.look('access-card')
    // Without rules, too, one sees what stands before the content.
    await page.locator('summary').filter({ hasText: 'Try it' }).click()
    await button('Show what they get').click()
    await page.getByText('The code is not open yet. They see the message “Wir öffnen im Mai.”').waitFor()
    await page.getByText('They must enter the password first.').waitFor({ state: 'detached' })
    await dashboard.look('access-trial')
    const { state, access } = await client.qrCodes.read(orgId, ticket.id)
    assert.equal(state, 'SCHEDULED')
    assert.deepEqual(
      [access?.scanLimit, access?.hasPassword, access?.closed],
      [3, true, { message: 'Wir öffnen im Mai.' }],
    )
    await dashboard.open('/codes?state=SCHEDULED')
    await page.getByText('Not open yet · ').first().waitFor()
    assert.equal(await page.getByRole('link', { name: 'Menu', exact: true }).count(), 0)
    await dashboard.look('access-list')
  })

  test('a phone sees the message, then the form, and gets in with the password', async () => {
    const tab = await phone.newPage()
    const address = `${dashboard.service.baseUrl}/PARTY`
    await tab.goto(address)
    await tab.getByText('Wir öffnen im Mai.').waitFor()
    await shot(tab, 'access-closed')
    await dashboard.open(`/codes/${ticket.id}`)
    await field('Opens').fill('')
    await save()
    await tab.goto(address)
    await tab.getByRole('heading', { name: 'Passwort eingeben' }).waitFor()
    await shot(tab, 'access-form')
    await tab.getByLabel('Passwort', { exact: true }).fill('guess')
    await tab.keyboard.press('Enter')
    await tab.getByRole('alert').waitFor()
    await shot(tab, 'access-form-wrong')
    await tab.getByLabel('Passwort', { exact: true }).fill('open sesame')
    await tab.getByRole('button', { name: 'Weiter' }).click()
    await tab.getByText('the party').waitFor()
    assert.equal(tab.url(), destination)
    await until(
      'the answer counts',
      async () => (await client.qrCodes.read(orgId, ticket.id)).access?.scanCount === 1,
    )
  })

  test('the count begins anew, changes are undone, the password is removed', async () => {
    await dashboard.open(`/codes/${ticket.id}`)
    await page.getByText('1 of 3 so far').waitFor()
    await button('Count again from zero').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Count again from zero' }).click()
    await page.getByText('0 of 3 so far').waitFor()
    await field('Number of scans').fill('')
    await save()
    await button('Undo').click()
    await page.getByText('The access is as it was before.').waitFor()
    assert.equal((await client.qrCodes.read(orgId, ticket.id)).access?.scanLimit, 3)
    await button('Remove password').click()
    await page.getByText('The password is removed when you save.').waitFor()
    await save()
    await field('Password').waitFor()
    assert.equal((await client.qrCodes.read(orgId, ticket.id)).access?.hasPassword, false)
    assert.deepEqual(dashboard.problems, [])
  })
})

/** Checks and pictures a page for phones in both themes. */
async function shot(tab: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme })
    assert.deepEqual(await accessibilityProblems(tab), [], name)
    await tab.screenshot({ path: screenshotPath(`${name}-${colorScheme}`) })
  }
}
