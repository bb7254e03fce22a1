// Every page of the dashboard on narrow screens, and magnified: 1280 px at 200 % are 640.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { accessibilityProblems } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { phones } from '../support/phones.ts'
import { until } from '../support/service.ts'

const isSoak = process.env['SOAK'] === '1'
/**
 * Where layouts change, and the narrowest phone. 625 and 753 are 640 and 768 beside a scroll bar.
 */
const widths = isSoak ? [360, 390, 625, 640, 660, 744, 753, 768, 1024, 1280] : [360, 625, 753]
/** German has the longest words; the others are measured in the soak. */
const languages = isSoak ? (['en', 'de', 'fr', 'es'] as const) : (['de'] as const)
const accounts = { en: 'Your account', de: 'Ihr Konto', fr: 'Votre compte', es: 'Su cuenta' } as const
const long = 'Schaufensterbeschriftungsverordnung der Niederlassung Donaueschingen am Bahnhof'

describe('the dashboard at any width', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  /** An address for each route. */
  let addresses: Readonly<Record<string, string>>

  before(async () => {
    dashboard = await openDashboard({ SIGN_UP: 'open' })
    const { client, orgId, service, page } = dashboard
    await client.organizations.update(orgId, { name: long })
    const folder = await client.folders.create(orgId, { name: long })
    const code = await client.qrCodes.create(orgId, {
      type: 'URL',
      name: long,
      data: { url: `https://example.com/${'destination-'.repeat(20)}` },
      folderId: folder.id,
      tags: [long.slice(0, 50)],
    })
    const webhook = await client.webhooks.create(orgId, {
      url: `https://example.com/${'receiver-'.repeat(20)}`,
      events: ['qr.created'],
    })
    await client.invitations.create(orgId, {
      email: `${'a-long-name-'.repeat(4)}@example.com`,
      role: 'EDITOR',
    })
    await client.domains.create(orgId, {
      hostname: `${'a-long-label-of-a-name.'.repeat(8)}example.com`,
      rootUrl: `https://example.com/${'home-'.repeat(30)}`,
    })
    const deleted = await client.qrCodes.create(orgId, { type: 'TEXT', name: long, data: { text: long } })
    await client.qrCodes.delete(orgId, deleted.id, { bin: true })
    const view = await client.views.create(orgId, { name: long, query: { period: 'last-90-days' } })
    const file = new Blob([`name,url\n${long},https://example.com/\n${long},not an address\n`])
    const { id: jobId } = await client.imports.start(orgId, { type: 'URL', file, fileName: `${long}.csv` })
    await client.imports.waitFor(orgId, jobId)
    const links = `slug,url\n${long.slice(0, 32).replaceAll(/\W/g, '-')},https://example.com/${'x'.repeat(300)}\n${'a'.repeat(99)},b\n`
    const { id: moveId } = await client.moves.start(orgId, {
      source: 'csv',
      file: links,
      fileName: `${long}.csv`,
    })
    await client.moves.waitFor(orgId, moveId)
    await fetch(code.shortUrl.replace(/^https?:\/\/[^/]+/, service.baseUrl), {
      redirect: 'manual',
      headers: { 'user-agent': phones[0] },
    })
    await until('the scan is counted', async () => {
      const { summary } = await client.analytics.ofOrganization(orgId)
      return summary.totalScans > 0
    })
    await dashboard.open('/codes')
    await page.getByRole('searchbox').waitFor()
    const below = {
      '/codes': '',
      '/bin': '',
      '/codes/new': '',
      '/codes/table': '',
      '/codes/$codeId': `/codes/${code.id}`,
      '/codes/$codeId/analytics': `/codes/${code.id}/analytics`,
      '/analytics': '',
      '/views/$viewId': `/views/${view.id}`,
      '/imports': `/imports?job=${jobId}`,
      '/imports/move': `/imports/move?job=${moveId}`,
      '/account': '',
      '/developers': '',
      '/developers/webhooks': '',
      '/developers/webhooks/$webhookId': `/developers/webhooks/${webhook.id}`,
      '/settings': '',
      '/settings/members': '',
      '/settings/domains': '',
      '/settings/audit-log': '',
      '/settings/connection': '',
      '/settings/copies': '',
    }
    addresses = {
      ...Object.fromEntries(
        Object.entries(below).map(([path, address]) => [path, `/${orgId}${address === '' ? path : address}`]),
      ),
      '/$orgId': `/${orgId}/nowhere`,
      '/': '',
      '/new-organization': '/new-organization',
      '/confirm-email': '/confirm-email',
      '/sign-in': '/sign-in',
      '/reset-password': '/reset-password',
      '/invitations': '/invitations',
      '/sign-up': '/sign-up',
      '/confirm-sign-up': '/confirm-sign-up',
    }
  })
  after(async () => dashboard.close())

  for (const language of languages)
    test(`${language}: no page is wider than the screen, its account button is there, no words are cut, axe finds nothing`, async () => {
      await dashboard.page.evaluate(`localStorage.setItem('everscan-language', '${language}')`)
      await measureAll(accounts[language])
    })

  async function measureAll(account: string): Promise<void> {
    const routes = readFileSync(new URL('../../../web/src/routes.tsx', import.meta.url), 'utf8')
    const paths = [...routes.matchAll(/^ {2}path: '([^']+)'/gm)].map(([, path]) => path ?? '')
    assert.deepEqual(paths.toSorted(), Object.keys(addresses).toSorted())
    const { page, service } = dashboard
    const wrong: string[] = []
    for (const [path, address] of Object.entries(addresses)) {
      await page.goto(`${service.baseUrl}/app${address}`)
      await page.getByRole('heading').first().waitFor()
      await page.waitForLoadState('load')
      await until(
        'the page is loaded',
        async () => (await page.locator('[role=status][aria-label]').count()) === 0,
      )
      // Cards that are read after the page.
      await page.waitForTimeout(250)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 })
        const found = await page.evaluate<string[]>(measureFor(account))
        wrong.push(...found.map((problem) => `${path} at ${width} px: ${problem}`))
      }
      const problems = await accessibilityProblems(page)
      wrong.push(...problems.map((problem) => `${path}: ${problem}`))
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual(dashboard.problems, [])
  }
})

/** Lists what is cut off or beside the screen, once the layout has settled. */
const measureFor = (
  account: string,
): string => `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const wide = document.documentElement
  const width = innerWidth
  const isOut = ({ left, right }) => left < 0 || right > width
  const outside = [...document.querySelectorAll('body *')].filter((one) => isOut(one.getBoundingClientRect()))
  const found =
    wide.scrollWidth > width ? ['is ' + wide.scrollWidth + ' px wide: ' + (outside.at(-1)?.outerHTML ?? '').slice(0, 200)] : []
  const account = document.querySelector('[aria-label="${account}"]')
  if (document.querySelector('header') && (!account || isOut(account.getBoundingClientRect())))
    found.push('the account button is not on the screen')
  const menu = document.querySelector('header button')
  if (menu && menu !== account && menu.getBoundingClientRect().width < 80)
    found.push('the name of the organization is cut to nothing')
  for (const list of document.querySelectorAll('main :not(pre), header *'))
    if (/auto|scroll/.test(getComputedStyle(list).overflowX) && list.scrollWidth > list.clientWidth + 1)
      found.push(list.tagName + ' "' + list.className + '" has ' + (list.scrollWidth - list.clientWidth) + ' px out of sight')
  const logo = document.querySelector('header a[href] img')?.parentElement
  if (logo && menu && logo.clientWidth > 0 && logo.scrollWidth > logo.parentElement.clientWidth + 1)
    found.push('the logo is under the name of the organization')
  const pen = document.createElement('canvas').getContext('2d')
  for (const choice of document.querySelectorAll('select')) {
    const text = choice.selectedOptions[0]?.text ?? ''
    const style = getComputedStyle(choice)
    if (choice.clientWidth === 0 || text.includes('${long.slice(0, 12)}')) continue
    pen.font = style.font
    const room = choice.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    if (pen.measureText(text).width > room + 1) found.push('the choice "' + text + '" is cut off')
  }
  for (const name of document.querySelectorAll('button[aria-pressed] .truncate'))
    if (!name.closest('[title]') && name.scrollWidth > name.clientWidth + 1) found.push('the name "' + name.textContent + '" is cut off')
  resolve(found)
})))`
