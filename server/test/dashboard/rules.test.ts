// The rules of a code in the dashboard, as a person writes and tries them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client, TypedQrCode } from '@everscan/client/create-client.ts'
import type { Locator, Page } from 'playwright-core'
import { accessibilityProblems, screenshotPath } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { phones } from '../support/phones.ts'
import { until } from '../support/service.ts'
import { countSteps } from '../support/steps.ts'

const everyDay = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

describe('the rules of a code', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let client: Client
  let orgId: string
  let menu: TypedQrCode

  before(async () => {
    dashboard = await openDashboard()
    ;({ page, client, orgId } = dashboard)
    menu = await client.qrCodes.create(orgId, {
      type: 'URL',
      name: 'Table',
      data: { url: 'https://example.com/menu' },
    })
  })
  after(async () => dashboard.close())

  const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: true })
  const rules = (): Locator =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: 'Rules', exact: true }) })
  const field = (label: string): Locator => rules().getByLabel(label, { exact: true })
  const save = async (): Promise<void> => {
    await button('Save changes').click()
    await page.getByText('All changes saved').first().waitFor({ state: 'attached' })
  }
  const scan = async (headers: Record<string, string> = {}): Promise<string | null> =>
    (
      await fetch(`${dashboard.service.baseUrl}/${menu.shortCode}`, {
        redirect: 'manual',
        headers: { 'user-agent': phones[0], ...headers },
      })
    ).headers.get('location')
  const saved = async () => (await client.qrCodes.read(orgId, menu.id)).rules
  const names = async (): Promise<string[]> =>
    rules().locator('[data-rule] > div button[aria-expanded] > .font-medium > :first-child').allInnerTexts()
  /** Looks at the whole card, also on a screen between a phone and a desktop. */
  const look = async (name: string): Promise<void> => {
    // Messages, and bars of the page, may cover buttons by chance.
    await page
      .getByRole('status')
      .getByRole('button', { name: 'Close' })
      .evaluateAll((buttons) => {
        for (const close of buttons) (close as unknown as { click: () => void }).click()
      })
    await page.evaluate('scrollTo(0, 0)')
    await dashboard.look(name)
    for (const [width, scheme] of [
      [390, 'light'],
      [660, 'dark'],
      [1280, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 2600 })
      await page.emulateMedia({ colorScheme: scheme })
      await rules().screenshot({ path: screenshotPath(`dashboard-${name}-card-${width}-${scheme}`) })
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ colorScheme: 'light' })
  }

  test('a lunch menu by hours takes at most 6 steps from the open code, and scans follow it', async () => {
    await dashboard.open(`/codes/${menu.id}`)
    await button(/^Opening hours/).waitFor()
    await look('rules-empty')
    const steps = countSteps('lunch menu by hours')
    await steps.click(button(/^Opening hours/))
    await steps.fill(field('Link'), 'example.com/lunch')
    await steps.click(button('Save changes'))
    await page.getByText('All changes saved').first().waitFor({ state: 'attached' })
    const count = steps.end()
    assert.ok(count <= 6, `${count} steps`)
    await page.getByText('On weekdays from 11:00 to 15:00').waitFor()
    const [lunch] = await saved()
    assert.deepEqual(lunch?.when?.days, ['MO', 'TU', 'WE', 'TH', 'FR'])
    assert.deepEqual(lunch.data, { url: 'https://example.com/lunch' })

    // The test runs at any hour: for it, lunch is all day.
    await button(/Lunch/).first().click()
    for (const day of ['Saturday', 'Sunday']) await field(day).check({ force: true })
    await field('From').fill('00:00')
    await field('To').fill('23:59')
    await save()
    assert.deepEqual((await saved())[0]?.when?.days, everyDay)
    assert.equal(await scan(), 'https://example.com/lunch')
  })

  test('rules are ordered with the keyboard; one that hides others is told, and undone', async () => {
    await button('Add a rule').click()
    await page.getByRole('menuitem', { name: 'Other rule' }).click()
    await field('Link').fill('example.com/all')
    await button('Add a rule').click()
    await page.getByRole('menuitem', { name: 'By language' }).click()
    await field('Link').fill('example.com/de')
    await page.getByText('This rule is never reached: “New rule” comes first').waitFor()
    await look('rules-warning')
    await button('Move “New rule” down').focus()
    await page.keyboard.press('Enter')
    await page.getByText('“New rule” is now rule 3 of 3.').waitFor()
    assert.equal(await page.getByText('This rule is never reached').count(), 0)
    assert.ok(await button('Move “New rule” up').evaluate((one) => one.matches(':focus')))
    assert.deepEqual(await names(), ['1. Lunch', '2. German', '3. New rule'])
    await button('Move “German” up').focus()
    await page.keyboard.press('Enter')
    assert.deepEqual(await names(), ['1. German', '2. Lunch', '3. New rule'])

    await button('Actions for the rule “New rule”').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    assert.deepEqual(await names(), ['1. German', '2. Lunch'])
    await button('Undo').click()
    assert.deepEqual(await names(), ['1. German', '2. Lunch', '3. New rule'])
    await rules().getByText('Use the rule “New rule”').or(field('Use the rule “New rule”')).first().uncheck()
    await save()
    assert.deepEqual(
      (await saved()).map(({ name, enabled }) => [name, enabled]),
      [
        ['German', true],
        ['Lunch', true],
        ['New rule', false],
      ],
    )
    assert.equal(await scan({ 'accept-language': 'de-AT' }), 'https://example.com/de')
  })

  test('unsaved rules are tried with any visitor, and with the scans of the last days', async () => {
    await button(/German/)
      .first()
      .click()
    await field('Link').fill('example.com/deutsch')
    await page.locator('summary').filter({ hasText: 'Try it' }).click()
    await rules().getByLabel('Language', { exact: true }).selectOption('German')
    await button('Show what they get').click()
    await page.getByText('They get German → example.com/deutsch').waitFor()
    await rules().getByLabel('Language', { exact: true }).selectOption('French')
    await button('Show what they get').click()
    await page.getByText('They get Lunch').waitFor()
    await page.getByText('German: does not fit: language').waitFor()
    await rules().getByLabel('Browser or app').selectOption('Instagram')
    await page.getByText('They get Lunch').waitFor({ state: 'detached' })
    await button('Show what they get').click()
    await page.getByText('They get Lunch').waitFor()
    await page.locator('summary').filter({ hasText: 'What would have happened' }).click()
    await until('both scans are stored', async () => {
      await button('Apply to the last 30 days').click()
      const result = page.getByText(/would have had another answer|There were no scans/)
      await result.waitFor()
      return (await result.innerText()) === '0 of 2 scans would have had another answer.'
    })
    // One scan was answered by each of the two rules.
    assert.deepEqual(await rules().locator('tbody tr').allInnerTexts(), [
      'German\t1 (50%)\t1 (50%)',
      'Lunch\t1 (50%)\t1 (50%)',
      'Everyone else\t0 (0%)\t0 (0%)',
    ])
    await look('rules-trial')
    assert.equal((await saved())[0]?.data?.['url' as never], 'https://example.com/de', 'not saved yet')
    await button('Discard changes').click()
  })

  test('a viewer can try rules, and is told what stands before them; closed hits are shown', async () => {
    const closed = { message: 'Back in May.' }
    await client.qrCodes.update(orgId, menu.id, { access: { endsAt: '2026-01-01T00:00:00Z', closed } })
    const tab = await dashboard.openAs({ email: 'vera@rules.example.com', role: 'VIEWER' })
    const open = (path: string) => tab.goto(`${dashboard.service.baseUrl}/app/${orgId}${path}`)
    await open(`/codes/${menu.id}`)
    const section = tab
      .locator('section')
      .filter({ has: tab.getByRole('heading', { name: 'Rules', exact: true }) })
    await section.locator('summary').filter({ hasText: 'Try it' }).click()
    await section.getByRole('button', { name: 'Show what they get' }).click()
    await section.getByText('The code has ended. They see the message “Back in May.”').waitFor()
    await section.getByText('If it were open, they would get Lunch').waitFor()
    assert.ok(await section.getByRole('button', { name: 'Move “Lunch” up' }).isDisabled())
    assert.equal(await section.getByRole('button', { name: 'Add a rule' }).count(), 0)
    for (const [width, colorScheme] of [
      [390, 'dark'],
      [660, 'light'],
      [1280, 'dark'],
    ] as const) {
      await tab.setViewportSize({ width, height: 2600 })
      await tab.emulateMedia({ colorScheme })
      await section.screenshot({
        path: screenshotPath(`dashboard-rules-viewer-card-${width}-${colorScheme}`),
      })
    }
    assert.deepEqual(await accessibilityProblems(tab), [])

    assert.equal(await scan(), null)
    const shown = 'Once, somebody found a code closed, or was asked for its password.'
    await until('the closed hit is shown', async () => {
      await open(`/codes/${menu.id}/analytics`)
      await tab.getByText('Bots and previews').first().waitFor()
      return (await tab.getByText(shown).count()) === 1
    })
    for (const [width, colorScheme] of [
      [390, 'light'],
      [1280, 'dark'],
    ] as const) {
      await tab.setViewportSize({ width, height: 900 })
      await tab.emulateMedia({ colorScheme })
      await tab.screenshot({ path: screenshotPath(`dashboard-closed-hits-${width}-${colorScheme}`) })
    }
    await client.qrCodes.update(orgId, menu.id, { access: null })
    await dashboard.open(`/codes/${menu.id}`)
    await rules().waitFor()
  })

  test('a rule that somebody else deleted meanwhile, or that was saved away, is a new one when it comes back', async () => {
    await rules().getByText('Lunch').first().waitFor()
    const read = await saved()
    await client.qrCodes.update(orgId, menu.id, { rules: read.slice(1) })
    await button('Move “German” down').click()
    await button('Save changes').click()
    await page.getByRole('heading', { name: 'Someone else changed this code' }).waitFor()
    await button('Save my changes').click()
    await page.getByText('All changes saved').first().waitFor({ state: 'attached' })
    const written = await saved()
    assert.deepEqual(
      written.map(({ name }) => name),
      ['Lunch', 'German', 'New rule'],
    )
    assert.equal(written[0]?.id, read[1]?.id)
    assert.notEqual(written[1]?.id, read[0]?.id, 'ids of deleted rules never come back')

    await button('Actions for the rule “German”').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await save()
    await button('Undo').click()
    await button('Move “German” up').waitFor()
    await save()
    assert.deepEqual(
      (await saved()).map(({ name }) => name),
      ['Lunch', 'German', 'New rule'],
      'undone after it was saved',
    )
  })

  test('rules are dragged, and an unfinished code is kept with them', async () => {
    const handle = rules().locator('[data-rule] [draggable=true]')
    await handle.nth(2).dragTo(rules().locator('[data-rule]').nth(0))
    assert.deepEqual(await names(), ['1. New rule', '2. Lunch', '3. German'])
    await button('Discard changes').click()
    await dashboard.open('/codes/new')
    await page.getByLabel('Link', { exact: true }).fill('https://example.com/new')
    await button(/^A\/B test/).click()
    await rules().getByText('50% A, 50% B').waitFor()
    await field('Link').last().fill('https://example.com/b')
    await look('rules-split')
    await dashboard.open('/codes')
    await dashboard.open('/codes/new')
    await button('Continue').click()
    await rules().getByText('50% A, 50% B').waitFor()
    await button('Create code').click()
    await page.getByRole('heading', { name: 'Your code is ready' }).waitFor()
    const id = /qr_[0-9a-z]{26}/.exec(page.url())?.[0] ?? ''
    const [rule] = (await client.qrCodes.read(orgId, id)).rules
    assert.deepEqual(
      rule?.split?.map(({ name, weight, data }) => [name, weight, data]),
      [
        ['A', 50, { url: 'https://example.com/new' }],
        ['B', 50, { url: 'https://example.com/b' }],
      ],
    )
    await dashboard.open(`/codes/${menu.id}`)
    await rules().waitFor()
  })

  test('problems of the service and of the form stand at their fields', async () => {
    await button('Add a rule').click()
    await page.getByRole('menuitem', { name: 'Other rule' }).click()
    await button('Add a condition').click()
    await page.getByRole('menuitem', { name: 'States or regions' }).click()
    await field('States or regions').fill('DE-ZZ')
    await field('States or regions').press('Enter')
    await button('Save changes').click()
    await page.getByText('This field is required.').waitFor()
    await field('Link').fill('example.com/x')
    await button('Save changes').click()
    await page.getByText(/Must be an ISO 3166-2 code/).waitFor()
    await look('rules-problem')
    await button('Remove DE-ZZ').click()
    await field('States or regions').fill('DE-BY')
    await field('States or regions').press('Enter')
    await save()
    assert.deepEqual((await saved()).at(-1)?.when, { regions: ['DE-BY'] })
    await dashboard.open('/codes')
    await page.getByText('4 rules').waitFor()
    await dashboard.look('rules-list')
    assert.deepEqual(dashboard.problems, [])
  })
})
