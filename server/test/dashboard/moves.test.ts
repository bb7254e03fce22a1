// Left to the soak: `api/moves/moves` moves links, `dashboard/imports` goes the same way in the
// dashboard.
// The move from another service in the dashboard, as a person does it in a browser.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@everscan/client/create-client.ts'
import type { Page } from 'playwright-core'
import { startDnsServer, type Zone } from '../../src/api/testing/dns-server.ts'
import { startOldService } from '../../src/jobs/moves/testing/old-service.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { until } from '../support/service.ts'

// For the whole file: servers started in a hook end with the hook.
const zone: Zone = {}
const dns = await startDnsServer(zone)
after(() => dns.close())
const old = await startOldService((path) => {
  if (path === '/gone') return { status: 404 }
  const location = path === '/aBc' ? 'https://example.com/elsewhere' : `https://example.com${path}`
  return { status: 301, headers: { location } }
})
after(async () => old.close())

const links = [
  ['aBc', 'Spring menu'],
  ['abC', 'Autumn menu'],
  ['Poster', ''],
]
const bitly = [
  'Link,Custom Link,Destination URL,Title,Tags,Created,Total Engagements',
  ...links.map(
    ([code, title]) =>
      `https://bit.ly/3x${code},https://go.example.com/${code},https://example.com/${code},${title},print,2024-03-05T10:20:30+0000,"1,234"`,
  ),
  'https://bit.ly/3xOld,https://go.example.com/old,ftp://example.com/old,Old,,2024-03-05T10:20:30+0000,5',
].join('\n')

describe('the move from another service', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let client: Client
  let orgId: string
  let look: Dashboard['look']

  before(async () => {
    dashboard = await openDashboard({ DNS_SERVERS: dns.address, WEBHOOK_ALLOW_PRIVATE: 'true' })
    ;({ page, client, orgId, look } = dashboard)
  })
  after(async () => dashboard.close())

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const choose = async (name: string, content: string) =>
    page.getByLabel('Drop the export here').setInputFiles({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(content),
    })

  test('it begins on the page of imports, and says what to do for a domain without a gap', async () => {
    await dashboard.open('/imports')
    await page.getByRole('link', { name: 'Move in from another service' }).click()
    await page.getByText('Your moves will be listed here').waitFor()
    await page.getByText('Switch the DNS').waitFor()
    await look('moves-product')
    await button('Bitly').click()
    await page.getByText('Is the printed host name not in this list?').waitFor()
    const { id, verification } = await client.domains.create(orgId, {
      hostname: 'go.example.com',
      codes: 'exact',
    })
    await page.reload()
    await page.getByRole('link', { name: 'Prove go.example.com' }).waitFor()
    await look('moves-target')
    zone[verification.name] = { TXT: [verification.value] }
    await client.domains.check(orgId, id)
  })

  test('a file that cannot be read is refused with what to do', async () => {
    await dashboard.open('/imports/move?source=bitly&domain=none')
    const wrong = [
      ['links.xlsx', 'PK\u0003\u0004', 'Save it as CSV'],
      ['empty.csv', 'Link,Destination URL\n', 'has no links'],
      ['broken.csv', 'Link,Title\n"a,b\n', 'neither CSV nor JSON'],
      ['broken.json', '[{"a":', 'neither CSV nor JSON'],
      ['none.json', '{"a":1}', 'has no links'],
    ] as const
    for (const [name, content, said] of wrong) {
      await choose(name, content)
      await page.getByRole('alert').filter({ hasText: name }).getByText(said).waitFor()
    }
    await look('moves-file')
  })

  test('a link that cannot be moved shows the code it had, before anything is written', async () => {
    await choose('links.csv', bitly.replaceAll('Custom Link', 'Code of mine'))
    const codeColumn = page.getByLabel('Column for Short code')
    const preview = page.getByRole('list', { name: 'The first links, as they will be' })
    await preview.getByText('3xPoster', { exact: true }).waitFor()
    await codeColumn.selectOption('Code of mine')
    await preview.getByText(/Short code: "aBc" cannot be a short code here/).waitFor()
    assert.equal(await preview.getByText('aBc', { exact: true }).count(), 1)
    await codeColumn.selectOption('Choose…')
    await page.getByText('Every link needs it').waitFor()
    assert.equal(await button('Check all links').isDisabled(), true)
    await look('moves-columns')
    await codeColumn.selectOption('Code of mine')
    await button('Check all links').click()
    await page.getByText('1 link can be moved, 3 cannot. Nothing is created yet.').waitFor()
    await page.getByText('fit a domain on which letter case counts').waitFor()
    await look('moves-checked')
    assert.equal((await client.qrCodes.list(orgId)).pagination.total, 0)
    await button('Change: Which host name is printed?').click()
    await page.getByText('Codes keep working only on the host name').waitFor()
    assert.equal(await page.evaluate('document.activeElement?.tagName'), 'H2')
  })

  test('six presses and a file move all links in by keyboard, and the outcomes are downloaded', async () => {
    await dashboard.open('/imports')
    let presses = 0
    const press = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
      presses++
      const one = page.getByRole(role, { name })
      await one.waitFor()
      await one.focus()
      await page.keyboard.press('Enter')
    }
    await press('Move in from another service', 'link')
    await press('Bitly')
    await press(/go\.example\.com.*Letter case counts/)
    await choose('links.csv', bitly)
    await press('Check all links')
    await page.getByText('3 links can be moved, 1 cannot.').waitFor()
    await press('Move 3 links in')
    await page.getByText('3 links moved in, 1 link could not be moved').waitFor()
    await look('moves-done')
    const [file] = await Promise.all([page.waitForEvent('download'), press('Download them with the reasons')])
    assert.equal(presses, 6)
    assert.match(await readFile(await file.path(), 'utf8'), /3xOld.*must begin with http/)
    const { data } = await client.qrCodes.list(orgId)
    assert.deepEqual(data.map(({ shortCode, scansBefore }) => `${shortCode} ${scansBefore}`).toSorted(), [
      'Poster 1234',
      'aBc 1234',
      'abC 1234',
    ])
    await page.reload()
    await page.getByText('3 links moved in, 1 link could not be moved').waitFor()
    await page.getByRole('list', { name: 'Past moves' }).getByText('Check only').first().waitFor()
  })

  test('the moved links are compared with the old service, and those that differ are listed', async () => {
    await page.getByLabel('Where the old service answers').fill('old')
    await button('Compare').click()
    await page.locator('[aria-invalid=true]').waitFor()
    await page.getByLabel('Where the old service answers').fill(old.url)
    await button('Compare').click()
    await page.getByText('Links that do not lead to the same address: 1 of 3').waitFor()
    await page.getByText('https://example.com/elsewhere').waitFor()
    await look('moves-compared')
    await page.getByRole('link', { name: 'Show the codes' }).click()
    await page.getByText('3 codes', { exact: true }).first().waitFor()
    assert.match(page.url(), /domain=dom_/)
  })

  test('a long file shows how much of it was sent; one that comes too slowly, what to do', async () => {
    await dashboard.open('/imports/move?source=csv&domain=none')
    const query = 'x'.repeat(200)
    const rows = Array.from({ length: 3_000 }, (_, at) => `sent-${at}x,https://example.com/${at}?${query}`)
    await choose('long.csv', ['slug,url', ...rows].join('\n'))
    const network = await page.context().newCDPSession(page)
    const throttle = async (uploadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      })
    await network.send('Network.enable')
    await throttle(150_000)
    await button('Check all links').click()
    await page.getByText(/^Sending the file: [1-9]\d?%$/).waitFor()
    await look('moves-sending')
    await throttle(-1)
    await page.getByText('All 3,000 links can be moved. Nothing is created yet.').waitFor()
    const late = { statusCode: 408, code: 'REQUEST_TIMEOUT', message: 'Late.', error: 'Request Timeout' }
    await page.route('**/moves', async (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 408, json: late }) : route.fallback(),
    )
    await button('Move 3,000 links in').click()
    await page.getByText('A file needs a line that is not interrupted.').waitFor()
    await page.unroute('**/moves')
    await network.detach()
  })

  test('progress survives a reload, and a long move can be stopped', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => `long-${at}x,https://example.com/${at}`)
    const file = ['slug,url', ...rows].join('\n')
    const { id } = await client.moves.start(orgId, { source: 'csv', file, domainId: 'none' })
    await dashboard.open(`/imports/move?job=${id}`)
    await page.getByRole('progressbar').waitFor()
    await button('Stop the move').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop the move' }).click()
    await page.getByText('Stopped after').waitFor()
    const { status, processedRows } = await client.moves.read(orgId, id)
    assert.deepEqual([status, processedRows < 20_000], ['CANCELLED', true])
  })

  test('JSON is read as the API of a product answers, and destinations without a page are warnings', async () => {
    await dashboard.open('/imports/move?source=kutt&domain=none')
    const target = `${old.url}/gone`
    const data = [{ address: 'kutt-1', target, description: 'K', visit_count: 3 }]
    await choose('links.json', JSON.stringify({ data }))
    await page.getByText('kutt-1', { exact: true }).first().waitFor()
    await page.getByLabel('Look at each destination').check()
    await button('Check all links').click()
    await page.getByText('The link can be moved').waitFor()
    await page.getByText('The page answers 404.').waitFor()
    await page.evaluate('scrollTo(0, 0)')
    await look('moves-warnings')
    await button('Move 1 link in').click()
    await page.getByText('1 link moved in').waitFor()
  })

  test('visits of a second file become scans, and the summary says so in every language', async () => {
    await dashboard.open('/imports/move?source=yourls&domain=none')
    await choose('links.csv', 'keyword,url,title,clicks\nposter-2,https://example.com/2,Poster,9\n')
    const log = [
      'click_time,shorturl,referrer,user_agent,ip_address,country_code',
      '2024-05-06 07:08:09,poster-2,direct,,192.0.2.1,DE',
      '2024-06-07 08:09:10,poster-2,direct,,192.0.2.1,FR',
      '2024-06-07 08:09:11,poster-2,direct,Googlebot/2.1 (+http://www.google.com/bot.html),192.0.2.1,US',
      '0000-00-00 00:00:00,poster-2,direct,,192.0.2.1,DE',
    ].join('\n')
    const visits = { name: 'log.csv', mimeType: 'text/csv', buffer: Buffer.from(log) }
    await page.getByLabel('Choose the file of visits').setInputFiles(visits)
    await page.getByText('log.csv', { exact: true }).waitFor()
    await button('Leave it out').click()
    await page.getByText('log.csv', { exact: true }).waitFor({ state: 'detached' })
    await page.getByLabel('Choose the file of visits').setInputFiles(visits)
    await button('Check all links').click()
    await page.getByText('2 visits can come as scans · 1 was by a bot · 1 cannot come').waitFor()
    await page.getByText('is no date that is read here').waitFor()
    const columns = await page.getByLabel('Columns of the visits').innerText()
    assert.match(columns.replaceAll(/\s+/g, ' '), /^Link shorturl Time click_time .* City No column/)
    await look('moves-visits')
    await button('Move 1 link in').click()
    await page.getByText('2 visits became scans · 1 was by a bot · 1 did not come').waitFor()
    const { data } = await client.qrCodes.list(orgId)
    const moved = data.filter(({ shortCode }) => shortCode === 'poster-2')
    assert.deepEqual(
      moved.map(({ totalScans, uniqueScans, scansBefore }) => [totalScans, uniqueScans, scansBefore]),
      [[2, 0, 6]],
    )
    for (const [language, said] of [
      ['de', '2 Besuche wurden zu Scans'],
      ['fr', '2 visites sont devenues des scans'],
      ['es', '2 visitas se convirtieron en escaneos'],
      ['en', '2 visits became scans'],
    ] as const) {
      await page.evaluate(`localStorage.setItem('everscan-language', '${language}')`)
      await page.reload()
      await page.getByText(said).waitFor()
    }
  })

  test('links move onto a domain before its proof, wait, and are codes after it', async () => {
    const hostname = 'late.example.com'
    const { id, verification } = await client.domains.create(orgId, { hostname, codes: 'exact' })
    await dashboard.open('/imports/move?source=bitly')
    await page.getByRole('button', { name: /late\.example\.com.*Codes wait until it is proved/ }).click()
    await choose('links.csv', bitly)
    await button('Check all links').click()
    await button('Move 3 links in').click()
    await page.getByText(`wait until ${hostname} is proved`).waitFor()
    assert.equal(await button('Compare').count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Show the codes' }).count(), 0)
    await look('moves-waiting')
    zone[verification.name] = { TXT: [verification.value] }
    await client.domains.check(orgId, id)
    await until('codes no longer wait', async () => {
      const { pagination } = await client.qrCodes.list(orgId, { domainId: id })
      return pagination.total === 3
    })
    await page.reload()
    await page.getByRole('link', { name: 'Show the codes' }).click()
    await page.getByText('3 codes', { exact: true }).first().waitFor()
  })

  test('a viewer sees moves and cannot start any', async () => {
    const tab = await dashboard.openAs({ email: 'eve@example.com', role: 'VIEWER' })
    await tab.goto(`${dashboard.service.baseUrl}/app/${orgId}/imports/move`)
    await tab.getByText('You need the editor role to move links in').waitFor()
    await tab.getByRole('list', { name: 'Past moves' }).getByText('links.json').first().click()
    await tab.getByText(/^1 link moved in|^Checked: 1 link/).waitFor()
    assert.equal(await tab.getByRole('button', { name: 'Compare' }).count(), 0)
    await tab.close()
    assert.deepEqual(dashboard.problems, [])
  })
})
