// The dashboard in a browser, on a started service, as a person uses it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { openDashboard, password, type Dashboard } from '../support/dashboard.ts'
import type { Service } from '../support/service.ts'

const scriptBytesMax = 200 * 1024

describe('the dashboard', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let service: Service
  let page: Page
  let orgId: string
  let look: Dashboard['look']

  before(async () => {
    dashboard = await openDashboard()
    ;({ service, page, orgId, look } = dashboard)
    const data = { url: 'https://example.com/' }
    const named = (name: string) => ({ type: 'URL', name, data }) as const
    await dashboard.client.batches.create(orgId, [
      ...Array.from({ length: 27 }, (_, at) => named(`Poster ${String(at + 1).padStart(2, '0')}`)),
      { type: 'WIFI', name: 'Guests', data: { ssid: 'Guests', password: 'basilico', encryption: 'WPA' } },
      named('<img src=x onerror=alert(1)>'),
    ])
  })
  after(async () => dashboard.close())

  const codes = () => page.getByRole('list', { name: 'Codes' }).getByRole('listitem')

  test('a visitor who is not signed in is asked to sign in, and then gets the requested page', async () => {
    await page.goto(`${service.baseUrl}/app/${orgId}/codes?q=Guests`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(await page.getByText('Your session has ended').count(), 0)
    // This installation has no sign-ups.
    assert.equal(await page.getByText('Create an account').count(), 0)
    await look('sign-in')
    await page.getByLabel('E-mail address').fill(dashboard.email)
    const field = page.getByLabel('Password', { exact: true })
    assert.deepEqual(
      [await field.getAttribute('type'), await field.getAttribute('autocomplete')],
      ['password', 'current-password'],
    )
    await field.fill('not the password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await dashboard.signIn(page)
    await page.getByText('1 code', { exact: true }).waitFor()
    assert.equal(await page.getByRole('searchbox').inputValue(), 'Guests')
    assert.equal(await codes().count(), 1)
  })

  test('the list is searched, filtered, sorted and paged; the URL stores all of this', async () => {
    await page.goto(`${service.baseUrl}/app`)
    await page.getByText('29 codes').waitFor()
    await look('codes')
    assert.equal(await page.getByText('<img src=x onerror=alert(1)>').count(), 1)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Page 2 of 2').waitFor()
    assert.match(page.url(), /page=2/)
    await page.keyboard.press('/')
    await page.keyboard.type('poster 1')
    await page.getByText('12 codes').waitFor()
    assert.doesNotMatch(page.url(), /page=/)
    await page.getByLabel('Sort by').selectOption('name')
    await codes().first().getByText('Poster 01').waitFor()
    await page.getByLabel('Type').selectOption('WIFI')
    await page.getByText('No codes found').waitFor()
    await look('nothing-found')
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await page.getByText('29 codes').waitFor()
    await page.reload()
    await codes().first().getByText('<img').waitFor()
    assert.match(page.url(), /sort=name/)
  })

  test('a URL of another organization, or an unknown one, says so', async () => {
    for (const path of ['/org_00000000000000000000000000/codes', '/what'])
      await page.goto(`${service.baseUrl}/app${path}`).then(() => page.getByText('Page not found').waitFor())
  })

  test('a user can change the name and the password, and end other sessions', async () => {
    const other = await dashboard.openContext()
    const tab = await other.newPage()
    await tab.goto(`${service.baseUrl}/app`)
    await dashboard.signIn(tab)
    await tab.getByText('29 codes').waitFor()

    await page.goto(`${service.baseUrl}/app/${orgId}/account`)
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.getByText('This session').waitFor()
    await look('account')
    await page.getByRole('button', { name: 'End all other sessions' }).click()
    await page.getByRole('button', { name: 'End all other sessions' }).waitFor({ state: 'detached' })
    await tab.getByRole('button', { name: 'Next' }).click()
    await tab.getByText('Your session has ended').waitFor()
    await other.close()

    const next = 'a new and longer password'
    const change = async (from: string, to: string) => {
      await page.getByLabel('Current password').first().fill(from)
      await page.getByLabel('New password').fill(to)
      await page.getByRole('button', { name: 'Change password' }).click()
    }
    await change('not the password', next)
    await page.getByRole('alert').waitFor()
    await change(password, next)
    await page.getByText('Password changed. All other').waitFor()
    const changedBack = page.waitForResponse((answer) => answer.url().endsWith('/users/me/password'))
    await change(next, password)
    assert.equal((await changedBack).status(), 200)
  })

  test('two-factor sign-in is turned on with an authenticator, requested, and turned off', async () => {
    await page.reload()
    const card = page
      .getByRole('region')
      .or(page.locator('section'))
      .filter({ has: page.getByRole('heading', { name: 'Two-factor sign-in' }) })
    await card.getByLabel('Current password').fill(password)
    await card.getByRole('button', { name: 'Turn on' }).click()
    const secret = (await card.locator('code').textContent()) ?? ''
    // Each code works once: the later codes are of later steps of 30 seconds, which a server
    // accepts within one step.
    const code = (stepsAhead: number) =>
      new TOTP({ secret }).generate({ timestamp: Date.now() + stepsAhead * 30_000 })
    await card.getByLabel('Code').fill(code(-1))
    await card.getByRole('button', { name: 'Confirm' }).click()
    await card.getByText('Recovery codes').waitFor()
    assert.equal(await card.getByRole('listitem').count(), 10)
    const [recovery = ''] = await card.getByRole('listitem').allTextContents()
    await look('recovery-codes')
    await card.getByRole('button', { name: 'Done, I’ve saved them' }).click()

    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await dashboard.signIn(page)
    await page.getByLabel('Authenticator code').fill(recovery)
    await look('sign-in-code')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('29 codes').waitFor()

    await page.goto(`${service.baseUrl}/app/${orgId}/account`)
    await card.locator('summary').click()
    await card.getByLabel('Current password').last().fill(password)
    await card.getByRole('button', { name: 'New recovery codes' }).click()
    await card.getByText('they are not shown again').waitFor()
    assert.notEqual((await card.getByRole('listitem').allTextContents())[0], recovery)
    await card.getByRole('button', { name: 'Done, I’ve saved them' }).click()

    // The organization requires it: without it, the user sees how to turn it on, and nothing else.
    await page.goto(`${service.baseUrl}/app/${orgId}/settings/members`)
    const required = page.getByRole('checkbox', { name: 'Every member must use two-factor sign-in' })
    await required.click()
    await page.getByRole('button', { name: 'Require it' }).click()
    await page.getByText('Two-factor sign-in is now required.').waitFor()
    assert.equal(await required.isChecked(), true)
    await look('two-factor-required')
    await page.goto(`${service.baseUrl}/app/${orgId}/account`)
    await card.getByText('cannot be opened without it').waitFor()
    await card.getByLabel('Current password').first().fill(password)
    await card.getByRole('button', { name: 'Turn off' }).click()
    await card.getByRole('button', { name: 'Turn on' }).waitFor()
    await page.getByRole('link', { name: 'Codes' }).click()
    await page.getByRole('heading', { name: /requires two-factor sign-in/ }).waitFor()
    await look('two-factor-needed')
    await page.getByRole('link', { name: 'Turn it on' }).click()
    await card.getByRole('button', { name: 'Turn on' }).waitFor()
    await dashboard.client.organizations.update(orgId, { twoFactorRequired: false })
  })

  test('an invitation is accepted with a name and a password', async () => {
    const invited = await dashboard.client.invitations.create(orgId, {
      email: 'grace@dashboard.example.com',
      role: 'VIEWER',
    })
    const guest = await dashboard.openContext()
    const tab = await guest.newPage()
    await tab.goto(invited.acceptUrl.replace(/^https?:\/\/[^/]+/, service.baseUrl))
    await tab.getByRole('heading', { name: 'Join ' }).waitFor()
    await tab.getByText('grace@dashboard.example.com').waitFor()
    await tab.getByLabel('Your name').fill('Grace')
    await tab.getByLabel('Password').fill('another long password')
    await tab.getByRole('button', { name: 'Accept' }).click()
    await tab.getByText('Welcome to').waitFor()
    await tab.goto(invited.acceptUrl.replace(/^https?:\/\/[^/]+/, service.baseUrl))
    await tab.reload()
    await tab.getByText('This invitation was already used').waitFor()
    await guest.close()
  })

  test('the keyboard help opens with ?, and closes with Escape', async () => {
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await look('keyboard')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('the appearance is stored on the device', async () => {
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await page.reload()
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitemradio', { name: 'Same as device' }).click()
  })

  test(`the first page loads at most ${scriptBytesMax / 1024} KB of script, compressed, and nothing from other hosts`, async () => {
    const guest = await dashboard.openContext()
    const tab = await guest.newPage()
    let bytes = 0
    tab.on('response', async (response) => {
      if (response.request().resourceType() === 'script') bytes += gzipSync(await response.body()).length
    })
    const answer = await tab.goto(`${service.baseUrl}/app`)
    await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.ok(bytes > 0 && bytes <= scriptBytesMax, `${bytes} bytes`)
    const policy = answer?.headers()['content-security-policy'] ?? ''
    assert.match(policy, /script-src 'self';/)
    await guest.close()
    assert.deepEqual(dashboard.problems, [])
  })
})
