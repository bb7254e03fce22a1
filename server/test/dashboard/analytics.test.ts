// Analytics in a browser, on a started service with real scans.
import { firstColumns } from '../../src/analytics/testing/scan-rows.ts'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { QrCodeOf } from '@everscan/client/create-client.ts'
import type { Locator, Page } from 'playwright-core'
import { readCsv } from '../../src/analytics/testing/csv.ts'
import { addInstallationNote } from '../../src/db/installation.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { silentLog } from '../../src/db/testing/databases.ts'
import { screenshotPath } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { phones } from '../support/phones.ts'
import { until } from '../support/service.ts'
import { startStoreServer } from '../support/scan-store-server.ts'

// Scans of months are inserted at once: on a server, which a statement fills.
const server = await startStoreServer()
after(() => server.stop())

const scansMade = 60
const pastScans = 4_000
const pastDays = 89
const pageBytesMax = 60 * 1024
/** Addresses that the packaged geography knows, and one that is unassigned. */
const addresses = ['81.169.181.179', '81.169.181.179', '8.8.8.8', '2a01:4f8::1', '192.0.2.1']
const referrers = ['', '', 'https://news.example/article?id=1']
const machine = 'Googlebot/2.1 (+http://www.google.com/bot.html)'

/** The layout shift of the page, as browsers measure it. */
const shiftOfLayout = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
    .observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve(0), 500)
})`
const layoutShiftMax = 0.02
const to = (name: string) => ({ url: `https://example.com/${name}` })
const written = (count: number): string => count.toLocaleString('en-GB')
const number = (text: string): number => Number(text.replaceAll(',', ''))
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const longDay = (days: number): string =>
  new Date(day(days)).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

describe('analytics in the dashboard', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let orgId: string
  let codes: readonly QrCodeOf<'URL'>[]
  const startedAt = new Date().toISOString()

  before(async () => {
    dashboard = await openDashboard({
      CLICKHOUSE_URL: server.url,
      TRUST_PROXY: '127.0.0.1',
      RATE_LIMIT_PER_MINUTE: '0',
    })
    ;({ page, orgId } = dashboard)
    const data = { url: 'https://example.com/' }
    codes = await Promise.all(
      ['Poster', 'Table card', 'Never scanned'].map((name) =>
        dashboard.client.qrCodes.create(orgId, { type: 'URL', name, data }),
      ),
    )
  })
  after(async () => dashboard.close())

  async function scan(index: number, code = codes[index % 3 === 0 ? 1 : 0]): Promise<void> {
    const referer = referrers[index % referrers.length] ?? ''
    const answer = await fetch(`${dashboard.service.baseUrl}/${code?.shortCode}`, {
      redirect: 'manual',
      headers: {
        'user-agent': index % 10 === 9 ? machine : (phones[index % phones.length] ?? ''),
        'x-forwarded-for': addresses[(index >> 1) % addresses.length] ?? '',
        ...(referer !== '' && { referer }),
      },
    })
    assert.equal(answer.status, 302)
  }

  const figure = (name: string): Locator =>
    page.getByRole('main').locator('dl > div').filter({ hasText: name }).locator('dd').first()
  const card = (title: string): Locator =>
    page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
      .last()
  const row = (title: string, name: string): Locator =>
    card(title).getByRole('button', { name: new RegExp(`^${name}`) })
  const shows = async (name: string, count: number): Promise<void> => {
    await until(`${name} is ${count}`, async () => (await figure(name).textContent()) === written(count))
  }

  test('a code without scans shows how to get the first one, and its charts once it has it', async () => {
    const [, , never] = codes
    await dashboard.open(`/codes/${never?.id}/analytics`)
    await page.getByText('No scans yet').waitFor()
    await page.getByText('Scans appear here as they happen').waitFor()
    await dashboard.look('analytics-empty')
    await scan(1, never)
    await shows('Scans', 1)
    await card('Live')
      .getByRole('listitem')
      .filter({ hasText: 'seconds ago' })
      .or(card('Live').getByText('now'))
      .first()
      .waitFor()
  })

  test('the figures of an organization equal those of the API', async () => {
    const { client } = dashboard
    await fillPast({ organizationId: orgId, qrCodeIds: codes.slice(0, 2).map(({ id }) => id) })
    for (let index = 0; index < scansMade; index++) await scan(index)
    await until('all hits are in analytics', async () => {
      const { summary: now } = await client.analytics.ofOrganization(orgId, { startDate: startedAt })
      return now.totalScans + now.botScans === scansMade + 1
    })
    const {
      summary,
      timeline,
      geography,
      devices,
      referrers: from,
    } = await client.analytics.ofOrganization(orgId)
    await page.getByRole('link', { name: 'Analytics' }).first().click()
    await shows('Scans', summary.totalScans)
    await shows('Unique scans', summary.uniqueScans)
    await shows('Bots and previews', summary.botScans)
    const expected: [string, readonly { scans: number }[]][] = [
      ['Countries', geography.countries],
      ['Regions', geography.regions],
      ['Cities', geography.cities],
      ['Devices', devices.types],
      ['Operating systems', devices.os],
      ['Browsers', devices.browsers],
      ['Referrers', from],
    ]
    for (const [title, list] of expected)
      assert.deepEqual(
        await countsOf(title),
        list.slice(0, 6).map(({ scans }) => scans),
        title,
      )
    await page.locator('path[data-country=DE]').waitFor()
    await dashboard.look('analytics')
    await page.screenshot({ path: screenshotPath('dashboard-analytics-whole'), fullPage: true })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.screenshot({ path: screenshotPath('dashboard-analytics-whole-phone'), fullPage: true })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ colorScheme: 'light' })

    // By keyboard, the last point is today; the table of the chart has the same sum.
    const chart = page.getByRole('slider', { name: /^Scans over time/ })
    await chart.focus()
    await page.keyboard.press('ArrowLeft')
    // The period before is a request of its own.
    await page.locator('[role=slider][aria-valuetext*="in the previous period"]').first().waitFor()
    const said = (await chart.getAttribute('aria-valuetext')) ?? ''
    const last = timeline.at(-1)
    assert.match(
      said,
      new RegExp(
        `: ${last?.scans} scans, ${last?.uniqueScans} unique so far, [0-9]+ in the previous period$`,
      ),
    )
    const hours = page.getByRole('slider', { name: /^Scans by weekday/ })
    await hours.focus()
    await page.keyboard.press('ArrowRight')
    assert.match((await hours.getAttribute('aria-valuetext')) ?? '', /^Monday, .*: \d+ scans?$/)
    for (const title of ['Scans over time', 'Locations', 'Hours of the week'])
      await page.getByRole('button', { name: `Show as table: ${title}` }).click()
    assert.deepEqual(await columnSum('Scans over time', [2]), summary.totalScans)
    assert.deepEqual(await columnSum('Locations', [2]), summary.totalScans)
    assert.deepEqual(await columnSum('Hours of the week', [2, 3, 4, 5, 6, 7, 8]), summary.totalScans)
    await page.screenshot({ path: screenshotPath('dashboard-analytics-tables'), fullPage: true })
  })

  async function countsOf(title: string): Promise<number[]> {
    const counts = await card(title).locator('li span.font-medium').allTextContents()
    return counts.map(number)
  }

  async function columnSum(title: string, columns: readonly number[]): Promise<number> {
    let sum = 0
    for (const column of columns) {
      const cells = await card(title).locator(`tbody tr > :nth-child(${column})`).allTextContents()
      sum += cells.reduce((total, cell) => total + number(cell), 0)
    }
    return sum
  }

  test('pressing a row filters everything; chips remove filters; the URL stores them', async (t) => {
    const { client } = dashboard
    await page.reload()
    await page.locator('path[data-country=DE]').waitFor()
    const shift = Number(await page.evaluate(shiftOfLayout))
    t.diagnostic(`layout shift: ${shift.toFixed(3)}`)
    assert.ok(shift <= layoutShiftMax, `${shift}`)
    await row('Countries', 'Germany').click()
    const { summary } = await client.analytics.ofOrganization(orgId, { country: ['DE'] })
    await shows('Scans', summary.totalScans)
    await row('Operating systems', 'iOS').click()
    const both = await client.analytics.ofOrganization(orgId, { country: ['DE'], os: ['iOS'] })
    await shows('Scans', both.summary.totalScans)
    assert.ok(both.summary.totalScans > 0 && both.summary.totalScans < summary.totalScans)
    await shows('Unique scans', both.summary.uniqueScans)
    await page.reload()
    await shows('Scans', both.summary.totalScans)

    await page.getByRole('button', { name: 'Remove the filter Country: Germany' }).click()
    const system = await client.analytics.ofOrganization(orgId, { os: ['iOS'] })
    await shows('Scans', system.summary.totalScans)
    await row('Operating systems', 'iOS').click()
    const all = await client.analytics.ofOrganization(orgId)
    await shows('Scans', all.summary.totalScans)
    assert.doesNotMatch(page.url(), /os=|country=/)
  })

  test('a period, its steps and the time zone are chosen, and compared with the days before', async () => {
    const { client } = dashboard
    await page.getByLabel('Period', { exact: true }).selectOption('Custom dates')
    // Tomorrow, compared with the same number of days before it: those with all the scans.
    await page.getByLabel('Last day').fill(day(1))
    await page.getByLabel('First day').fill(day(1))
    await shows('Scans', 0)
    const change = figure('Scans').locator('xpath=following-sibling::dd').first()
    const today = await client.analytics.ofOrganization(orgId, { startDate: day(0), endDate: day(0) })
    const expected = `-100% vs previous period (${written(today.summary.totalScans)})`
    await until('it is compared', async () => (await change.textContent()) === expected)
    await page.getByText('No scans in this period').first().waitFor()
    await dashboard.look('analytics-nothing')
    await page.getByLabel(/^Compare with/).uncheck()
    await change.waitFor({ state: 'detached' })

    await page.getByLabel('Period', { exact: true }).selectOption('Today')
    await shows('Scans', today.summary.totalScans)
    assert.equal(await page.getByLabel('Interval').inputValue(), 'hour')
    await page.getByRole('button', { name: 'Show as table: Scans over time' }).click()
    assert.equal(await columnSum('Scans over time', [2]), today.summary.totalScans)

    // A zone where it is already another day, or still the day before: the scans belong to that day
    // there.
    const timezone = new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati'
    await page.getByLabel('Time zone').selectOption(timezone)
    const there = await client.analytics.ofOrganization(orgId, {
      timezone,
      startDate: new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(),
    })
    await shows('Scans', there.summary.totalScans)
    assert.match(page.url(), /timezone=Pacific/)
    await page.reload()
    assert.equal(await page.getByLabel('Time zone').inputValue(), timezone)
    assert.equal(await firstOfHours(), there.hours[0]?.scans)

    const year = await client.analytics.ofOrganization(orgId, { startDate: day(-364) })
    await page.getByLabel('Time zone').selectOption('UTC')
    await page.getByLabel('Period', { exact: true }).selectOption('Last 12 months')
    await shows('Scans', year.summary.totalScans)
    assert.equal(await page.getByLabel('Interval').inputValue(), 'week')
    // The organization was created today, and the scans inserted for the past are older.
    await page.getByLabel('Period', { exact: true }).selectOption('All time')
    await shows('Scans', today.summary.totalScans)
  })

  /** The count of the first hour with scans, in the table of hours, Monday first. */
  async function firstOfHours(): Promise<number> {
    await page.getByRole('button', { name: 'Show as table: Hours of the week' }).click()
    for (let column = 2; column <= 8; column++) {
      const cells = await card('Hours of the week')
        .locator(`tbody tr > :nth-child(${column})`)
        .allTextContents()
      const first = cells.map(number).find((count) => count > 0)
      if (first !== undefined) return first
    }
    return 0
  }

  test('a code has its own page, from the list and from the table of codes; its scans are listed and downloaded', async () => {
    const { client } = dashboard
    const [poster] = codes
    const id = poster?.id ?? ''
    await dashboard.open('/codes')
    await page.getByRole('link', { name: /scans of Poster: analytics/ }).click()
    await page.getByRole('heading', { name: 'Poster' }).waitFor()
    const { summary } = await client.qrCodes.analytics(orgId, id)
    await shows('Scans', summary.totalScans)
    await page.screenshot({ path: screenshotPath('dashboard-analytics-code-whole'), fullPage: true })
    const list = card('Latest scans')
    const perPage = 10
    await list.getByText(`Page 1 of ${written(Math.ceil(summary.totalScans / perPage))}`).waitFor()
    await dashboard.look('analytics-code')
    await list.getByRole('button', { name: 'Next' }).click()
    await list.getByText('Page 2 of').waitFor()
    await list.getByLabel('Include bots and previews').check()
    await list
      .getByText(`Page 1 of ${written(Math.ceil((summary.totalScans + summary.botScans) / perPage))}`)
      .waitFor()

    await list.getByRole('button', { name: 'Next' }).click()
    await list.getByText('Page 2 of').waitFor()
    await row('Operating systems', 'Android').click()
    await list.getByText('Page 1 of').waitFor()
    const filtered = await client.qrCodes.analytics(orgId, id, { os: ['Android'] })
    await shows('Scans', filtered.summary.totalScans)
    const download = async (name: string): Promise<string> => {
      await page.getByRole('button', { name: 'Export' }).click()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name }).click(),
      ])
      return readFile(await file.path(), 'utf8')
    }
    const [header, ...rows] = readCsv(await download('Every scan (CSV)'))
    assert.equal(header?.[0], 'timestamp')
    assert.equal(rows.length, filtered.summary.totalScans)
    assert.ok(rows.every((cells) => cells[4] === 'Android'))
    const figures = JSON.parse(await download('These analytics (JSON)')) as typeof filtered
    assert.deepEqual(figures.summary, filtered.summary)

    await page.getByRole('link', { name: 'Analytics' }).first().click()
    await page.getByRole('table', { name: 'All codes' }).getByRole('link', { name: 'Poster' }).click()
    await page.getByRole('heading', { name: 'Poster' }).waitFor()
  })

  test('a code with rules shows its destinations, filters by them and tells splits from chance', async () => {
    const { client } = dashboard
    const [, plain] = codes
    await dashboard.open(`/codes/${plain?.id}/analytics`)
    await card('Latest scans').waitFor()
    assert.equal(await card('Destinations').count(), 0, 'a code without rules has no such card')

    const split = ['Photo', 'Drawing'].map((name) => ({ name, weight: 1, data: to(name) }))
    const input = { type: 'URL', name: 'Window', data: to('own') } as const
    const { id, rules } = await client.qrCodes.create(orgId, {
      ...input,
      rules: [
        { name: 'Lunch in every café, with the long menu of the summer', data: to('lunch') },
        { name: 'Cover', split },
        { name: 'Opening week', data: to('opening') },
      ],
    })
    const [lunch, cover, opening] = rules
    assert.ok(lunch !== undefined && cover !== undefined && opening !== undefined)
    await client.qrCodes.update(orgId, id, { rules: [lunch, cover] })
    await fillAnswers({ organizationId: orgId, qrCodeId: id }, [
      ['', '', 240],
      [lunch.id, '', 610],
      [cover.id, 'Photo', 512],
      [cover.id, 'Drawing', 488],
      [opening.id, '', 35],
    ])
    await dashboard.open(`/codes/${id}/analytics`)
    const { summary, destinations } = await client.qrCodes.analytics(orgId, id)
    assert.deepEqual([summary.totalScans, destinations.length], [1_885, 5])
    await shows('Scans', summary.totalScans)
    const table = card('Destinations').getByRole('table')
    await table.waitFor()
    const cells = async (column: number) =>
      (await table.locator(`tbody tr > :nth-child(${column})`).allTextContents()).map(number)
    assert.deepEqual(
      [await cells(2), await cells(3)],
      [destinations.map(({ scans }) => scans), destinations.map(({ uniqueScans }) => uniqueScans)],
    )
    await table.getByRole('button', { name: 'Opening week Removed' }).waitFor()
    const fits = 'Cover: unique scans fit the weights (Photo 50%, Drawing 50%).'
    await card('Destinations').getByText(fits).waitFor()
    await card('Destinations').scrollIntoViewIfNeeded()
    await dashboard.look('analytics-destinations')
    for (const width of [390, 660, 1280])
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme })
        const path = screenshotPath(`dashboard-analytics-destinations-${width}-${colorScheme}`)
        await card('Destinations').screenshot({ path })
      }

    await table.getByRole('button', { name: 'Cover Variant Photo' }).click()
    await shows('Scans', 512)
    const chips = page.getByRole('list', { name: 'Filters' })
    assert.deepEqual(await chips.locator('li > button:first-child').allTextContents(), [
      'Rule is Cover',
      'Variant is Photo',
      'Remove all filters',
    ])
    await card('Latest scans').getByText('Cover · Photo').first().waitFor()
    assert.equal(await card('Destinations').getByText('weights').count(), 0, 'of one arm nothing is said')
    await page.screenshot({ path: screenshotPath('dashboard-analytics-destinations-chosen'), fullPage: true })
    const printed = async (): Promise<string> => {
      await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
      await page.emulateMedia({ media: 'print' })
      const shown = await page.locator('.printed-report').innerText()
      await page.screenshot({
        path: screenshotPath('dashboard-analytics-destinations-printed'),
        fullPage: true,
      })
      await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
      await page.emulateMedia({ media: 'screen' })
      return shown.replaceAll(/\s+/g, ' ')
    }
    assert.match(await printed(), /Rule: Cover · Variant: Photo.* Destinations Cover · Photo 512 100%/)
    await chips.getByRole('button', { name: 'Remove all filters' }).click()
    await shows('Scans', summary.totalScans)
    assert.match(
      await printed(),
      /Destinations Lunch in every café.* 610 32.4% Cover · Photo 512 27.2% .*No rule 240/,
    )
    await table.getByRole('button', { name: 'Exclude Opening week' }).click()
    await shows('Scans', summary.totalScans - 35)
    await chips.getByRole('button', { name: /^Rule is not Opening week/ }).click()
    await shows('Scans', 35)
    await table.getByRole('button', { name: 'Opening week Removed', pressed: true }).click()
    await table.getByRole('button', { name: 'No rule The code’s own content' }).click()
    await shows('Scans', 240)
    await page.reload()
    await chips.getByText('none').waitFor()
    await chips.getByRole('button', { name: 'Remove the filter Rule: none' }).click()

    const weights = split.map((arm, at) => ({ ...arm, weight: 1 + at }))
    await client.qrCodes.update(orgId, id, { rules: [{ ...cover, split: weights }] })
    await Promise.all([page.waitForResponse(/history/), page.reload()])
    await table.getByRole('button', { name: /^Lunch in every café.* Removed$/ }).waitFor()
    await shows('Scans', summary.totalScans)
    assert.equal(await card('Destinations').getByText('weights').count(), 0, 'the weights changed')
    await client.qrCodes.delete(orgId, id)
  })

  test('a scan appears by itself, even without a stream', async () => {
    const { client } = dashboard
    await dashboard.open('/analytics')
    const today = await client.analytics.ofOrganization(orgId)
    await shows('Scans', today.summary.totalScans)
    await page.getByText('Scans appear here as they happen').waitFor()
    await scan(3)
    await card('Live').getByText('Table card').waitFor()
    await shows('Scans', today.summary.totalScans + 1)

    await card('Live').screenshot({ path: screenshotPath('dashboard-analytics-live') })

    const hide = async (hidden: boolean): Promise<void> => {
      await page.evaluate(
        `Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} })
         document.dispatchEvent(new Event('visibilitychange'))`,
      )
    }
    const readers = async (): Promise<number> => dashboard.service.metric('event_readers')
    await hide(true)
    await card('Live').getByText('Paused').waitFor()
    await until('the stream has ended', async () => (await readers()) === 0)
    await hide(false)
    await page.getByText('Scans appear here as they happen').waitFor()
    await until('one stream is read', async () => (await readers()) === 1)

    await page.route('**/events?*', (route) => route.fulfill({ status: 403, json: { code: 'FORBIDDEN' } }))
    await page.reload()
    await page.getByText('Not live now').waitFor()
    await scan(3)
    await shows('Scans', today.summary.totalScans + 2)
    await page.unroute('**/events?*')
  })

  test('days from which unique scans are counted differently are marked in the chart, explained and read out', async () => {
    const { dataDir } = dashboard.service
    const db = await openDatabase({ dataDir, databaseUrl: undefined, role: 'writer', log: silentLog })
    for (const [kind, days] of [
      ['visitors-by-64', -12],
      ['visitor-key', -4],
    ] as const)
      await addInstallationNote(db, { kind, detail: {} }, Date.parse(day(days)))
    await db.close()
    const notes = [
      `Since ${longDay(-12)}, IPv6 visitors are recognized by their network, so some returning visitors count as unique once more.`,
      `Since ${longDay(-4)}, visitors are recognized with a new key, so returning visitors count as unique once more.`,
    ]
    const timeline = card('Scans over time')
    await dashboard.open('/analytics?timezone=UTC&compare=false')
    await timeline.getByText(notes[1] ?? '').waitFor()
    assert.deepEqual(await timeline.locator('li').filter({ hasText: 'Since' }).allTextContents(), notes)
    const flags = timeline.getByRole('slider').locator('path[fill="var(--color-warning)"]')
    assert.equal(await flags.count(), 2)
    await timeline.scrollIntoViewIfNeeded()
    await dashboard.look('analytics-marks')
    for (const [width, colorScheme] of [
      [390, 'dark'],
      [660, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await timeline.screenshot({ path: screenshotPath(`dashboard-analytics-marks-${width}`) })
    }
    await page.setViewportSize({ width: 1280, height: 800 })

    const chart = page.getByRole('slider', { name: /^Scans over time/ })
    await chart.focus()
    const said = async (key: string, times: number): Promise<string> => {
      for (let press = 0; press < times; press++) await page.keyboard.press(key)
      return (await chart.getAttribute('aria-valuetext')) ?? ''
    }
    // The last point is today.
    assert.match(await said('ArrowLeft', 5), /unique\. Unique scans are counted differently from here on$/)
    assert.match(await said('ArrowLeft', 1), /unique$/)
    await page.getByRole('button', { name: 'Show as table: Scans over time' }).click()
    await timeline.getByText(notes[0] ?? '').waitFor()

    await page.getByLabel('Period', { exact: true }).selectOption('Today')
    await timeline.getByText(notes[0] ?? '').waitFor({ state: 'detached' })
  })

  test('an invalid URL shows what it can, without errors, and the page is small', async (t) => {
    await dashboard.open('/codes')
    await page.getByText('3 codes').waitFor()
    // Drawn by scripts that are loaded after the list, and not by those of analytics.
    await page.getByRole('img', { name: 'QR code to check the address' }).waitFor()
    const scriptBytes = async (): Promise<number> => {
      const scripts = await page.evaluate<string[]>(
        `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))`,
      )
      const files = await Promise.all(
        [...new Set(scripts)].map(async (address) => (await fetch(address)).bytes()),
      )
      return files.reduce((sum, file) => sum + gzipSync(file).length, 0)
    }
    const listBytes = await scriptBytes()
    await page.getByRole('link', { name: 'Analytics' }).first().click()
    await page.locator('path[data-country=DE]').waitFor()
    const ownBytes = (await scriptBytes()) - listBytes
    t.diagnostic(`the page's own scripts: ${ownBytes} bytes, compressed`)
    assert.ok(ownBytes > 0 && ownBytes <= pageBytesMax, `${ownBytes} bytes`)

    await dashboard.open(
      '/analytics?period=own&from=2026-13-01&country=Germany&page=-1&timezone=Mars%2FOlympus&os=%5B%5D',
    )
    await page.getByRole('table', { name: 'All codes' }).waitFor()
    assert.equal(await page.getByLabel('Period', { exact: true }).inputValue(), 'last-30-days')
    assert.deepEqual(dashboard.problems, [])
  })
})

/**
 * Inserts scans of the past, bypassing the journal: more of them lately, at noon and in some
 * countries; none of them today.
 */
async function fillPast({
  organizationId,
  qrCodeIds,
}: {
  organizationId: string
  qrCodeIds: readonly string[]
}): Promise<void> {
  const places = [
    'DE Berlin',
    'DE Berlin',
    'DE Hamburg',
    'DE Hamburg',
    'AT Vienna',
    'FR Paris',
    'US New York',
  ]
  const rarer = ['JP Tokyo', 'BR Recife', 'SG Singapore', 'ZA Durban', 'XX Unknown', 'IN Pune', 'AU Perth']
  await server.store.command(
    `insert into scans (${firstColumns})
     select {organizationId:String}, ${pick(qrCodeIds, 3)},
       toStartOfDay(now()) - toIntervalDay(1 + floor(${pastDays} * pow((seed % 1000) / 1000, 1.6)))
         + toIntervalSecond(28800 + (seed % 9 + bitShiftRight(seed, 9) % 5) * 3600 + seed % 3600),
       'writer', number, reinterpretAsUUID(sipHash128(seed % 1500)), 'human', '',
       substring(place, 1, 2), substring(place, 4), '', null, null,
       ${pick(['mobile', 'mobile', 'mobile', 'mobile', 'tablet', 'desktop'], 17)}, ${pick(['iOS', 'iOS', 'Android', 'Windows'], 19)},
       ${pick(['Safari', 'Safari', 'Chrome', 'Samsung Internet', 'Firefox'], 23)},
       ${pick(['', '', '', 'news.example', 'instagram.com'], 29)}, 'de', 'batch'
     from (
       select number, cityHash64(number) as seed,
         if(seed % 5 = 0, ${pick(rarer, 37)}, ${pick(places, 31)}) as place
       from numbers(${pastScans}))
     settings max_partitions_per_insert_block = 0`,
    { organizationId },
  )
}

/** Adds scans of the past three weeks, each by another visitor, that rules and arms answered. */
async function fillAnswers(
  code: { organizationId: string; qrCodeId: string },
  answers: readonly (readonly [rule: string, arm: string, scans: number])[],
): Promise<void> {
  for (const [index, [rule, arm, scans]] of answers.entries())
    await server.store.command(
      `insert into scans (${firstColumns}, rule, arm)
       select {organizationId:String}, {qrCodeId:String},
         now() - toIntervalHour(1 + cityHash64(number) % 500), {writer:String}, number,
         reinterpretAsUUID(sipHash128({writer:String}, number)), 'human', '', 'DE', 'Berlin', '', null, null,
         'mobile', 'iOS', 'Safari', '', 'de', 'batch', {rule:String}, {arm:String}
       from numbers({scans:UInt32})
       settings max_partitions_per_insert_block = 0`,
      { ...code, writer: `answers ${index}`, rule, arm, scans },
    )
}

/** Picks one of some values by the bits of `seed`, from bit `by` on. */
function pick(values: readonly string[], by: number): string {
  const list = values.map((value) => `'${value}'`).join(', ')
  return `[${list}][1 + bitShiftRight(seed, ${by}) % ${values.length}]`
}
