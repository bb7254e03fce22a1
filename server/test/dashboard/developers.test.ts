// Left to the soak: `conformance/conformance` has keys, webhooks; `dashboard/widths` pages.
// Keys and webhooks in the dashboard, as a developer uses them: pasted commands work, and events
// arrive.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { verifyWebhook, type TypedQrCode } from '@everscan/client/create-client.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { Page } from 'playwright-core'
import { startReceiver, type Receiver } from '../../src/jobs/webhooks/testing/receiver.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { until } from '../support/service.ts'

/** Runs a command as if pasted into a terminal, and returns the JSON that it prints. */
async function paste<T>(command: string): Promise<T> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command])
  return JSON.parse(stdout) as T
}

describe('developers', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let receiver: Receiver
  let page: Page
  let look: Dashboard['look']
  /** For pages that show more of what others show too: only in the soak. */
  const lookLong: Dashboard['look'] = async (name) => (process.env['SOAK'] === '1' ? look(name) : undefined)

  before(async () => {
    receiver = await startReceiver()
    dashboard = await openDashboard({ WEBHOOK_ALLOW_PRIVATE: 'true' })
    ;({ page, look } = dashboard)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  after(async () => {
    await dashboard.close()
    await receiver.close()
  })

  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' })
  const dialog = () => page.getByRole('dialog')
  const command = async () => (await page.getByLabel('Try it').textContent()) ?? ''
  const clipboard = async () => String(await page.evaluate('navigator.clipboard.readText()'))

  test('a key is created and shown once, and the command with it works when pasted', async () => {
    await dashboard.open('/codes')
    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    assert.match(await command(), /YOUR_API_KEY/)
    await button('New key').click()
    await look('key-dialog')
    await page.getByLabel('What is it for?').fill('Shop system')
    await button('Create key').click()
    await page.getByText('The key “Shop system”').waitFor()
    await look('key-made')
    await button('Copy the key').click()
    await page.getByText('Copied').waitFor()
    const key = await clipboard()
    assert.match(key, /^evs_[0-9A-Za-z]{38}$/)
    await button('Copy the command').click()
    const copied = await clipboard()
    assert.equal(copied, await command())
    const made = await paste<TypedQrCode>(copied)
    assert.equal(made.name, 'My first code')
    assert.equal((await dashboard.client.qrCodes.read(dashboard.orgId, made.id)).id, made.id)

    await button('Done, I’ve saved it').click()
    await page.reload()
    await page.getByRole('listitem').filter({ hasText: 'Shop system' }).getByText('last used').waitFor()
    assert.equal(await page.getByText(key).count(), 0)
    const byKey = await fetch(
      `${dashboard.service.baseUrl}/api/v1/organizations/${dashboard.orgId}/api-keys`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': dashboard.service.apiKey },
        body: JSON.stringify({ name: 'Made by a key' }),
      },
    )
    assert.equal(byKey.status, 201)
    await page.reload()
    const creatorOf = (name: string) =>
      page.getByRole('listitem').filter({ hasText: name }).getByText('created by')
    assert.equal(await creatorOf('Made by a key').textContent(), 'created by key “First key”')
    assert.equal(await creatorOf('Shop system').textContent(), 'created by Administrator')
    assert.match(await command(), /YOUR_API_KEY/)
    assert.equal(await page.getByText(dashboard.orgId, { exact: true }).count(), 1)
    await look('developers')

    await button('Revoke: Shop system').click()
    await lookLong('revoke-key')
    await button('Revoke key').click()
    await page.getByRole('listitem').filter({ hasText: 'Shop system' }).getByText('Revoked').waitFor()
    assert.equal((await paste<ErrorBody>(copied)).code, 'API_KEY_REVOKED')
  })

  test('the command with a read-only key lists codes', async () => {
    await button('New key').click()
    await page.getByLabel('What is it for?').fill('Screen in the lobby')
    await page.getByLabel('Role', { exact: true }).selectOption('VIEWER')
    await page.getByLabel('Expires').selectOption('30 days')
    await button('Create key').click()
    await page.getByText('The key “Screen in the lobby”').waitFor()
    const { data } = await paste<{ data: TypedQrCode[] }>(await command())
    assert.deepEqual(
      data.map(({ name }) => name),
      ['My first code'],
    )
    await page.getByText(/expires /).waitFor()
    await button('Done, I’ve saved it').click()
  })

  test('a key for some parts, from some networks, until a day: the list and the command say so', async () => {
    await button('New key').click()
    await page.getByLabel('What is it for?').fill('Report')
    await page.getByText('Only some of it').click()
    await button('Create key').click()
    await dialog().getByText('Choose at least one.').waitFor()
    // An EDITOR cannot manage the organization.
    assert.equal(await page.getByLabel('Manage the organization').count(), 0)
    await page.getByLabel('Role', { exact: true }).selectOption('ADMIN')
    await page.getByLabel('Manage the organization').check()
    await look('key-dialog-scopes')
    await page.getByLabel('Role', { exact: true }).selectOption('EDITOR')
    await page.getByLabel('Change codes').check()
    assert.ok(await page.getByLabel('Read codes').isChecked())
    assert.ok(await page.getByLabel('Read codes').isDisabled())
    await page.getByLabel('Change codes').uncheck()
    await page.getByLabel('Read analytics').check()
    await page.getByLabel('Expires').selectOption('On a date')
    await page.getByLabel('Last day').fill('2099-06-30')
    await page.getByText('More options').click()
    const networks = page.getByLabel('Accept it only from')
    await networks.fill('127.0.0.0/8\n\n203.0.113.7/24\noffice\n2001:db8::1')
    await button('Create key').click()
    await dialog()
      .getByText('Line 3: must begin with the first address of the network, as in 203.0.113.0/24')
      .waitFor()
    await dialog().getByText('Line 4: must be an IP address or a network').waitFor()
    await look('key-dialog-limits')
    await networks.fill('127.0.0.0/8\n203.0.113.0/24\n2001:db8::1')
    await button('Create key').click()
    await page.getByText('The key “Report”').waitFor()
    await page.getByText('The key is accepted only from 127.0.0.0/8, 203.0.113.0/24 and 1 more.').waitFor()
    const organization = await paste<{ id: string }>(await command())
    assert.equal(organization.id, dashboard.orgId)
    const row = page.getByRole('listitem').filter({ hasText: 'Report' })
    await row.getByText('may only read analytics').waitFor()
    await row.getByText('accepted only from 127.0.0.0/8, 203.0.113.0/24 and 1 more').waitFor()
    await row.getByText('expires after 30 June 2099 (UTC)').waitFor()
    await button('Done, I’ve saved it').click()
    await look('developers-limits')
  })

  test('the reference is one press away', async () => {
    assert.equal(await page.getByRole('link', { name: 'API reference' }).getAttribute('href'), '/docs')
  })

  let secret = ''

  test('a webhook is created; its secret, shown only once, signs the events that arrive', async () => {
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByText('No webhooks yet').waitFor()
    await lookLong('webhooks-none')
    await button('New webhook').click()
    await page.getByLabel('Address (URL)').fill(receiver.url)
    await page.getByLabel('What is it for?').fill('Stock')
    await button('Create webhook').click()
    await dialog().getByText('Choose at least one.').waitFor()
    await page.getByLabel('Code scanned').check()
    await page.getByLabel('Code created').check()
    await look('webhook-dialog')
    await button('Create webhook').click()
    await page.getByText('Signing secret').waitFor()
    secret = (await page.getByRole('status').locator('code').textContent()) ?? ''
    await lookLong('webhooks')
    await page.getByRole('link', { name: /Stock/ }).click()
    await page.getByText('No deliveries yet').waitFor()
    await lookLong('webhook-none')
    await button('Send test').click()
    await until('the test arrives', () => receiver.calls.length === 1)
    const [call] = receiver.calls
    const event = await verifyWebhook(secret, call?.headers ?? {}, call?.body ?? '')
    assert.equal(event.event, 'webhook.ping')
    await page.getByRole('listitem').getByText('Delivered').waitFor()
    await page.getByText('Test', { exact: true }).last().click()
    await page.getByText(event.id).waitFor()
    await look('webhook')
  })

  test('a failed delivery states why, and is sent again; the URL stores the filters', async () => {
    receiver.behave((_call, response) => response.writeHead(500).end('out of <b>paper</b>'))
    const data = { url: 'https://example.com/' }
    await dashboard.client.qrCodes.create(dashboard.orgId, { type: 'URL', name: 'Poster', data })
    await until('the event arrives', () => receiver.calls.length === 2)
    await page.reload()
    const row = page.getByRole('listitem').filter({ hasText: 'Code created' })
    await row.locator('summary').getByText('HTTP 500').waitFor()
    await row.locator('summary').click()
    await row.getByText('out of <b>paper</b>').waitFor()
    await lookLong('webhook-failing')
    await page.getByLabel('Status').selectOption('Delivered')
    await row.waitFor({ state: 'detached' })
    assert.match(page.url(), /status=SUCCEEDED/)
    await page.getByLabel('Status').selectOption('All statuses')
    await row.waitFor()
    receiver.behave(undefined)
    if (!(await row.getByRole('button', { name: 'Send again' }).isVisible()))
      await row.locator('summary').click()
    await row.getByRole('button', { name: 'Send again' }).click()
    await until('it arrives again', () => receiver.calls.length >= 3)
    await page.getByRole('listitem').filter({ hasText: 'Code created' }).getByText('Delivered').waitFor()
  })

  test('a disabled webhook states why, and is turned on again; it is paused and edited', async () => {
    receiver.behave((_call, response) => response.writeHead(410).end())
    await button('Send test').click()
    // Not the number alone: a duration or a part of an id can match it too.
    await page.getByText('HTTP 410').first().waitFor()
    await page.reload()
    await page.getByText('This webhook is paused').waitFor()
    const { disabledReason } =
      (await dashboard.client.webhooks.list(dashboard.orgId)).data.at(0) ?? assert.fail('no webhook')
    await page.getByText(disabledReason ?? 'a reason').waitFor()
    await look('webhook-disabled')
    receiver.behave(undefined)
    await button('Resume').click()
    await button('Pause').waitFor()
    await button('Pause').click()
    await button('Resume').click()
    await button('Edit').click()
    await page.getByLabel('All events').check()
    await button('Save').click()
    await dialog().waitFor({ state: 'detached' })
    await page
      .getByRole('paragraph')
      .filter({ hasText: /^All events$/ })
      .waitFor()
  })

  test('a new secret is shown only once, and signs together with the old one', async () => {
    await button('Rotate secret').click()
    await button('Rotate secret').click()
    await page.getByText('Signing secret').waitFor()
    const renewed = (await page.getByRole('status').locator('code').textContent()) ?? ''
    assert.notEqual(renewed, secret)
    const earlier = receiver.calls.length
    await button('Send test').click()
    // Earlier calls are still being retried meanwhile.
    const tested = () => receiver.calls.slice(earlier).find(({ body }) => body.includes('"webhook.ping"'))
    await until('the test arrives', () => tested() !== undefined)
    const call = tested()
    for (const one of [secret, renewed])
      assert.equal((await verifyWebhook(one, call?.headers ?? {}, call?.body ?? '')).event, 'webhook.ping')
  })

  test('a webhook is deleted', async () => {
    await button('Delete').click()
    await button('Delete webhook').click()
    await page.getByText('No webhooks yet').waitFor()
  })

  test('a VIEWER sees the id of the organization and the reference, but no keys and webhooks', async () => {
    const viewer = await dashboard.openAs({ email: 'grace@developers.example.com', role: 'VIEWER' })
    await viewer.goto(`${dashboard.service.baseUrl}/app/${dashboard.orgId}/developers`)
    await viewer.getByText('Only admins of the organization').waitFor()
    await viewer.getByText(dashboard.orgId, { exact: true }).waitFor()
    assert.equal(await viewer.getByRole('button', { name: 'New key' }).count(), 0)
    assert.equal(await viewer.getByRole('link', { name: 'Webhooks' }).count(), 0)
    await viewer.goto(`${dashboard.service.baseUrl}/app/${dashboard.orgId}/developers/webhooks`)
    await viewer.getByText('Only admins of the organization').waitFor()
    assert.equal(await viewer.getByRole('button', { name: 'New webhook' }).count(), 0)
    await viewer.context().close()
    assert.deepEqual(dashboard.problems, [])
  })
})
