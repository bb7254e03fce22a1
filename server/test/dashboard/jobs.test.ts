// Jobs of a first day, with the steps that they take in a browser.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { screenshotPath } from '../support/browser.ts'
import { openDashboard, password, type Dashboard } from '../support/dashboard.ts'
import { workbookOf } from '../../src/api/testing/workbooks.ts'
import { countSteps } from '../support/steps.ts'

describe('jobs', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard()
    ;({ page } = dashboard)
  })
  after(async () => dashboard.close())

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const field = (name: string) => page.getByLabel(name, { exact: true })

  test('from the first sign-in to a file for the print shop in at most 9 steps', async () => {
    await page.goto(`${dashboard.service.baseUrl}/app`)
    const steps = countSteps('first PDF')
    await steps.fill(field('E-mail address'), dashboard.email)
    await steps.fill(field('Password'), password)
    await steps.click(button('Sign in'))
    await steps.click(page.getByRole('link', { name: 'Create code' }).first())
    await steps.fill(field('Link'), 'example.com/spring')
    await steps.click(button('Create code'))
    await page.getByRole('heading', { name: 'Your code is ready' }).waitFor()
    await steps.click(page.locator('label').filter({ hasText: 'PDF', has: page.getByRole('radio') }))
    const downloading = page.waitForEvent('download')
    await steps.click(page.getByRole('link', { name: 'Download PDF' }).or(button('Download PDF')))
    const path = await (await downloading).path()
    assert.match((await readFile(path)).subarray(0, 5).toString('latin1'), /^%PDF-/)
    const count = steps.end()
    assert.ok(count <= 9, `${count} steps`)
    const { data } = await dashboard.client.qrCodes.list(dashboard.orgId)
    assert.deepEqual(
      data.map((code) => code.data),
      [{ url: 'https://example.com/spring' }],
    )
  })

  test('a person is invited, and is in the organization, in at most 6 steps together', async () => {
    await dashboard.open('/settings/members')
    const steps = countSteps('invite and be in')
    await steps.click(button('Invite someone'))
    await steps.fill(field('E-mail address'), 'grace@example.com')
    await steps.click(button('Create invitation'))
    const link = (await page.getByRole('status').locator('code').textContent()) ?? ''
    const guest = await dashboard.openContext()
    const tab = await guest.newPage()
    await tab.goto(link.replace(/^https?:\/\/[^/]+/, dashboard.service.baseUrl))
    await tab.getByText('invites you to work on the codes of').waitFor()
    await dashboard.look('jobs-invitation', tab)
    await steps.fill(tab.getByLabel('Your name'), 'Grace')
    await steps.fill(tab.getByLabel('Choose a password'), 'another long password')
    await steps.click(tab.getByRole('button', { name: 'Accept and sign in' }))
    await tab.getByText('Welcome to').waitFor()
    await tab.getByRole('heading', { name: 'Codes' }).waitFor()
    const count = steps.end()
    assert.ok(count <= 6, `${count} steps`)
    await guest.close()
  })

  test('a menu of 12 dishes is made from a pasted list in at most 15 steps', async () => {
    const { client, orgId } = dashboard
    await dashboard.open('/codes')
    const steps = countSteps('menu of 12 dishes')
    await steps.click(page.getByRole('link', { name: 'Create code' }).first())
    await steps.click(page.locator('label').filter({ hasText: 'Menu', has: page.getByRole('radio') }))
    await steps.click(page.locator('label').filter({ hasText: 'I’ll enter it here' }))
    await steps.fill(field('Name of the restaurant'), 'Trattoria da Lucia')
    await steps.click(button('Paste a list'))
    await steps.fill(field('Your menu'), pastedMenu)
    await page.getByText('12 dishes in 3 sections').first().waitFor()
    await dashboard.look('jobs-menu-paste')
    await steps.click(button('Add 12 dishes'))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await dashboard.look('jobs-menu')
    await page.setViewportSize({ width: 660, height: 900 })
    await page.screenshot({ path: screenshotPath('dashboard-jobs-menu-660'), fullPage: true })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.screenshot({ path: screenshotPath('dashboard-jobs-menu-390'), fullPage: true })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.screenshot({ path: screenshotPath('dashboard-jobs-menu-1280'), fullPage: true })
    await steps.click(button('Create code'))
    await page.getByRole('heading', { name: 'Your code is ready' }).waitFor()
    const count = steps.end()
    assert.ok(count <= 15, `${count} steps`)
    const code = (await client.qrCodes.list(orgId, { type: 'MENU' })).data[0] ?? assert.fail()
    const { sections } = code.data as { sections: { name: string; items: object[] }[] }
    assert.deepEqual(
      sections.map(({ name, items }) => [name, items.length]),
      [
        ['Antipasti', 4],
        ['Pasta', 5],
        ['Dolci', 3],
      ],
    )
    assert.deepEqual(sections[0]?.items[0], {
      name: 'Bruschetta',
      description: 'tomato, basil, garlic',
      price: 6.5,
      currency: 'EUR',
    })
    await client.qrCodes.delete(orgId, code.id)
  })

  test('a code is deleted and taken back in at most 4 steps', async () => {
    const { client, orgId } = dashboard
    const [code] = (await client.qrCodes.list(orgId)).data
    await dashboard.open('/codes')
    const steps = countSteps('delete and take back')
    await steps.click(button(`Actions for ${code?.name}`))
    await steps.click(page.getByRole('menuitem', { name: 'Delete' }))
    await steps.click(page.getByRole('dialog').getByRole('button', { name: 'Delete 1 code' }))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal((await client.qrCodes.list(orgId)).pagination.total, 0)
    await steps.click(button('Undo'))
    await button(`Actions for ${code?.name}`).waitFor()
    const count = steps.end()
    assert.ok(count <= 4, `${count} steps`)
    assert.equal((await client.qrCodes.list(orgId)).data[0]?.shortCode, code?.shortCode)
  })

  test('a file of 300 rows, 7 of them faulty, is imported whole in at most 12 steps', async () => {
    const { client, orgId } = dashboard
    await dashboard.open('/imports')
    const rows = Array.from({ length: 300 }, (_, at): string[] => {
      const isFaulty = at % 43 === 20
      return [`Poster ${at + 1}`, isFaulty ? 'no address' : `https://example.com/${at + 1}`, 'for Anna']
    })
    const buffer = await workbookOf([['Title', 'Link', 'Remarks'], ...rows])
    const { total } = (await client.qrCodes.list(orgId)).pagination
    const steps = countSteps('import 300 rows')
    const drop = page.getByLabel('Drop an xlsx or CSV file here')
    await steps.choose(drop, { name: 'posters.xlsx', mimeType: 'application/octet-stream', buffer })
    await steps.click(button('Ignore it'))
    await page.getByText('293 rows valid, 7 rows have a problem').waitFor()
    await dashboard.look('jobs-import-repair')
    for (const line of [22, 65, 108, 151, 194, 237, 280])
      await steps.fill(field(`url, Line ${line}`), `https://example.com/repaired/${line}`)
    await steps.click(button('Import 300 codes'))
    await page.getByText('300 codes imported').waitFor()
    const count = steps.end()
    assert.ok(count <= 12, `${count} steps`)
    assert.equal((await client.qrCodes.list(orgId)).pagination.total - total, 300)
    const { data } = await client.qrCodes.list(orgId, { q: 'repaired' })
    assert.equal(data.length, 7)
    assert.deepEqual(dashboard.problems, [])
  })
})

/** A menu as it stands in a document. */
const pastedMenu = `
ANTIPASTI

Bruschetta – tomato, basil, garlic   6,50 €
Vitello tonnato   12,00 €
Burrata   11,00 €
Olives .......... 4,50 €

Pasta

Cacio e pepe   12,50 €
Orecchiette   13,00 €
Lasagne   13,50 €
Carbonara   13,00 €
Gnocchi   12,00 €
With butter and sage

Dolci

Tiramisù   7,00 €
Panna cotta   6,50 €
Affogato   5,50 €
`
