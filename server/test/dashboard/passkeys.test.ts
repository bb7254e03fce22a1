// Left to the soak: `api/accounts/passkeys`, `api/accounts/passkey-sign-in` have every refusal.
// Passkeys in a browser with the virtual authenticator of its developer tools.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CDPSession, Cookie, Page } from 'playwright-core'
import { openDashboard, password, type Dashboard } from '../support/dashboard.ts'

describe('passkeys in the dashboard', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let look: Dashboard['look']
  let devTools: CDPSession
  /** The host of PUBLIC_URL: passkeys do not work at an IP address. */
  let base: string
  let setVerified: (isUserVerified: boolean) => Promise<unknown>
  /** Sessions that began with the password, before there was a second factor. */
  const unconfirmed: Cookie[][] = []

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
  const dialog = () => page.getByRole('dialog', { name: 'Confirm that it’s you' })
  const signInWithPassword = async () => {
    await page.context().clearCookies()
    await page.goto(base)
    await dashboard.signIn(page)
    await main().waitFor()
  }
  const focusedLabel = () => page.evaluate<string>('document.activeElement.labels?.[0]?.textContent')
  /** Goes on in one of the sessions that are not confirmed. */
  const openUnconfirmed = async () => {
    await page.context().clearCookies()
    await page.context().addCookies(unconfirmed.pop() ?? [])
    await openAccount()
  }
  const openAccount = () => page.goto(`${base}/${dashboard.orgId}/account`)

  test('a passkey is added, which gives recovery codes, and renamed', async () => {
    for (let i = 0; i < 2; i++) {
      await signInWithPassword()
      unconfirmed.push(await page.context().cookies())
    }
    await signInWithPassword()
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

  test('a session that showed no second factor asks for it before a change, which is then made', async () => {
    await openUnconfirmed()
    const section = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Two-factor sign-in' }) })
    await section.locator('summary').click()
    await section.getByLabel('Current password').last().fill(password)
    const renew = section.getByRole('button', { name: 'New recovery codes' })
    await page.keyboard.press('Enter')
    await dialog().getByRole('button', { name: 'Use a passkey', exact: true }).waitFor()
    await look('confirmation')
    await page.keyboard.press('Escape')
    await section.getByRole('alert').getByText('Nothing was changed').waitFor()
    assert.equal(await dialog().count(), 0)
    assert.equal(await focusedLabel(), 'Current password')
    await page.keyboard.press('Enter')
    await dialog().getByRole('button', { name: 'Use a recovery code instead' }).click()
    await dialog().getByLabel('Recovery code').fill('not one of them')
    await page.keyboard.press('Enter')
    await dialog().getByRole('alert').getByText('The code is wrong').waitFor()
    await look('confirmation-recovery-code')
    await dialog().getByRole('button', { name: 'Use a passkey instead' }).click()
    await page.keyboard.press('Enter')
    await section.getByText('they are not shown again').waitFor()
    assert.equal(await dialog().count(), 0)
    assert.equal(await section.getByRole('listitem').count(), 10)
    // Changes that follow do not ask again.
    await section.getByRole('button', { name: 'Done, I’ve saved them' }).click()
    await section.locator('summary').click()
    await section.getByLabel('Current password').last().fill(password)
    await renew.click()
    await section.getByText('they are not shown again').waitFor()
  })

  test('it is removed with the password and itself, and the password alone signs in again', async () => {
    await openUnconfirmed()
    await card().getByText('last used').waitFor()
    await card().getByRole('button', { name: 'Remove Laptop' }).click()
    const removal = page.getByRole('dialog', { name: 'Remove “Laptop”?' })
    await removal.getByText('It is your last second factor').waitFor()
    await look('passkeys-remove')
    await removal.getByLabel('Current password').fill('not the password')
    await removal.getByRole('button', { name: 'Remove passkey' }).click()
    await removal.getByRole('alert').waitFor()
    await removal.getByLabel('Current password').fill(password)
    await page.keyboard.press('Enter')
    // A window over the other: only the upper one can be used, and Escape closes it alone.
    await dialog().waitFor()
    await look('confirmation-over-dialog')
    await page.keyboard.press('Escape')
    await removal.getByRole('alert').getByText('Nothing was changed').waitFor()
    assert.equal(await focusedLabel(), 'Current password')
    await page.keyboard.press('Enter')
    await dialog().waitFor()
    await page.keyboard.press('Enter')
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
