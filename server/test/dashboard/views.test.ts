// Left to the soak: `api/views` has views, mails and who may read them.
// Saved views, public links, mails and reports on paper, in a browser, on a started service.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { startMailReceiver, type ReceivedMail } from '../../src/api/testing/mail-receiver.ts'
import { accessibilityProblems, screenshotPath } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { phones } from '../support/phones.ts'
import { until } from '../support/service.ts'

const stepsMax = 4
const scansMade = 45
const sharePassword = 'figures of spring'
const addresses = ['81.169.181.179', '8.8.8.8', '2a01:4f8::1', '192.0.2.1']
const written = (count: number): string => count.toLocaleString('en-GB')
const receiver = await startMailReceiver()

/** The mails of the view, which are not the only ones that the suite receives. */
const isQuestion = ({ subject }: ReceivedMail): boolean => subject.startsWith('A question from ')
const questions = (): ReceivedMail[] => receiver.mails.filter(isQuestion)
const boardMails = (): ReceivedMail[] =>
  receiver.mails.filter((mail) => /^(boss|cfo)@/.test(mail.to) && !isQuestion(mail))

const figure = (tab: Page, name: string): Locator =>
  tab.locator('dl > div').filter({ hasText: name }).locator('dd').first()
const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

/** Checks a page of visitors in three widths: nothing is cut, axe reports nothing. */
async function look(tab: Page, name: string): Promise<void> {
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [744, 'light'],
    [1280, 'light'],
  ] as const) {
    await tab.setViewportSize({ width, height: 844 })
    await tab.emulateMedia({ colorScheme })
    await tab.screenshot({ path: screenshotPath(`views-${name}-${width}`), fullPage: true })
    assert.ok(Number(await tab.evaluate('document.documentElement.scrollWidth')) <= width, `${name} ${width}`)
    assert.deepEqual(await accessibilityProblems(tab), [], `${name} ${width}`)
  }
}

describe('views in the dashboard', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let orgId: string
  let visitors: BrowserContext

  before(async () => {
    dashboard = await openDashboard({
      TRUST_PROXY: '127.0.0.1',
      RATE_LIMIT_PER_MINUTE: '0',
      SMTP_URL: receiver.url,
    })
    ;({ page, orgId } = dashboard)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    visitors = await dashboard.openContext()
    const long = 'Poster at the main station, platform 3, beside the ticket machines and the bakery'
    const codes = await Promise.all(
      [long, ...Array.from({ length: 11 }, (_, index) => `Table card ${index + 1}`)].map((name) =>
        dashboard.client.qrCodes.create(orgId, {
          type: 'URL',
          name,
          data: { url: 'https://example.com/' },
        }),
      ),
    )
    for (let index = 0; index < scansMade; index++) {
      const answer = await fetch(`${dashboard.service.baseUrl}/${codes[index % 12]?.shortCode}`, {
        redirect: 'manual',
        headers: {
          'user-agent': phones[index % phones.length] ?? '',
          'x-forwarded-for': addresses[index % addresses.length] ?? '',
        },
      })
      assert.equal(answer.status, 302)
    }
    await until('all scans are in analytics', async () => {
      const { summary } = await dashboard.client.analytics.ofOrganization(orgId)
      return summary.totalScans + summary.botScans === scansMade
    })
  })
  after(async () => dashboard.close())

  const choose = async (name: RegExp): Promise<void> => {
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  /** The service says `localhost`, which is another site than that of the test's session. */
  const here = (url: string): string => {
    const { pathname, hash } = new URL(url)
    return `${dashboard.service.baseUrl}${pathname}${hash}`
  }
  const copied = async (): Promise<string> =>
    here(String(await page.evaluate('navigator.clipboard.readText()')))

  test('figures get to a boss in a few steps, who reads the same ones without an account', async (t) => {
    await dashboard.open('/analytics')
    await page.getByRole('table', { name: 'All codes' }).waitFor()
    const startedMs = performance.now()
    let steps = 0
    const press = async (button: Locator): Promise<void> => {
      steps++
      await button.click()
    }
    await press(page.getByRole('button', { name: 'Views' }))
    await press(page.getByRole('menuitem', { name: /^Share these/ }))
    await press(page.getByRole('button', { name: 'Create and copy link' }))
    await page.getByText('Link copied').waitFor()
    const url = await copied()
    const seconds = (performance.now() - startedMs) / 1000
    t.diagnostic(`JOB figures to a boss: ${steps} steps, ${seconds.toFixed(1)} seconds`)
    assert.ok(steps <= stepsMax)
    assert.match(url, new RegExp(`^${dashboard.service.baseUrl}/app/share/[\\w-]{43}$`))
    await dashboard.look('views-link')
    await page.keyboard.press('Escape')

    const tab = await visitors.newPage()
    const asked: string[] = []
    tab.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const opened = await tab.goto(url)
    assert.equal(opened?.headers()['x-robots-tag'], 'noindex')
    assert.equal(opened?.headers()['cache-control'], 'private, no-store')
    assert.equal(opened?.headers()['referrer-policy'], 'no-referrer')
    await tab.getByRole('heading', { name: 'All codes, Last 30 days' }).waitFor()
    const { summary, topQrCodes } = await dashboard.client.analytics.ofOrganization(orgId)
    assert.equal(await figure(tab, 'Unique scans').textContent(), written(summary.uniqueScans))
    assert.equal(
      await tab.locator('dl > div').first().locator('dd').textContent(),
      written(summary.totalScans),
    )
    const codes = tab.locator('section').filter({ hasText: 'Most scanned codes' }).locator('li')
    const counts = await codes.locator('span.font-medium').allTextContents()
    assert.deepEqual(
      counts.map(Number),
      topQrCodes.map(({ scans }) => scans),
    )
    await tab.getByText(/^As of /).waitFor()
    // Of the API only the figures, and no script of the dashboard.
    assert.deepEqual(
      asked.filter((path) => path.startsWith('/api/')),
      [`/api/v1/shared-views/${tokenOf(url)}`],
    )
    const ofDashboard = asked.filter((path) => /\/(index|api|session|useRouter|link|dialog)-/.test(path))
    assert.deepEqual(ofDashboard, [])
    await look(tab, 'shared')
    await tab.close()
  })

  test('a report is one page of A4, from the link and from the page of analytics', async () => {
    await dashboard.client.organizations.update(orgId, { publicName: 'Railway Café Ltd' })
    const [view] = (await dashboard.client.views.list(orgId)).data
    const tab = await visitors.newPage()
    await tab.emulateMedia({ colorScheme: 'dark' })
    await tab.goto(here(view?.public?.url ?? ''))
    await tab.getByText('Most scanned codes').waitFor()
    await dashboard.open('/analytics')
    await page.getByRole('table', { name: 'All codes' }).waitFor()
    for (const [name, printed] of [
      ['link', tab],
      ['analytics', page],
    ] as const) {
      const pdf = await printed.pdf({ preferCSSPageSize: true, printBackground: false })
      await writeFile(screenshotPath(`views-paper-${name}`).replace(/png$/, 'pdf'), pdf)
      const text = pdf.toString('latin1')
      assert.equal(text.match(/\/Type\s*\/Page\b/g)?.length, 1, name)
      const [, width = 0, height = 0] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(text)?.map(Number) ?? []
      assert.ok(Math.abs(width - 595) < 1 && Math.abs(height - 842) < 1, `${width} x ${height} points`)
    }
    // The page is the same as before, once it is printed.
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    assert.equal(await page.locator('.report').count(), 0)
    await tab.close()
  })

  test('a password is asked for; a new link ends the old one; the end is friendly', async () => {
    await dashboard.open('/analytics?period=7d&os=iOS')
    await page.getByRole('button', { name: 'Remove the filter Operating system: iOS' }).waitFor()
    await choose(/^Share these/)
    await page.getByLabel('Name', { exact: true }).fill('iPhones of the week')
    await page.getByLabel('Password (optional)').fill(sharePassword)
    await page.getByRole('button', { name: 'Create and copy link' }).click()
    await page.getByText('Link copied').waitFor()
    const url = await copied()
    const tab = await visitors.newPage()
    await tab.goto(url)
    await tab.getByRole('heading', { name: 'This page is protected by a password' }).waitFor()
    await look(tab, 'password')
    await tab.getByLabel('Password').fill('figures of autumn')
    await tab.getByRole('button', { name: 'Open' }).click()
    await tab.getByText('The password is wrong.').waitFor()
    await tab.getByLabel('Password').fill(sharePassword)
    await tab.keyboard.press('Enter')
    await tab.getByRole('heading', { name: 'iPhones of the week' }).waitFor()
    await tab.getByText('Operating system: iOS').waitFor()
    const filtered = await dashboard.client.analytics.ofOrganization(orgId, { os: ['iOS'] })
    assert.equal(
      await tab.locator('dl > div').first().locator('dd').textContent(),
      written(filtered.summary.totalScans),
    )
    // The cookie opens it again.
    await tab.reload()
    await tab.getByRole('heading', { name: 'iPhones of the week' }).waitFor()

    await page.getByRole('button', { name: 'New link' }).click()
    await page.getByRole('button', { name: 'Replace link' }).click()
    await page.getByText('Changes saved').waitFor()
    const renewed = here(await page.getByLabel('Link', { exact: true }).inputValue())
    assert.notEqual(renewed, url)
    await tab.goto(url)
    await tab.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    await look(tab, 'over')
    await page.getByRole('button', { name: 'Remove the password' }).click()
    await page.getByText('Remove the password').waitFor({ state: 'detached' })
    await tab.goto(renewed)
    await tab.getByRole('heading', { name: 'iPhones of the week' }).waitFor()
    await page.getByRole('button', { name: 'Stop sharing' }).click()
    await page.getByRole('heading', { name: 'Stop sharing?' }).waitFor()
    await page.getByRole('button', { name: 'Stop sharing' }).click()
    await page.getByRole('button', { name: 'Create and copy link' }).waitFor()
    await tab.reload()
    await tab.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    await page.keyboard.press('Escape')
    await tab.close()
  })

  test('views are saved, opened, renamed, updated and deleted; a viewer only opens them', async () => {
    await dashboard.open('/analytics?period=90d&country=DE')
    await page.getByRole('button', { name: 'Remove the filter Country: Germany' }).waitFor()
    await choose(/^Save this view/)
    await page.getByLabel('Name', { exact: true }).fill('Germany')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved the view “Germany”').waitFor()
    await dashboard.open('/analytics')
    await choose(/^Germany$/)
    await page.getByRole('button', { name: 'Remove the filter Country: Germany' }).waitFor()
    assert.equal(await page.getByLabel('Period', { exact: true }).inputValue(), 'last-90-days')

    await page.getByRole('button', { name: 'Remove the filter Country: Germany' }).click()
    await choose(/^Manage views/)
    await dashboard.look('views-manage')
    const act = async (name: RegExp, view = 'Germany'): Promise<void> => {
      await page.getByRole('button', { name: `Actions for ${view}` }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await act(/^Update/)
    await page.getByRole('button', { name: 'Update view' }).click()
    await act(/^Rename/)
    await page.getByLabel('Name', { exact: true }).fill('Quarter')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Actions for Quarter' }).waitFor()
    const views = async () => (await dashboard.client.views.list(orgId)).data
    const quarter = (await views()).find(({ name }) => name === 'Quarter')
    const { period, country } = quarter?.query ?? {}
    assert.deepEqual([period, country], ['last-90-days', undefined])

    const tab = await dashboard.openAs({ email: 'vera@example.com', role: 'VIEWER' })
    await tab.goto(`${dashboard.service.baseUrl}/app/${orgId}/views/${quarter?.id}`)
    await tab.getByRole('button', { name: 'Views' }).click()
    await tab.getByRole('menuitem', { name: 'Quarter' }).waitFor()
    assert.equal(await tab.getByRole('menuitem', { name: /Share|Save this|Send/ }).count(), 0)
    assert.match(tab.url(), /\/analytics\?.*period=last-90-days/)

    await act(/^Delete/, 'Quarter')
    await page.getByRole('button', { name: 'Delete view' }).click()
    await page.getByRole('button', { name: 'Actions for Quarter' }).waitFor({ state: 'detached' })
    await until('it is deleted', async () => (await views()).every(({ name }) => name !== 'Quarter'))
    await page.keyboard.press('Escape')
  })

  test('a view is mailed to readers who said yes, now and every week, and one takes the own address off the list', async () => {
    await dashboard.open('/analytics')
    await choose(/^Send by e-mail/)
    await page.getByLabel('Name', { exact: true }).fill('For the board')
    const to = page.getByLabel('E-mail addresses')
    await to.fill('boss@example.com, nonsense')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('2: Must be an e-mail address.').waitFor()
    assert.equal(await page.getByText('mail.to').count(), 0)
    await to.fill('boss@example.com\ncfo@example.com')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('E-mails are set up').waitFor()
    await page.getByRole('button', { name: 'Send one now' }).click()
    await until('both are asked', async () => questions().length === 2)
    await page.getByText('No answer yet').nth(1).waitFor()
    await dashboard.look('views-mail')
    assert.equal(boardMails().length, 0)
    const tab = await visitors.newPage()
    for (const { text } of questions()) {
      await tab.goto(here(/\S+\/app\/mails\/\S+/.exec(text)?.[0] ?? ''))
      await tab.getByRole('heading', { name: 'Do you want these mails?' }).waitFor()
      await tab.getByRole('button', { name: 'Yes, send them' }).click()
      await tab.getByRole('heading', { name: 'You get these mails' }).waitFor()
    }
    await page.getByText('Said yes').nth(1).waitFor()
    await page.getByRole('button', { name: 'Send one now' }).click()
    await until('both mails arrive', async () => boardMails().length === 2)
    await page.getByText(/^Last sent: /).waitFor()
    const { summary } = await dashboard.client.analytics.ofOrganization(orgId)
    const mail = boardMails().find((one) => one.to === 'boss@example.com')
    assert.match(mail?.text ?? '', new RegExp(`\nScans: ${written(summary.totalScans)}\n`))
    const leaveUrl = /\S+\/app\/mails\/\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    await tab.goto(here(leaveUrl))
    await tab.getByRole('heading', { name: 'Stop these mails?' }).waitFor()
    await look(tab, 'answer')
    // A mail of an earlier release has this link.
    await tab.goto(here(leaveUrl).replace('/app/mails/', '/app/leave-mail#'))
    await tab.getByRole('heading', { name: 'Stop these e-mails?' }).waitFor()
    await look(tab, 'leave')
    await tab.getByRole('button', { name: 'Stop e-mails to me' }).click()
    await tab.getByRole('heading', { name: 'Your address is off the list' }).waitFor()
    const [view] = (await dashboard.client.views.list(orgId)).data
    assert.deepEqual([view?.mail?.to, view?.mail?.every], [['cfo@example.com'], 'week'])
    await page.getByRole('button', { name: 'Stop e-mails' }).click()
    await page.getByRole('button', { name: 'Stop e-mails' }).click()
    await until('the mail ends', async () => {
      const [ended] = (await dashboard.client.views.list(orgId)).data
      return ended?.mail === null
    })
    await tab.close()
  })

  test('totals and scans of the page are files, of all codes and of one', async () => {
    const [code] = (await dashboard.client.qrCodes.list(orgId, { sort: 'totalScans', limit: 1 })).data
    for (const path of ['/analytics', `/codes/${code?.id}/analytics`]) {
      await dashboard.open(path)
      await page.getByRole('button', { name: 'Export' }).click()
      const hrefs = await page
        .getByRole('menuitem')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
      const types = await Promise.all(
        hrefs.map(async (href) => {
          const answer = await page.request.get(new URL(href, dashboard.service.baseUrl).href)
          return `${answer.status()} ${answer.headers()['content-type']?.replace(/;.*/, '')}`
        }),
      )
      assert.deepEqual(types, ['200 text/csv', '200 text/csv', '200 application/json'], path)
    }
    assert.deepEqual(dashboard.problems, [])
  })
})
