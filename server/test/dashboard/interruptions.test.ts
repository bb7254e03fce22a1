// Sessions that end, networks that fail and tabs that close while a person works in the dashboard.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Client, TypedQrCode } from '@everscan/client/create-client.ts'
import { TOTP } from 'otpauth'
import type { Locator, Page, Request, Route } from 'playwright-core'
import { accessibilityProblems } from '../support/browser.ts'
import { openDashboard, password, type Dashboard } from '../support/dashboard.ts'
import { phones } from '../support/phones.ts'
import { until } from '../support/service.ts'

const grace = 'grace@example.com'

describe('work that is interrupted', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let client: Client
  let orgId: string
  let poster: TypedQrCode
  /** Changes that the page sent, in order. */
  let sent: Request[] = []

  before(async () => {
    dashboard = await openDashboard({})
    ;({ page, client, orgId } = dashboard)
    poster = (await client.qrCodes.create(orgId, {
      type: 'URL',
      name: 'Poster',
      data: { url: 'https://example.com/' },
    })) as TypedQrCode
    await (await dashboard.openAs({ email: grace, role: 'EDITOR' })).context().close()
    page.on('request', (request) => {
      if (request.method() !== 'GET' && !request.url().includes('/auth/')) sent.push(request)
    })
  })
  after(async () => dashboard.close())

  const button = (name: string, of: Page | Locator = page) => of.getByRole('button', { name, exact: true })
  const field = (label: string, tab = page) => tab.getByLabel(label, { exact: true })
  const ended = (tab = page) => tab.getByRole('dialog', { name: 'Your session has ended' })
  const other = (tab = page) => tab.getByRole('dialog', { name: 'You are signed in to another account' })
  const bar = () => page.getByRole('banner').getByRole('status')
  const isSaved = async () => page.getByText('All changes saved').first().waitFor({ state: 'attached' })
  const focused = () =>
    page.evaluate<string>(
      'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent',
    )
  const names = async () =>
    (await client.qrCodes.history(orgId, poster.id)).data.map(
      ({ name, changedBy }) => `${name} ${changedBy.name}`,
    )

  const kept = async () => page.evaluate<string>('JSON.stringify(localStorage)')
  const offer = () => page.getByRole('heading', { name: 'You have an unfinished code' })

  const openPoster = async () => {
    await dashboard.open(`/codes/${poster.id}`)
    await field('Link').waitFor()
    sent = []
  }
  /** Ends the session elsewhere: the browser still has its cookie. */
  const revoke = async () => {
    const cookies = await page.context().cookies()
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const { baseUrl } = dashboard.service
    const headers = { cookie, origin: baseUrl }
    assert.equal((await fetch(`${baseUrl}/api/v1/auth/sign-out`, { method: 'POST', headers })).status, 200)
  }
  /** Ends the session by its age: the browser has dropped its cookie. */
  const expire = async () => page.context().clearCookies()
  const signInAgain = async (tab = page, typed = password) => {
    await ended(tab).getByLabel('Password', { exact: true }).fill(typed)
    await button('Sign in', ended(tab)).click()
  }
  const signInAs = async (tab: Page, as: string) => {
    await ended(tab).getByLabel('E-mail address').fill(as)
    await signInAgain(tab)
  }

  describe('a session that ends', () => {
    test('a save waits for the password, and is then sent once more, with everything typed', async () => {
      await openPoster()
      await revoke()
      await field('Name').fill('Poster 1')
      await button('Save changes').click()
      await ended().waitFor()
      assert.equal(await field('E-mail address').inputValue(), dashboard.email)
      assert.equal(await focused(), 'Password')
      assert.doesNotMatch((await page.textContent('body')) ?? '', /API key is|X-API-Key/)
      await dashboard.look('session-ended')
      // The window keeps the focus.
      for (let i = 0; i < 12; i++) await page.keyboard.press('Tab')
      assert.ok(
        await page.evaluate("document.querySelector('[role=dialog]').contains(document.activeElement)"),
      )
      await signInAgain(page, 'not the password')
      await ended().getByRole('alert').getByText('is wrong').waitFor()
      assert.equal(sent.length, 1)
      await page.getByLabel('Link', { exact: true }).evaluate((input) => input.setAttribute('data-same', '1'))
      await signInAgain()
      await ended().waitFor({ state: 'detached' })
      await isSaved()
      assert.deepEqual(
        sent.map((request) => request.method()),
        ['PUT', 'PUT'],
      )
      assert.equal(await field('Link').getAttribute('data-same'), '1')
      assert.equal((await names()).filter((name) => name.startsWith('Poster 1 ')).length, 1)
    })

    test('a new code is created once, with the key of the first attempt', async () => {
      await dashboard.open('/codes/new')
      await field('Link').fill('https://example.com/once')
      await expire()
      sent = []
      await field('Link').press('Enter')
      await ended().waitFor()
      await signInAgain()
      await page.getByRole('heading', { name: 'Your code is ready' }).waitFor()
      const keys = await Promise.all(sent.map((request) => request.headerValue('idempotency-key')))
      assert.equal(keys.length, 2)
      assert.equal(keys[0], keys[1])
      assert.equal((await client.qrCodes.list(orgId, { search: 'example.com' })).data.length, 1)
    })

    test('many requests that fail at once open one window', async () => {
      await openPoster()
      await revoke()
      await page.getByRole('link', { name: 'Settings' }).click()
      await ended().waitFor()
      await page.waitForTimeout(500)
      assert.equal(await page.getByRole('dialog').count(), 1)
      await signInAgain()
      await page.getByText('URL name').or(field('Name')).first().waitFor()
      assert.equal(await page.getByRole('dialog').count(), 0)
      assert.equal(await page.getByRole('alert').count(), 0)
    })

    test('whoever does not sign in reads on, and is told that nothing is saved', async () => {
      const held = Promise.withResolvers<void>()
      const readLate = async (route: Route) => {
        await held.promise
        await route.continue()
      }
      await page.route('**/history*', readLate, { times: 1 })
      await openPoster()
      await revoke()
      await field('Name').fill('Poster 2')
      await field('Name').press('Enter')
      await ended().waitFor()
      // A read that waits meanwhile is none that could be saved.
      const refused = page.waitForResponse(
        (response) => response.status() === 401 && response.url().includes('/history'),
      )
      held.resolve()
      await refused
      await page.keyboard.press('Escape')
      await bar().getByText('nothing is saved').waitFor()
      await page.getByText('Not saved, because your session has ended').waitFor()
      assert.equal(await field('Name').inputValue(), 'Poster 2')
      await until('the focus is given back', async () => (await focused()) === 'Name')
      assert.equal(sent.length, 1)
      await dashboard.look('session-left')
      // A read does not open the window again; a save does, also with the focus on its button.
      await button('Discard changes').click()
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('link', { name: 'Members' }).click()
      await page.getByText('Sign in to see this').first().waitFor()
      assert.equal(await page.getByRole('dialog').count(), 0)
      await page.goBack()
      await page.goBack()
      await field('Name').fill('Poster 2')
      await button('Save changes').click()
      await ended().waitFor()
      await button('Not now', ended()).click()
      await until('the button has the focus', async () => (await focused()) === 'Save changes')
      await button('Sign in', bar()).click()
      await signInAgain()
      await bar().getByText('nothing is saved').waitFor({ state: 'detached' })
      await button('Save changes').click()
      await isSaved()
    })

    test('a window over a window: its change is made once, and the focus stays in the upper one', async () => {
      await openPoster()
      await button('Organization: My organization').click()
      await page.getByRole('menuitem', { name: 'New organization' }).click()
      const lower = page.getByRole('dialog', { name: 'New organization' })
      await lower.getByLabel('Name of the organization').fill('Second')
      await revoke()
      await page.keyboard.press('Enter')
      await ended().waitFor()
      assert.equal(await focused(), 'Password')
      await dashboard.look('session-ended-over-dialog')
      await page.keyboard.press('Escape')
      await lower.getByRole('alert').getByText('Not saved').waitFor()
      assert.equal(await lower.getByLabel('Name of the organization').inputValue(), 'Second')
      await until('the focus is given back', async () => (await focused()) === 'Name of the organization')
      await page.keyboard.press('Enter')
      await signInAgain()
      await lower.waitFor({ state: 'detached' })
      await button('Organization: Second').waitFor()
      const organizations = await page.evaluate<unknown>(
        `fetch('/api/v1/users/me/organizations').then((answer) => answer.json())`,
      )
      assert.equal(JSON.stringify(organizations).split('"Second"').length - 1, 1)
    })

    test('an account with two-factor sign-in is asked for its code in the window', async () => {
      const tab = await (await dashboard.openContext()).newPage()
      await tab.goto(`${dashboard.service.baseUrl}/app/${orgId}/codes/${poster.id}`)
      await dashboard.signIn(tab, grace)
      await field('Name', tab).fill('Poster by Grace')
      const post = async <T>(path: string, body: unknown) =>
        tab.evaluate<T>(
          `fetch('/api/v1/users/me/${path}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${JSON.stringify(body)}' }).then((answer) => answer.json())`,
        )
      const { secret } = await post<{ secret: string }>('two-factor', { currentPassword: password })
      const code = (stepsAhead: number) =>
        new TOTP({ secret }).generate({ timestamp: Date.now() + stepsAhead * 30_000 })
      await post('two-factor/confirm', { code: code(-1) })
      await tab.context().clearCookies()
      await field('Name', tab).press('Enter')
      await signInAgain(tab)
      await ended(tab).getByLabel('Authenticator code').fill(code(0))
      assert.deepEqual(await accessibilityProblems(tab), [])
      await tab.keyboard.press('Enter')
      await tab.getByText('All changes saved').first().waitFor({ state: 'attached' })
      assert.match((await names())[0] ?? '', /^Poster by Grace /)
      const off = await tab.evaluate<number>(
        `fetch('/api/v1/users/me/two-factor', { method: 'DELETE', headers: { 'content-type': 'application/json' }, body: '${JSON.stringify({ currentPassword: password })}' }).then(({ status }) => status)`,
      )
      assert.equal(off, 200)
      await tab.context().close()
    })

    test('another tab that signs in lets this one go on', async () => {
      await openPoster()
      const second = await page.context().newPage()
      await second.goto(`${dashboard.service.baseUrl}/app/${orgId}/codes`)
      await second.getByRole('searchbox').waitFor()
      await revoke()
      await field('Name').fill('Poster 3')
      await button('Save changes').click()
      await ended().waitFor()
      await second.reload()
      await dashboard.signIn(second)
      await isSaved()
      assert.equal(await page.getByRole('dialog').count(), 0)
      await second.close()
    })

    test('another account sends nothing that this one typed', async () => {
      await openPoster()
      await revoke()
      await field('Name').fill('Poster 4')
      await button('Save changes').click()
      await signInAs(page, grace)
      await other().getByText(`What you typed here as ${dashboard.email} was not sent.`).waitFor()
      await dashboard.look('session-other-account')
      await page.keyboard.press('Escape')
      assert.ok(await other().isVisible())
      assert.equal(sent.length, 1)
      await button(`Sign in as ${dashboard.email}`).click()
      await signInAgain()
      await isSaved()
      assert.match((await names())[0] ?? '', /^Poster 4 (?!Grace)/)

      // In another tab: nothing was refused, but the cookie is that of another account.
      await field('Name').fill('Poster 5')
      const second = await page.context().newPage()
      await second.goto(`${dashboard.service.baseUrl}/app/${orgId}/codes`)
      await button('Your account', second).click()
      await second.getByRole('menuitem', { name: 'Sign out' }).click()
      await dashboard.signIn(second, grace)
      await other().waitFor()
      // No part of the page sends anything in the name of the other account.
      sent = []
      await page.evaluate("document.querySelector('form#code-editor').requestSubmit()")
      await page.waitForTimeout(300)
      assert.equal(sent.length, 0)
      await button(`Continue as ${grace}`).click()
      await other().waitFor({ state: 'detached' })
      await field('Name').waitFor()
      assert.equal(await field('Name').inputValue(), 'Poster 4')
      assert.equal(sent.length, 0)
      await second.close()
      await page.context().clearCookies()
    })

    test('an answer that was asked for before another account signed in does not count', async () => {
      await openPoster()
      await revoke()
      await field('Name').fill('Poster 6')
      await button('Save changes').click()
      await ended().waitFor()
      const fetched = Promise.withResolvers<void>()
      const held = Promise.withResolvers<void>()
      const answerLate = async (route: Route) => {
        const response = await route.fetch()
        fetched.resolve()
        await held.promise
        await route.fulfill({ response })
      }
      await page.route('**/api/v1/users/me', answerLate, { times: 1 })
      await page.evaluate("dispatchEvent(new Event('focus'))")
      await fetched.promise
      const second = await page.context().newPage()
      await second.goto(`${dashboard.service.baseUrl}/app/${orgId}/codes`)
      await dashboard.signIn(second, grace)
      await other().waitFor()
      held.resolve()
      await button(`Continue as ${grace}`).waitFor()
      await second.close()
      await page.context().clearCookies()
    })
  })

  describe('a network that fails', () => {
    afterEach(async () => page.context().setOffline(false))

    test('offline, the page says so; a save waits and is sent when the network is back', async () => {
      await openPoster()
      // The network goes just after the first answer to the question whether it is there.
      const lastAnswer = page.waitForResponse('**/api/v1/auth/options')
      await page.route('**/api/v1/auth/options', (route) => route.fulfill({ json: {} }), { times: 1 })
      await page.context().setOffline(true)
      await lastAnswer
      await bar().getByText('You’re offline.').waitFor()
      await bar().getByText('saving waits').waitFor()
      await dashboard.look('offline')
      await field('Name').fill('Poster 6')
      await button('Save changes').click()
      await page.getByText('Waiting for the connection').waitFor()
      await bar().getByText('waits here until it works again').waitFor()
      // A part of the dashboard that was not loaded yet breaks nothing.
      await page.getByText('On a phone', { exact: true }).click()
      await page.waitForTimeout(300)
      assert.equal(await field('Name').inputValue(), 'Poster 6')
      sent = []
      await page.context().setOffline(false)
      await isSaved()
      assert.equal(sent.length, 1)
      await bar().getByText('You’re offline.').waitFor({ state: 'detached' })
      assert.equal((await client.qrCodes.read(orgId, poster.id)).name, 'Poster 6')
    })

    test('what cannot be sent twice is not sent at all before the network is back', async () => {
      await openPoster()
      await page.context().setOffline(true)
      await bar().getByText('You’re offline.').waitFor()
      await button('Organization: My organization').click()
      await page.getByRole('menuitem', { name: 'New organization' }).click()
      const window = page.getByRole('dialog', { name: 'New organization' })
      await window.getByLabel('Name of the organization').fill('Third')
      await page.keyboard.press('Enter')
      await page.waitForTimeout(300)
      assert.equal(sent.length, 0)
      await page.context().setOffline(false)
      await window.waitFor({ state: 'detached' })
      await button('Organization: Third').waitFor()
      assert.deepEqual(
        sent.map((request) => new URL(request.url()).pathname).filter((path) => !path.endsWith('/checks')),
        ['/api/v1/organizations'],
        'once, beside the new organization’s check of the public address',
      )
    })

    test('a service that restarts is no missing network; the save is sent and the stream goes on', async () => {
      const live = await page.context().newPage()
      const isLive = async () => live.getByText('Scans appear here as they happen').waitFor()
      await live.goto(`${dashboard.service.baseUrl}/app/${orgId}/codes/${poster.id}/analytics`)
      const scan = async () =>
        fetch(`${dashboard.service.baseUrl}/${poster.shortCode}`, {
          redirect: 'manual',
          headers: { 'user-agent': phones[0] },
        })
      await scan()
      await live.reload()
      await isLive()
      await openPoster()
      await field('Name').fill('Poster 7')
      await dashboard.service.stop()
      await button('Save changes').click()
      await bar().getByText('is not answering').waitFor()
      await bar().getByText('waits here until it works again').waitFor()
      await dashboard.look('unreached')
      assert.equal(await field('Name').inputValue(), 'Poster 7')
      dashboard.service.launch()
      await dashboard.service.waitUntilReady()
      await page.getByText('All changes saved').first().waitFor({ state: 'attached', timeout: 20_000 })
      await bar().getByText('is not answering').waitFor({ state: 'detached' })
      assert.equal((await client.qrCodes.read(orgId, poster.id)).name, 'Poster 7')
      await live.bringToFront()
      await isLive()
      await live.close()
    })
  })

  describe('drafts of new codes', () => {
    test('drafts survive a reload and a closed tab, and are gone when the code is created', async () => {
      await dashboard.open('/codes/new')
      await field('Link').fill('https://example.com/draft')
      await field('Name').fill('Half a code')
      await page.reload()
      await offer().waitFor()
      await page.getByText('“Half a code” (Link)').waitFor()
      await dashboard.look('unfinished-code')
      const second = await page.context().newPage()
      await second.goto(page.url())
      await button('Continue', second).click()
      assert.equal(await field('Link', second).inputValue(), 'https://example.com/draft')
      assert.deepEqual(await accessibilityProblems(second), [])
      await second.close()
      await button('Continue').click()
      assert.equal(await field('Name').inputValue(), 'Half a code')
      // Nothing is lost, so nobody is asked.
      await page.getByRole('link', { name: 'Codes' }).click()
      await page.getByText('Your unfinished code is kept').waitFor()
      await dashboard.open('/codes/new')
      await button('Continue').click()
      await button('Create code').click()
      await page.getByRole('heading', { name: 'Your code is ready' }).waitFor()
      assert.doesNotMatch(await kept(), /Half a code/)
      await dashboard.open('/codes/new')
      await field('Link').fill('https://example.com/thrown-away')
      await page.reload()
      await button('Start new').click()
      assert.equal(await field('Link').inputValue(), '')
      await page.reload()
      await field('Link').waitFor()
      assert.equal(await offer().count(), 0)
    })

    test('drafts have no password, and go when the user signs out', async () => {
      await dashboard.open('/codes/new?type=WIFI')
      await field('Network name').fill('Guests')
      await field('Password').fill('basilico-2026')
      await until('it is kept', async () => /Guests/.test(await kept()))
      assert.doesNotMatch(await kept(), /basilico/)
      // Something would be lost, so the user is asked.
      await page.getByRole('link', { name: 'Codes' }).click()
      await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
      await button('Leave without saving').click()
      await dashboard.open('/codes/new')
      await page.getByText('Passwords are not kept').waitFor()
      await button('Your account').click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      const question = page.getByRole('dialog', { name: 'Sign out and lose your work?' })
      await question.waitFor()
      await dashboard.look('sign-out-with-draft')
      await button('Sign out', question).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      assert.doesNotMatch(await kept(), /Guests/)
    })

    test('drafts of one account are not offered to another', async () => {
      await dashboard.open('/codes/new')
      await field('Link').fill('https://example.com/ada')
      await until('it is kept', async () => /example.com\/ada/.test(await kept()))
      await page.context().clearCookies()
      await page.goto(`${dashboard.service.baseUrl}/app/${orgId}/codes/new`)
      await dashboard.signIn(page, grace)
      await field('Link').waitFor()
      assert.equal(await offer().count(), 0)
      assert.deepEqual(dashboard.problems, [])
    })
  })
})
