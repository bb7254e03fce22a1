// Left to the soak: `domains/domains` asks the API, `dashboard/widths` opens the page.
// Domains in the dashboard: adding one, its records, codes on it, and its deletion.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startDnsServer, type Zone } from '../../src/api/testing/dns-server.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { until } from '../support/service.ts'

// For the whole file: a server started in a hook ends with the hook.
const zone: Zone = {}
const dns = await startDnsServer(zone)
after(() => dns.close())

const hostname = 'go.example.com'
const longName = 'Schaufensterbeschriftungsverordnung der Niederlassung Donaueschingen am Bahnhof'

describe('domains', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let orgId: string
  let look: Dashboard['look']

  before(async () => {
    dashboard = await openDashboard({
      DNS_SERVERS: dns.address,
      PUBLIC_URL: 'http://qr.example.net',
      HTTPS_PORT: '0',
      // Nobody answers there.
      ACME_DIRECTORY_URL: 'https://127.0.0.1:1/directory',
    })
    ;({ page, orgId, look } = dashboard)
  })
  after(async () => dashboard.close())

  const button = (name: string, tab = page) => tab.getByRole('button', { name, exact: true })
  const choose = async (what: string) => {
    await button(`Actions for ${hostname}`).click()
    await page.getByRole('menuitem', { name: what, exact: true }).click()
  }
  /** Changes the catalogue as the worker would. */
  const change = (sql: string) => {
    const catalogue = new DatabaseSync(join(dashboard.service.dataDir, 'catalogue.sqlite'))
    catalogue.exec(`pragma busy_timeout = 5000; ${sql}`)
    catalogue.close()
  }
  /** Copies a row with other values, as another organization could have it. */
  const copyRow = (
    from: string,
    where: string,
    values: Readonly<Record<string, string | number>>,
    to = from,
  ) => {
    const catalogue = new DatabaseSync(join(dashboard.service.dataDir, 'catalogue.sqlite'))
    catalogue.exec('pragma busy_timeout = 5000')
    const columnsOf = (table: string) =>
      catalogue
        .prepare(`select name from pragma_table_info('${table}')`)
        .all()
        .map(({ name }) => String(name))
    const known = new Set(columnsOf(from))
    const columns = columnsOf(to).filter((name) => name in values || known.has(name))
    const selected = columns.map((name) => (name in values ? ':' + name : name))
    catalogue
      .prepare(
        `insert into ${to} (${columns.join()}) select ${selected.join()} from ${from} where ${where} limit 1`,
      )
      .run(Object.fromEntries(Object.entries(values).map(([name, value]) => [':' + name, value])))
    catalogue.close()
  }
  const domain = async () => (await dashboard.client.domains.list(orgId)).data[0] ?? assert.fail('no domain')

  test('a domain is added; what to set is shown and copied, and a check tells what is missing', async () => {
    await dashboard.open('/settings')
    await page.getByRole('link', { name: 'Domains', exact: true }).click()
    await page.getByText('No domain of your own yet').waitFor()
    await look('domains-none')
    await button('Add domain').click()
    await page.getByLabel('Host name').fill('localhost')
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
    await page.getByLabel('Host name').and(page.locator('[aria-invalid=true]')).waitFor()
    await look('domains-add')
    await page.getByLabel('Host name').fill('GO.example.com')
    const forms = page.getByLabel('Short links', { exact: true })
    await forms.selectOption('exact')
    await look('domains-add-exact')
    await forms.selectOption('canonical')
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
    await page.getByText('Not proved yet').waitFor()
    const { verification } = await domain()
    await page.getByText(verification.name, { exact: true }).waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await button('Copy the value of the TXT record').click()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), verification.value)
    await page.getByText('Copied', { exact: true }).waitFor({ state: 'detached' })
    await page.getByText('qr.example.net', { exact: true }).waitFor()

    await button(`Check now: ${hostname}`).click()
    await page.getByText(`There is no TXT record ${verification.name}`).waitFor()
    await page.getByText('Changes of the DNS can take an hour').waitFor()
    await page.getByText('Scans of this domain do not arrive here yet.').waitFor()
    await look('domains-pending')
    const { id } = await domain()
    change(`insert into waiting_qr_codes (organization_id, id, hostname, short_code, canonical_code,
      domain_id, type, name, name_search, data, pass_query, limit_resets, scan_count, scans_before, style,
      metadata, status, picture_version, picture_mask, version, history_version, history_changed,
      name_folded, content_folded, name_order, search_version, tags, created_at_ms, updated_at_ms)
      values ('${orgId}', 'qr_waits', '${hostname}', 'MENU', 'MENU', '${id}', 'TEXT', '${longName}', '',
      '{"text":"a"}', 0, 0, 0, 0, '{}', '{}', 'ACTIVE', 1, 0, 1, 1, '[]', '', '', '', 1, '[]', 0, 0)`)
    await page.reload()
    await page.getByText('1 code waits for the proof').click()
    await page.getByText(longName).waitFor()
    await look('domains-waiting')
    change('delete from waiting_qr_codes')
    zone[verification.name] = { TXT: [verification.value] }
    zone[hostname] = { A: ['192.0.2.1'] }
    await button(`Check now: ${hostname}`).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await page.getByText(`${hostname}: every record is set.`).waitFor()
    // The records are folded now.
    assert.equal(await page.getByText(verification.name, { exact: true }).isVisible(), false)
    await page.getByText('DNS records', { exact: true }).click()
    await page.getByText('Leads to 192.0.2.1').waitFor()
  })

  test('it leads where the admin says, and is for new codes; both can be taken back', async () => {
    await choose('Change where it leads')
    await page.getByLabel('Home page').fill('https://example.com/')
    await page.getByLabel('Unknown codes').fill('javascript:alert(1)')
    await button('Save').click()
    await page.getByLabel('Unknown codes').and(page.locator('[aria-invalid=true]')).waitFor()
    await page.getByLabel('Unknown codes').fill('')
    await look('domains-addresses')
    await button('Save').click()
    await page.getByText('https://example.com/', { exact: true }).waitFor()
    assert.deepEqual([(await domain()).rootUrl, (await domain()).notFoundUrl], ['https://example.com/', null])
    await choose('Use for new codes')
    await page.getByText(`New codes are on ${hostname} now.`).waitFor()
    await button('Undo').last().click()
    await page.getByText('New codes are on the address of this installation now.').waitFor()
    assert.equal((await domain()).isDefault, false)
    await choose('Use for new codes')
    await page.getByText('For new codes', { exact: true }).waitFor()
    // As if orders of the service had failed since the last one.
    change(
      `insert or replace into certificates (hostname, attempts, next_order_at_ms, expires_at_ms, problem)
      values ('${hostname}', 3, ${Date.UTC(2099, 0, 1)}, ${Date.UTC(2099, 0, 2)}, 'no answer on port 80')`,
    )
    await page.reload()
    await page.getByText(/could not be renewed, and ends .*2099: no answer on port 80$/).waitFor()
    await look('domains')
  })

  test('it says whether scans arrive, and why not', async () => {
    await page.getByText('This server can’t find out itself whether scans arrive.').waitFor()
    const reach = async (value: string) => {
      change(`update domains set reach = '${value}'`)
      await page.reload()
    }
    await reach('ELSEWHERE')
    await page.getByText(`Another server answers for ${hostname}`).waitFor()
    await look('domains-elsewhere')
    await reach('HERE')
    await page.getByText('Scans of this domain arrive here.').waitFor()
  })

  test('its certificate can be had by a DNS record, before it leads here', async () => {
    change('update certificates set problem = null, expires_at_ms = null, next_order_at_ms = 1e15')
    await page.reload()
    await page.getByText('The certificate for https is being ordered').waitFor()
    await choose('Get the certificate by DNS')
    await page.getByText(`The record to set for ${hostname} is shown in a minute.`).waitFor()
    assert.equal((await domain()).certificateProof, 'dns')
    const value = 'gfj9Xq8wQq0Zk3d2b7m4n6p1r5t8v0x2z4a6c8e0g2i'
    change(`update certificates set dns_value = '${value}', next_order_at_ms = 1e15`)
    await page.reload()
    await page.getByText('DNS record for the certificate').waitFor()
    await page.getByText(`_acme-challenge.${hostname}`, { exact: true }).waitFor()
    await button('Copy the value of the record for the certificate').click()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), value)
    await page.getByText('Copied', { exact: true }).waitFor({ state: 'detached' })
    await look('domains-certificate-record')
    await choose('Get the certificate automatically')
    await page.getByText('The certificate is ordered as soon as').waitFor()
    assert.equal((await domain()).certificateProof, 'automatic')
  })

  test('a domain takes short links of another product, until it has a code', async () => {
    await choose('Change its short links')
    await page.getByLabel('Short links', { exact: true }).selectOption('exact')
    await button('Save').click()
    await page.getByText('Letter case counts in its short links.').waitFor()
    await look('domains-exact')
    await dashboard.open('/codes/new?type=URL')
    await page.getByLabel('Link', { exact: true }).fill('https://example.com/menu')
    await page
      .getByText('Folder, tags and short link')
      .or(page.getByText('More', { exact: true }))
      .first()
      .click()
    const shortLink = page.getByLabel('Custom short link')
    await shortLink.fill('a//b')
    await shortLink.blur()
    await page.getByText('Must be 1 to 128 letters').waitFor()
    await look('domains-exact-code')
    await shortLink.fill('aB')
    await shortLink.blur()
    await page.getByText('Must be 1 to 128 letters').waitFor({ state: 'detached' })
    await dashboard.open('/codes/new?type=URL')
    await button('Start new').click()
    await dashboard.open('/settings/domains')
    await choose('Change its short links')
    await page.getByLabel('Short links', { exact: true }).selectOption('canonical')
    await button('Save').click()
    await page.getByText('Letter case counts in its short links.').waitFor({ state: 'detached' })
    assert.equal((await domain()).codes, 'canonical')
  })

  test('a new code is on the default domain or another; lists show and filter by it', async () => {
    await dashboard.open('/codes/new?type=URL')
    const { id } = await domain()
    const choice = page.getByLabel('Domain', { exact: true })
    assert.equal(await choice.inputValue(), id)
    await page.getByLabel('Link', { exact: true }).fill('https://example.com/menu')
    await page.getByLabel('Name', { exact: true }).fill('On the domain')
    await choice.scrollIntoViewIfNeeded()
    await look('domains-new-code')
    await button('Create code').click()
    await page.getByText(`${hostname}/`).first().waitFor()
    await dashboard.open('/codes/new?type=URL')
    await page.getByLabel('Link', { exact: true }).fill('https://example.com/other')
    await page.getByLabel('Name', { exact: true }).fill('On the installation')
    await choice.selectOption('This installation')
    await button('Create code').click()
    await page.getByText(`qr.example.net/`).first().waitFor()
    const made = (await dashboard.client.qrCodes.list(orgId)).data
    assert.deepEqual(
      made.map(({ name, domainId }) => [name, domainId]),
      [
        ['On the installation', null],
        ['On the domain', id],
      ],
    )
    await dashboard.open('/codes')
    await page.getByRole('link', { name: 'On the installation', exact: true }).waitFor()
    await page.getByLabel('Domain', { exact: true }).selectOption(hostname)
    await page.getByRole('link', { name: 'On the installation', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'On the domain', exact: true }).waitFor()
    assert.match(page.url(), new RegExp(`domain=${id}`))
    await look('domains-codes')
    await page.getByLabel('Domain', { exact: true }).selectOption('This installation')
    await page.getByRole('link', { name: 'On the installation', exact: true }).waitFor()
  })

  test('codes of a former owner are listed, and get notice; lost ones get another short link', async () => {
    const { id } = await domain()
    // Another organization had the name, with the code of that name; and one of our codes is lost.
    copyRow('organizations', `id = '${orgId}'`, { id: 'org_former', slug: 'former', operator: 0 })
    copyRow('domains', `id = '${id}'`, { organization_id: 'org_former', status: 'PENDING', is_default: 0 })
    const former = { organization_id: 'org_former', canonical_code: `${hostname}/FORMER` }
    copyRow('short_codes', `canonical_code like '${hostname}/%'`, { ...former, short_code: 'FORMER' })
    copyRow('qr_codes', `domain_id = '${id}'`, { ...former, number: 999_999 })
    copyRow(
      'qr_codes',
      `organization_id = '${orgId}' and domain_id = '${id}'`,
      { id: 'qr_lost', hostname, short_code: 'FORMER', tags: '[]', scan_count: 0, lost_at_ms: 1 },
      'waiting_qr_codes',
    )
    await dashboard.open('/settings/domains')
    await page.getByText('Answers codes of this organization (1) and of an earlier owner (1).').waitFor()
    await page.getByText('Codes of the former owner: 1', { exact: true }).click()
    await page.getByText(`http://${hostname}/FORMER`).first().waitFor()
    await page.getByText('https://example.com/menu', { exact: true }).waitFor()
    await button('Give notice').click()
    await page.getByText('Its printed codes on this name work for 90 more days.').waitFor()
    await look('domains-notice-question')
    await page.getByRole('dialog').getByRole('button', { name: 'Give notice' }).click()
    await page.getByText(/^They end on /).waitFor()
    await page.getByText('1 imported code whose short link another code has').click()
    await button('Change the short link of On the domain').scrollIntoViewIfNeeded()
    await look('domains-notice')
    await button('Change the short link of On the domain').click()
    await page.getByLabel('Short link', { exact: true }).fill('no!')
    await button('Save').click()
    await page.getByLabel('Short link', { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor()
    await page.getByLabel('Short link', { exact: true }).fill('ANOTHER')
    await button('Save').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button('Withdraw notice').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw notice' }).click()
    await button('Give notice').waitFor()
    // The former owner sees the notice at its domain and its codes.
    change(
      `update domains set notice_ends_at_ms = ${Date.UTC(2099, 0, 2)} where organization_id = '${orgId}'`,
    )
    await dashboard.open('/settings/domains')
    await page.getByText(/belongs to another organization now, which gave notice/).waitFor()
    await look('domains-on-notice')
    await dashboard.open('/codes')
    await page.getByRole('link', { name: 'On the domain', exact: true }).first().click()
    await page.getByText(/your codes on it end on .*2099/).waitFor()
    await look('domains-code-on-notice')
    change(`update domains set notice_ends_at_ms = null`)
    change(
      `delete from qr_codes where organization_id = 'org_former'; delete from domains where organization_id = 'org_former'`,
    )
    const { qrCodes } = dashboard.client
    await until('a lost code with another short link is a code', async () => {
      return (await qrCodes.read(orgId, 'qr_lost')).waiting === undefined
    })
    await qrCodes.delete(orgId, 'qr_lost')
  })

  test('others see domains and change nothing; deletion says what happens to prints, and wants the name', async () => {
    const tab = await dashboard.openAs({ email: 'eve@example.com', role: 'EDITOR' })
    await tab.goto(`${dashboard.service.baseUrl}/app/${orgId}/settings/domains`)
    await tab.getByText('Only admins of the organization can change them.').waitFor()
    await tab.getByRole('heading', { name: hostname }).waitFor()
    for (const absent of ['Add domain', `Check now: ${hostname}`])
      assert.equal(await button(absent, tab).count(), 0, absent)
    await tab.context().close()

    await dashboard.open('/settings/domains')
    await choose('Delete')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('One active code is on this domain. It will be archived.').waitFor()
    await dialog.getByText('Everything printed with this domain stops working').waitFor()
    const confirm = button('Archive codes and delete domain')
    assert.equal(await confirm.isDisabled(), true)
    await look('domains-delete')
    await page.getByLabel(`Type ${hostname} to confirm`).fill(hostname)
    await confirm.click()
    await page.getByText('No domain of your own yet').waitFor()
    const { data } = await dashboard.client.qrCodes.list(orgId, { status: 'ARCHIVED' })
    assert.deepEqual(
      data.map(({ name }) => name),
      ['On the domain'],
    )
    assert.deepEqual(dashboard.problems, [])
  })
})
