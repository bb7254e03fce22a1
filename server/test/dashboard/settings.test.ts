// Left to the soak: `dashboard/jobs` invites, `dashboard/widths` opens every page of the settings.
// Settings, members, the audit log, the proxy check and signing up, in the dashboard as people use
// them.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { startMailReceiver } from '../../src/api/testing/mail-receiver.ts'
import { openDashboard, password, type Dashboard } from '../support/dashboard.ts'
import { until } from '../support/service.ts'

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

const pictureFile = (buffer: Buffer) => ({ name: 'logo.png', mimeType: 'image/png', buffer })

// For the whole file: a server started in a hook ends with the hook.
const mailbox = await startMailReceiver()

describe('settings', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let orgId: string
  let look: Dashboard['look']
  /** For pages that show more of what others show too: only in the soak. */
  const lookLong: Dashboard['look'] = async (name) => (process.env['SOAK'] === '1' ? look(name) : undefined)

  before(async () => {
    dashboard = await openDashboard({ SMTP_URL: mailbox.url, SIGN_UP: 'open', TRUST_PROXY: '127.0.0.1' })
    ;({ page, orgId, look } = dashboard)
  })
  after(async () => dashboard.close())

  const button = (name: string, tab = page) => tab.getByRole('button', { name, exact: true })
  const item = (text: string, tab = page) => tab.getByRole('listitem').filter({ hasText: text })
  /** The link to a page of the dashboard in the last such mail to an address. */
  const mailedLink = (path: string, to: string): string => {
    const link = `/app/${path}#`
    const mail = mailbox.mails.findLast((one) => one.to === to && one.text.includes(link))
    return `${dashboard.service.baseUrl}${link}${mail?.text.split(link)[1]?.split('\n')[0] ?? assert.fail(`no ${link}`)}`
  }
  const openPart = async (path: string, tab = page) =>
    tab.goto(`${dashboard.service.baseUrl}/app/${orgId}/settings${path}`)

  test('name, public name and logo are changed, and pages show them', async () => {
    await dashboard.open('/codes')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Trattoria GmbH')
    await page.getByLabel('Name on your pages').fill('Trattoria da Lucia')
    await button('Save').click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('banner').getByText('Trattoria GmbH').waitFor()

    const chosen = page.locator('input[type=file]')
    await chosen.setInputFiles(pictureFile(Buffer.alloc(1024 * 1024 + 1)))
    await page.getByText('larger than 1 MB').waitFor()
    await chosen.setInputFiles(pictureFile(Buffer.from('this is no picture')))
    await page.getByRole('alert').getByText('logo').waitFor()
    const background = '#b3261e'
    const picture = sharp({ create: { width: 120, height: 60, channels: 3, background } })
    await chosen.setInputFiles(pictureFile(await picture.png().toBuffer()))
    await page.getByText('Logo saved. Your pages show it now.').waitFor()
    await button('Remove').click()
    await button('Undo').click()
    await button('Remove').waitFor()
    await look('settings')

    const code = await dashboard.client.qrCodes.create(orgId, {
      type: 'TEXT',
      name: 'Table 7',
      data: { text: 'Today: ravioli' },
    })
    const shown = await (await fetch(`${dashboard.service.baseUrl}/${code.shortCode}`)).text()
    assert.match(shown, /Trattoria da Lucia/)
    assert.match(shown, /<img[^>]+src="data:image\/webp/)
  })

  test('saved styles: the one for new codes, another name, deletion with undo', async () => {
    const { styles } = dashboard.client
    const red = await styles.create(orgId, { name: 'Red', style: { foregroundColor: '#8B0000' } })
    await styles.create(orgId, {
      name: 'Round',
      style: { dotStyle: 'dots', frame: { style: 'label-below', text: 'SCAN ME' } },
    })
    await page.reload()
    const choose = async (style: string, what: string) => {
      await button(`Actions for ${style}`).click()
      await page.getByRole('menuitem', { name: what }).click()
    }
    await choose('Red', 'Use for new codes')
    await item('Red').getByText('For new codes').waitFor()
    await choose('Red', 'Rename')
    await page.getByRole('dialog').getByLabel('Name').fill('House red')
    await button('Save', page).last().click()
    await item('House red').waitFor()
    assert.deepEqual(await styles.read(orgId, red.id).then(({ name, isDefault }) => [name, isDefault]), [
      'House red',
      true,
    ])
    await item('House red').scrollIntoViewIfNeeded()
    await lookLong('styles')
    await choose('Round', 'Delete')
    await item('Round').waitFor({ state: 'detached' })
    await button('Undo').last().click()
    await item('Round').waitFor()
    const { data } = await styles.list(orgId)
    assert.deepEqual(data.find(({ name }) => name === 'Round')?.style.dotStyle, 'dots')
  })

  test('all data is downloaded as one archive', async () => {
    const started = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download export' }).click()
    const download = await started
    assert.match(download.suggestedFilename(), /^Trattoria GmbH \d{4}-\d\d-\d\d\.zip$/)
    assert.equal((await readFile(await download.path())).subarray(0, 2).toString(), 'PK')
  })

  test('members are invited by a link, get another role or a link for a new password, and are removed', async () => {
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByText('1 member', { exact: true }).waitFor()
    const invite = async (to: string, role: string) => {
      await button('Invite someone').click()
      await page.getByLabel('E-mail address').fill(to)
      await page.getByLabel('Role', { exact: true }).selectOption(role)
      await button('Create invitation').click()
      await page.getByText(`Invitation for ${to}`).waitFor()
      return (await page.getByRole('status').locator('code').textContent()) ?? ''
    }
    const link = await invite('grace@example.com', 'VIEWER')
    assert.match(link, /\/app\/invitations#/)
    // The mail has another link, which confirms the address.
    assert.notEqual(mailedLink('invitations', 'grace@example.com'), link)
    await invite('mistaken@example.com', 'ADMIN')
    await item('mistaken@example.com').getByText('Admin', { exact: true }).waitFor()
    await lookLong('members-invited')
    await button('Withdraw: mistaken@example.com').click()
    await button('Withdraw invitation').click()
    await item('mistaken@example.com').waitFor({ state: 'detached' })

    const guest = await (await dashboard.openContext()).newPage()
    await guest.goto(link.replace(/^https?:\/\/[^/]+/, dashboard.service.baseUrl))
    await guest.getByLabel('Your name').fill('Grace')
    await guest.getByLabel('Password').fill(password)
    await button('Accept and sign in', guest).click()
    await guest.getByText('Welcome to Trattoria GmbH').waitFor()
    await guest.context().close()

    await button('Done').click()
    await page.reload()
    await item('Grace').waitFor()
    const role = page.getByLabel('Role of Grace')
    await role.selectOption('EDITOR')
    await page.getByText('Grace is now Editor.').waitFor()
    await button('Undo').click()
    await page.getByText('Grace is now Viewer.').waitFor()
    await until('the choice is back', async () => (await role.inputValue()) === 'VIEWER')
    await button('Actions for Grace').click()
    await page.getByRole('menuitem', { name: 'Create password link' }).click()
    await page.getByText('Password link for Grace').waitFor()
    assert.match((await page.getByRole('status').locator('code').textContent()) ?? '', /reset-password#/)
    await look('members')

    const linus = await dashboard.openAs({ email: 'linus@example.com', role: 'EDITOR' })
    await linus.context().close()
    await page.reload()
    await button('Actions for linus@example.com').click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await button('Remove member').click()
    await item('linus@example.com').waitFor({ state: 'detached' })
    await page
      .getByLabel(/Role of/)
      .first()
      .waitFor()
    // The last admin must stay admin.
    const own = item('You').getByRole('combobox')
    await own.selectOption('VIEWER')
    await button('Change my role').click()
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/only ADMIN/)
      .waitFor()
    await button('Cancel').click()
    assert.equal(await own.inputValue(), 'ADMIN')
  })

  test('the log states who changed what in sentences, and is filtered by person and kind in the URL', async () => {
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByText('invited “grace@example.com”').waitFor()
    await page.getByText('Grace joined the organization').waitFor()
    await page.getByText('created the code “Table 7”').waitFor()
    await look('audit-log')
    await page.getByLabel('Action', { exact: true }).selectOption('Style deleted')
    await item('invited').first().waitFor({ state: 'detached' })
    assert.match(
      (await page.getByRole('listitem').allTextContents()).join(),
      /^Administrator deleted the style “Round”[^“]*$/,
    )
    assert.match(page.url(), /action=style\.delete/)
    await page.getByLabel('Person', { exact: true }).selectOption('Grace')
    await page.getByText('No entry matches.').waitFor()
    await button('Show all entries').click()
    await page.getByLabel('Person', { exact: true }).selectOption('First key')
    await page.getByText('created the code “Table 7”').waitFor()
    await page.getByText('invited “grace@example.com”').waitFor({ state: 'detached' })
    await page.reload()
    const chosen = page.getByLabel('Person', { exact: true }).locator('option:checked')
    await chosen.filter({ hasText: 'First key' }).waitFor({ state: 'attached' })
  })

  test('the proxy check shows the connection, the setting, and whether all scans come from one network', async () => {
    await page.getByRole('link', { name: 'Proxy check' }).click()
    await page.getByText('directly, through no trusted proxy').waitFor()
    await page.getByText('Not enough scans yet').waitFor()
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': '198.51.100.7' })
    await button('Check again').click()
    await page.getByText('through 1 proxy: 127.0.0.1').waitFor()
    await lookLong('connection')
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': '198.51.100.7, 192.0.2.9' })
    await button('Check again').click()
    await page.getByText('TRUST_PROXY=127.0.0.1,192.0.2.9').waitFor()

    const scan = async (code: string, from: (at: number) => string, count: number) => {
      for (let at = 0; at < count; at++) {
        const headers = { 'user-agent': iphone, 'x-forwarded-for': from(at) }
        const url = `${dashboard.service.baseUrl}/${code}`
        await (await fetch(url, { headers, redirect: 'manual' })).arrayBuffer()
      }
    }
    const { data } = await dashboard.client.qrCodes.list(orgId)
    const code = data[0]?.shortCode ?? ''
    await scan(code, (at) => `203.0.113.${at % 250}`, 210)
    const { organizations } = dashboard.client
    const recent = async () => (await organizations.connection(orgId)).recentScans
    await until('the scans are counted', async () => ((await recent())?.scans ?? 0) >= 210)
    await button('Check again').click()
    await page.getByText('100 % came from one network').waitFor()
    await look('connection-one-network')
    assert.match(dashboard.service.output(), /nearly all recent scans come from one network/)
    await scan(code, (at) => `203.0.${at % 200}.7`, 200)
    await until('more scans are counted', async () => ((await recent())?.scans ?? 0) >= 410)
    await button('Check again').click()
    await page.getByText('That looks right.').waitFor()
    await page.setExtraHTTPHeaders({})
  })

  test('without copies, the page of copies says how to begin', async () => {
    await page.getByRole('link', { name: 'Copies' }).click()
    await page.getByText('No copies are made').waitFor()
    await page.getByText('BACKUP_DIR=/mnt/backup').waitFor()
    await button('Copy the settings').waitFor()
    await look('copies-none')
  })

  test('a VIEWER sees the organization and its members, changes nothing, creates another one, and leaves', async () => {
    const context = await dashboard.openContext()
    const tab = await context.newPage()
    await tab.goto(`${dashboard.service.baseUrl}/app`)
    await dashboard.signIn(tab, 'grace@example.com')
    await tab.getByRole('link', { name: 'Settings' }).click()
    await tab.getByLabel('Name', { exact: true }).waitFor()
    assert.equal(await button('Save', tab).count(), 0)
    for (const absent of ['Audit log', 'Proxy check', 'Download export'])
      assert.equal(await tab.getByRole('link', { name: absent }).count(), 0, absent)
    assert.equal(await tab.getByRole('button', { name: /Actions for/ }).count(), 0)
    await tab.getByRole('link', { name: 'Members' }).click()
    await tab.getByText('2 members').waitFor()
    assert.equal(await tab.getByRole('combobox').count(), 0)
    assert.equal(await button('Invite someone', tab).count(), 0)
    for (const part of ['/audit-log', '/connection']) {
      await openPart(part, tab)
      await tab.getByText('Only admins of the organization').waitFor()
    }

    await openPart('', tab)
    await button('Leave', tab).click()
    await button('Leave', tab).last().click()
    await tab.getByRole('heading', { name: 'You have no organization yet' }).waitFor()
    await tab.getByLabel('Name of the organization').fill('Grace & Co')
    await button('Create organization', tab).click()
    await tab.getByText('No codes yet').waitFor()
    await tab
      .getByRole('banner')
      .getByRole('button', { name: /Grace & Co/ })
      .click()
    await tab.getByRole('menuitem', { name: 'New organization' }).click()
    await tab.getByLabel('Name of the organization').fill('A second one')
    await button('Create organization', tab).click()
    await tab
      .getByRole('banner')
      .getByRole('button', { name: /A second one/ })
      .waitFor()
    await tab.getByRole('link', { name: 'Settings' }).click()
    await button('Leave', tab).click()
    await button('Leave', tab).last().click()
    // The last admin would leave the organization without one.
    await tab.getByRole('dialog').getByRole('alert').getByText(/ADMIN/).waitFor()
    await context.close()
  })

  test('a person signs up, confirms the address with the mailed link, and signs in', async () => {
    await page.context().clearCookies()
    await page.goto(`${dashboard.service.baseUrl}/app/sign-in`)
    await page.getByRole('link', { name: 'Create an account' }).waitFor()
    await lookLong('sign-in-open')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Your name').fill('Mary')
    await page.getByLabel('E-mail address').fill('mary@example.com')
    await page.getByLabel('Name of your organization').fill('\u0007')
    // The owner of the mailbox chooses the password.
    assert.equal(await page.getByLabel('Password').count(), 0)
    await button('Create account').click()
    await page.getByLabel('Name of your organization').and(page.locator('[aria-invalid=true]')).waitFor()
    await look('sign-up')
    await page.getByLabel('Name of your organization').fill('Bakery')
    await button('Create account').click()
    await page.getByText('Check your e-mail').waitFor()
    await page.goto(mailedLink('confirm-sign-up', 'mary@example.com'))
    await page.getByLabel('Password').fill('password12')
    await button('Confirm').click()
    await page.getByLabel('Password').and(page.locator('[aria-invalid=true]')).waitFor()
    await look('confirm-sign-up')
    await page.getByLabel('Password').fill(password)
    await button('Confirm').click()
    await page.getByText('Your address is confirmed').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await dashboard.signIn(page, 'mary@example.com')
    await page.getByRole('banner').getByText('Bakery').waitFor()
    assert.deepEqual(dashboard.problems, [])
  })

  test('the account page sends a link that confirms the address, in a session of the account only', async () => {
    const sendLink = button('E-mail me a link')
    await page.goto(`${page.url().replace(/\/codes.*/, '')}/account`)
    await page.getByText('Confirmed', { exact: true }).waitFor()
    assert.equal(await sendLink.count(), 0)

    await page.context().clearCookies()
    await dashboard.open('/account')
    await page.getByText('Not confirmed', { exact: true }).waitFor()
    await look('account-not-confirmed')
    await sendLink.click()
    await page.getByText(`A link is on its way to ${dashboard.email}`).waitFor()
    await lookLong('account-link-sent')
    const link = mailedLink('confirm-email', dashboard.email)

    const other = await dashboard.openContext()
    const tab = await other.newPage()
    await tab.goto(link)
    await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
    await dashboard.signIn(tab, 'mary@example.com')
    await tab.getByText('You are signed in as mary@example.com').waitFor()
    await button('Confirm', tab).click()
    await tab.getByText('belongs to another account').waitFor()
    await other.close()

    await page.context().clearCookies()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await dashboard.signIn(page)
    await page.getByText(`You are signed in as ${dashboard.email}`).waitFor()
    await look('confirm-email')
    await button('Confirm').click()
    await page.getByText('Your e-mail address is confirmed.').waitFor()
    await lookLong('confirm-email-done')
    await page.getByRole('link', { name: 'Go to your codes' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await dashboard.open('/account')
    await page.getByText('Confirmed', { exact: true }).waitFor()
    await page.getByText('E-mail address confirmed').waitFor()
    assert.deepEqual(dashboard.problems, [])
  })
})
