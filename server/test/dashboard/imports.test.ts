// Imports in the dashboard, as a person uses them in a browser.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { qrCodeTypes } from '@everscan/contract/code-types/code-types.ts'
import type { Client } from '@everscan/client/create-client.ts'
import type { Locator, Page } from 'playwright-core'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'

describe('imports', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let client: Client
  let orgId: string
  let look: Dashboard['look']

  before(async () => {
    dashboard = await openDashboard()
    ;({ page, client, orgId, look } = dashboard)
    await client.folders.create(orgId, { name: 'Spring campaign' })
  })
  after(async () => dashboard.close())

  const choose = async (name: string, content: string | Buffer) =>
    page.getByLabel('Drop an xlsx or CSV file here').setInputFiles({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(content),
    })
  const download = async (button: Locator) => {
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const codesNow = async () => (await client.qrCodes.list(orgId)).pagination.total
  test('every type has a template, which a spreadsheet reads as UTF-8', async () => {
    await dashboard.open('/imports')
    await page.getByText('Your imports will be listed here').waitFor()
    await look('imports-empty')
    const buttons = page.getByRole('button', { name: 'Template for' })
    assert.equal(await buttons.count(), qrCodeTypes.length)
    const { name, text } = await download(buttons.filter({ hasText: 'Wi-Fi' }))
    assert.equal(name, 'wifi-import.csv')
    assert.match(text, /^\ufeffname,ssid,password/)
  })

  test('a file that cannot be imported is reported, with what to do', async () => {
    await choose('codes.xlsx', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]))
    await page.getByText('cannot be read as a workbook').waitFor()
    await choose('codes.xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0, 0]))
    await page.getByText('Save it as xlsx or CSV').waitFor()
    await choose('empty.csv', '\n\n')
    await page.getByText('This file is empty').waitFor()
    await choose('broken.csv', 'name,url\n"Poster,https://example.com/\n')
    await page.getByText('is not valid CSV').waitFor()
    await choose('large.csv', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'))
    await page.getByText('larger than 10 MB').waitFor()
    await choose('columns.csv', 'subject,body,colour\nPoster,https://example.com/,red\n')
    await page.getByLabel('Type of the codes').selectOption('URL')
    await page.getByText('Say what the 3 marked columns become').waitFor()
    await page.getByText('“Link” also needs: name, url').waitFor()
    await look('imports-columns')
    await page.getByRole('button', { name: 'Choose another file' }).click()
  })

  test('columns with other names are suggested, chosen, ignored, and remembered for the next file', async () => {
    const file = 'Title,Where to,Notes,Colour\nPoster,https://example.com/,x,red\n'
    await choose('renamed.csv', file)
    const becomes = (name: string) => page.getByLabel(`Becomes, for “${name}”`)
    await page.getByLabel('Type of the codes').selectOption('URL')
    assert.equal(await becomes('Title').inputValue(), 'name')
    await becomes('Where to').selectOption('url')
    await page.getByRole('button', { name: 'Ignore all 2' }).click()
    await page.getByText('The row is valid').waitFor()
    await look('imports-mapped')
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await choose('again.csv', file)
    await page.getByText('The row is valid').waitFor()
    assert.equal(await becomes('Where to').inputValue(), 'url')
    await becomes('Title').selectOption('Ignore this column')
    await page.getByText('“Link” also needs: name').waitFor()
    await page.evaluate(() => localStorage.clear())
    await page.getByRole('button', { name: 'Choose another file' }).click()
  })

  test('the type, the encoding and the separator are detected', async () => {
    const text = 'ssid;name;password\nGäste;Café;"a;b"\n'
    await choose('windows.csv', Buffer.from(text, 'latin1'))
    await page.getByRole('cell', { name: 'Gäste' }).waitFor()
    await page.getByRole('cell', { name: 'a;b' }).waitFor()
    assert.equal(await page.getByLabel('Type of the codes').inputValue(), 'WIFI')
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await choose('utf-16.csv', Buffer.from(`\ufeff${text.replaceAll(';', '\t')}`, 'utf16le'))
    await page.getByRole('cell', { name: 'Gäste' }).waitFor()
    await page.getByRole('button', { name: 'Choose another file' }).click()
  })

  test('every row is checked before anything is written; then the valid ones become codes in the folder', async () => {
    await choose('posters.csv', posters(30, { wrong: true }))
    await page.getByText('27 rows valid, 3 rows have a problem').waitFor()
    await page.getByText('Line 11', { exact: true }).waitFor()
    await look('imports-checked')
    assert.equal(await codesNow(), 0)
    const rejected = await download(page.getByRole('button', { name: 'Download these rows' }))
    assert.equal(rejected.text.match(/not an address/g)?.length, 3)
    await page.getByLabel('Folder').selectOption('Spring campaign')
    await page.getByRole('button', { name: 'Import 27 codes' }).click()
    await page.getByText('27 codes imported, 3 rows skipped').waitFor()
    await look('imports-done')
    assert.match(page.url(), /job=job_/)
    assert.equal(await codesNow(), 27)
    await page.reload()
    await page.getByText('27 codes imported, 3 rows skipped').waitFor()
    await page.getByRole('link', { name: 'Show the codes' }).click()
    await page.getByText('27 codes', { exact: true }).first().waitFor()
    assert.match(page.url(), /folder=fld_/)
  })

  test('rows that an import skipped are repaired later, with its folder', async () => {
    await dashboard.open('/imports')
    await page.getByRole('list', { name: 'Past imports' }).getByText('Done').first().click()
    await page.getByText('27 codes imported, 3 rows skipped').waitFor()
    await page.getByLabel('url, Line 11').fill('https://example.com/10')
    await page.getByLabel('url, Line 21').fill('still not an address')
    await page.getByRole('button', { name: 'Import 2 repaired rows' }).click()
    await page.getByText('1 code imported, 1 row skipped').waitFor()
    const { data } = await client.qrCodes.list(orgId, { search: 'Poster 10' })
    const [folder] = (await client.folders.list(orgId)).data
    assert.deepEqual(
      data.map(({ name, folderId }) => [name, folderId]),
      [['Poster 10', folder?.id]],
    )
    assert.equal(await page.getByLabel('url, Line 3').inputValue(), 'still not an address')
    const history = page.getByRole('list', { name: 'Past imports' })
    await history.getByText('Done · Repairs an earlier import · 1 code · 1 row skipped').waitFor()
    await look('imports-repair')
    await page.getByRole('link', { name: 'Show it' }).click()
    await page.getByText('27 codes imported, 3 rows skipped').waitFor()
  })

  test('columns of every type are chosen, extra fields too, and their faults repaired in place', async () => {
    await client.qrCodes.create(orgId, {
      type: 'URL',
      name: 'There',
      data: { url: 'https://example.com/' },
      shortCode: 'THERE-1',
    })
    const file = [
      'name,url,Short code,Created at,status,Order No,metadata.Campaign',
      'Old one,https://example.com/1,there-1,2024-02-29,active,a-1,Spring',
      'Old two,https://example.com/2,Mine-2,2999-01-01,gone,a-2,',
    ].join('\n')
    await dashboard.open('/imports')
    await choose('columns-of-every-type.csv', file)
    const becomes = (name: string) => page.getByLabel(`Becomes, for “${name}”`)
    assert.equal(await becomes('Short code').inputValue(), 'shortCode')
    assert.equal(await becomes('Created at').inputValue(), 'createdAt')
    assert.equal(await becomes('metadata.Campaign').inputValue(), 'metadata.Campaign')
    await page.getByText('* Required.').waitFor()
    await becomes('Order No').selectOption('Extra field “Order No”')
    await page.getByText('No row can be imported as it is').waitFor()
    await page.getByText('"there-1" is taken, choose another').waitFor()
    await page.getByText('must not be in the future').waitFor()
    await look('imports-every-column')
    await page.getByLabel('shortCode, Line 2').fill('Mine-1')
    await page.getByLabel('createdAt, Line 3').fill('2024-03-01')
    await page.getByLabel('status, Line 3').fill('Archived')
    await page.getByRole('button', { name: 'Import 2 codes' }).click()
    await page.getByText('2 codes imported').waitFor()
    const made = (await client.qrCodes.list(orgId, { search: 'Old', sort: 'name', order: 'asc' })).data
    assert.deepEqual(
      made.map(({ shortCode, createdAt, status, metadata }) => [
        shortCode,
        createdAt.slice(0, 10),
        status,
        metadata,
      ]),
      [
        ['Mine-1', '2024-02-29', 'ACTIVE', { 'Order No': 'a-1', Campaign: 'Spring' }],
        ['Mine-2', '2024-03-01', 'ARCHIVED', { 'Order No': 'a-2' }],
      ],
    )
    await page.evaluate(() => localStorage.clear())
  })

  test('progress survives a reload, and a long import can be stopped', async () => {
    const file = posters(10_000, { wrong: false })
    const { id } = await client.imports.start(orgId, { type: 'URL', file, fileName: 'long.csv' })
    await dashboard.open(`/imports?job=${id}`)
    await page.getByRole('progressbar').waitFor()
    await page.getByRole('button', { name: 'Stop the import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop the import' }).click()
    await page.getByText('Stopped after').waitFor()
    assert.equal((await client.imports.read(orgId, id)).status, 'CANCELLED')
  })

  test('imports so far are listed by page, and open again', async () => {
    for (let at = 0; at < 8; at++)
      await client.imports.waitFor(
        orgId,
        (await client.imports.start(orgId, { type: 'URL', file: posters(1, { wrong: false }), dryRun: true }))
          .id,
        { pollMs: 20 },
      )
    await dashboard.open('/imports')
    const list = page.getByRole('list', { name: 'Past imports' })
    await page.getByText('Page 1 of 2').waitFor()
    assert.equal(await list.getByRole('listitem').count(), 10)
    await look('imports-history')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Page 2 of 2').waitFor()
    await list
      .getByRole('link', { name: /posters.csv.*Checked only · 27 rows valid · 3 rows with problems/ })
      .click()
    await page
      .getByText('This was a check: 27 rows valid, 3 rows with problems. No code was created.')
      .waitFor()
    assert.match(page.url(), /page=2/)
  })

  test('a code that moved here shows the clicks before, apart from its figures', async () => {
    const file = 'keyword,url,title,clicks\nmoved-1,https://example.com/,Old poster,1234\n'
    const { id } = await client.moves.start(orgId, { source: 'yourls', file })
    const { successCount, errors } = await client.moves.waitFor(orgId, id)
    assert.deepEqual([successCount, errors], [1, []])
    const [code] = (await client.qrCodes.list(orgId, { search: 'Old poster' })).data
    assert.equal(code?.scansBefore, 1234)
    await dashboard.open(`/codes/${code.id}/analytics`)
    await page.getByText('Before this code moved here: 1,234 clicks, counted by another service').waitFor()
    await page.getByText('No scans yet').first().waitFor()
    await look('moved-code')
  })

  test('a viewer sees imports and cannot start any', async () => {
    const { acceptUrl } = await client.invitations.create(orgId, {
      email: 'eve@imports.example.com',
      role: 'VIEWER',
    })
    const guest = await dashboard.openContext()
    const tab = await guest.newPage()
    await tab.goto(acceptUrl.replace(/^https?:\/\/[^/]+/, dashboard.service.baseUrl))
    await tab.getByLabel('Your name').fill('Eve')
    await tab.getByLabel('Password').fill('another long password')
    await tab.getByRole('button', { name: 'Accept' }).click()
    await tab.getByText('Welcome to').waitFor()
    await tab.goto(`${dashboard.service.baseUrl}/app/${orgId}/imports`)
    await tab.getByText('You need the editor role to import').waitFor()
    assert.equal(await tab.getByLabel('Drop an xlsx or CSV file here').count(), 0)
    await guest.close()
    assert.deepEqual(dashboard.problems, [])
  })
})

/** A CSV file with links of posters; with `wrong`, every tenth URL is invalid. */
function posters(rows: number, { wrong }: { wrong: boolean }): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const url = wrong && at % 10 === 9 ? 'not an address' : `https://example.com/${at + 1}`
    return `Poster ${at + 1},${url},print`
  })
  return ['name,url,tags', ...lines].join('\n')
}
