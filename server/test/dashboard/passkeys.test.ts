// Passkeys in a browser with the virtual authenticator of its developer tools.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CDPSession, Page } from 'playwright-core'
import { openDashboard, password, type Dashboard } from '../support/dashboard.ts'

describe('passkeys in the dashboard', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let look: Dashboard['look']
  let devTools: CDPSession
  /** The host of PUBLIC_URL: passkeys do not work at an IP address. */
  let base: string
  let setVerified: (isUserVerified: boolean) => Promise<unknown>

  before(async () => {
    dashboard = await openDashboard()
    ;({ page, look } = dashboard)
    base = `http://localhost:${dashboard.service.port}/app`
    devTools = await page.context().newCDPSession(page)
    await devTools.send('WebAuthn.enable')
    const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    })
    setVerified = (isUserVerified) =>
      devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  })
  after(async () => dashboard.close())

  const card = () => page.locator('section').filter({ has: page.getByRole('heading', { name: 'Passkeys' }) })
  const main = () => page.getByRole('navigation', { name: 'Main' })
  const signOut = async () => {
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  }
  const openAccount = () => page.goto(`${base}/${dashboard.orgId}/account`)

  test('a passkey is added, which gives recovery codes, and renamed', async () => {
    await page.goto(base)
    await dashboard.signIn(page)
    await main().waitFor()
    await openAccount()
    await card().getByText('You have no passkeys yet').waitFor()
    await card().scrollIntoViewIfNeeded()
    await look('passkeys-none')
    await card().getByLabel('Current password').fill(password)
    await card().getByRole('button', { name: 'Add a passkey' }).click()
    await card().getByText('Recovery codes').waitFor()
    await card().getByText('Chrome on Linux').waitFor()
    await look('passkeys-added')
    await card().getByRole('button', { name: 'Done, I’ve saved them' }).click()
    // The browser knows that this device has one.
    await card().getByLabel('Current password').fill(password)
    await card().getByRole('button', { name: 'Add a passkey' }).click()
    await card().getByText('This device has a passkey for your account already').waitFor()
    await card().getByRole('button', { name: 'Rename Chrome on Linux' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await card().getByText('Laptop', { exact: true }).waitFor()
    await signOut()
  })

  test('it signs in alone, but not if the device could not check who uses it', async () => {
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    await setVerified(false)
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('No passkey was used').waitFor()
    await look('passkeys-refused')
    await setVerified(true)
    await button.click()
    await main().waitFor()
    await signOut()
  })

  test('it is the second factor after the password, beside recovery codes', async () => {
    await dashboard.signIn(page)
    const use = page.getByRole('button', { name: 'Use a passkey', exact: true })
    await use.waitFor()
    await look('passkeys-second-factor')
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
    await page.getByLabel('Recovery code').fill('not one of them')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    await page.keyboard.press('Enter')
    await main().waitFor()
  })

  test('it is removed with the password, and the password alone signs in again', async () => {
    await openAccount()
    await card().getByText('last used').waitFor()
    await card().getByRole('button', { name: 'Remove Laptop' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove “Laptop”?' })
    await dialog.getByText('It is your last second factor').waitFor()
    await look('passkeys-remove')
    await dialog.getByLabel('Current password').fill('not the password')
    await dialog.getByRole('button', { name: 'Remove passkey' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Current password').fill(password)
    await dialog.getByRole('button', { name: 'Remove passkey' }).click()
    await card().getByText('You have no passkeys yet').waitFor()
    await signOut()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').getByText('This passkey is unknown here').waitFor()
    await dashboard.signIn(page)
    await main().waitFor()
  })

  test('at another address, it says where passkeys work', async () => {
    await page.goto(`${dashboard.service.baseUrl}/app`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').getByText('Passkeys work only at localhost').waitFor()
    const problems = dashboard.problems.filter(
      (problem) => !problem.startsWith(`asks ${new URL(base).origin}/`),
    )
    assert.deepEqual(problems, [])
  })
})
