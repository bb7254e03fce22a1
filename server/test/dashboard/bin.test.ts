// Left to the soak: `api/codes/bin` has what it does, `dashboard/jobs` a code taken back.
// Deleting codes and folders, and taking them back, as a person does it in a browser.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@everscan/client/create-client.ts'
import type { Page } from 'playwright-core'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { until } from '../support/service.ts'

describe('deleting codes', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let client: Client
  let orgId: string
  let look: Dashboard['look']

  before(async () => {
    dashboard = await openDashboard()
    ;({ page, client, orgId, look } = dashboard)
    const spring = await client.folders.create(orgId, { name: 'Spring' })
    await client.folders.create(orgId, { name: 'Posters', parentId: spring.id })
    await client.batches.create(
      orgId,
      Array.from({ length: 24 }, (_, at) => ({
        type: 'URL' as const,
        name: `Poster ${String(at + 1).padStart(2, '0')}`,
        data: { url: 'https://example.com/' },
        folderId: at < 22 ? spring.id : null,
      })),
    )
  })
  after(async () => dashboard.close())

  const dialog = () => page.getByRole('dialog')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const folders = () => page.getByRole('navigation', { name: 'Folders' })
  const inMenu = (name: string) => page.getByRole('menuitem', { name })
  const count = async () => (await client.qrCodes.list(orgId)).pagination.total
  const codeNamed = async (name: string) => (await client.qrCodes.list(orgId, { search: name })).data[0]
  const askToDelete = async (name: string) => {
    await button(`Actions for ${name}`).click()
    await inMenu('Delete').click()
  }

  const askFolder = async () => {
    await dashboard.open('/codes')
    await button('Actions for the folder Spring').click()
    await inMenu('Delete').click()
  }
  const inFolder = async () => {
    const { data } = await client.folders.list(orgId)
    const spring = data.find(({ name }) => name === 'Spring')
    const posters = data.find(({ name }) => name === 'Posters')
    return [spring?.qrCodeCount, posters?.parentId === spring?.id]
  }

  test('the question says how often the code was scanned lately, and offers to archive it', async () => {
    const code = await codeNamed('Poster 23')
    const url = `${dashboard.service.baseUrl}/${code?.shortCode}`
    const headers = { 'user-agent': phone }
    for (let scan = 0; scan < 3; scan++) await fetch(url, { redirect: 'manual', headers })
    await until('the scans are counted', async () => {
      const { summary } = await client.analytics.ofOrganization(orgId)
      return summary.totalScans === 3
    })
    await dashboard.open('/codes?q=Poster+23')
    await askToDelete('Poster 23')
    await dialog().getByText('It was scanned 3 times in the last 30 days.').waitFor()
    await look('delete-code')
    await button('Archive instead').click()
    await dialog().waitFor({ state: 'detached' })
    assert.equal((await codeNamed('Poster 23'))?.status, 'ARCHIVED')
    await askToDelete('Poster 23')
    assert.equal(await button('Archive instead').count(), 0)
    await button('Cancel').click()
    assert.equal(await count(), 24)
  })

  test('many codes want their number typed', async () => {
    await dashboard.open('/codes?sort=name')
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    await button('More').click()
    await inMenu('Delete').click()
    const remove = dialog().getByRole('button', { name: 'Delete 24 codes' })
    assert.ok(await remove.isDisabled())
    await dialog().getByLabel('Type 24 to delete them').fill('25')
    assert.ok(await remove.isDisabled())
    await look('delete-codes')
    await dialog().getByLabel('Type 24 to delete them').fill('24')
    await remove.click()
    await page.getByText('No codes yet').waitFor()
    await button('Undo').click()
    await page.getByText('24 codes restored').waitFor()
    assert.equal(await count(), 24)
  })

  test('the bin shows deleted codes, gives them back, and deletes them for good', async () => {
    for (const name of ['Poster 01', 'Poster 02', 'Poster 03']) {
      await askToDelete(name)
      await dialog().getByRole('button', { name: 'Delete 1 code' }).click()
      await button(`Actions for ${name}`).waitFor({ state: 'detached' })
    }
    await folders().getByRole('link', { name: 'Bin' }).click()
    await page.getByText('3 codes', { exact: true }).waitFor()
    await page
      .getByText(/^Deleted .* by Administrator$/)
      .first()
      .waitFor()
    assert.equal(await page.getByText('30 days left').count(), 3)
    await look('bin')

    await page.getByRole('searchbox', { name: 'Search the bin by name' }).fill('poster 03')
    await page.getByText('1 code', { exact: true }).waitFor()
    await button('Restore Poster 03').click()
    await page.getByText('1 code restored: it works again').waitFor()
    await page.getByText('No deleted codes found').waitFor()
    await page.getByRole('searchbox', { name: 'Search the bin by name' }).fill('')
    assert.equal(((await codeNamed('Poster 03'))?.folderId ?? '').startsWith('fld_'), true)

    await button('Delete Poster 02 for good').click()
    await dialog().getByText('This cannot be undone.').waitFor()
    await dialog().getByRole('button', { name: 'Delete for good' }).click()
    await page.getByText('1 code deleted for good').waitFor()
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    await button('Restore').click()
    await page.getByText('The bin is empty').waitFor()
    await look('bin-empty')
    assert.equal(await count(), 23)
  })

  test('a folder is deleted without its codes, or with them, and taken back', async () => {
    await askFolder()
    await dialog().getByText('What happens to its 21 codes?').waitFor()
    await button('Delete folder').click()
    await page.getByText('The folder Spring was deleted').waitFor()
    assert.deepEqual([await count(), await inFolder()], [23, [undefined, false]])
    await button('Undo').click()
    await page.getByText('Undone').waitFor()
    assert.deepEqual([await count(), await inFolder()], [23, [21, true]])

    await askFolder()
    await dialog().getByRole('radio', { name: 'Delete them, too' }).check()
    assert.ok(await button('Delete folder').isDisabled())
    await dialog().getByLabel('Type 21 to delete them').fill('21')
    await look('delete-folder')
    await button('Delete folder').click()
    await page.getByText('21 codes moved to the bin').waitFor()
    assert.deepEqual([await count(), await inFolder()], [2, [undefined, false]])
    await button('Undo').click()
    await page.getByText('Undone').waitFor()
    assert.deepEqual([await count(), await inFolder()], [23, [21, true]])
    assert.deepEqual(dashboard.problems, [])
  })
})

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148'
