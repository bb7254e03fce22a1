// Left to the soak: `dashboard/codes` moves codes and folders by menu.
// Codes are dragged into folders, and folders in the tree, with undo; a touch scrolls.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@everscan/client/create-client.ts'
import type { Locator, Page } from 'playwright-core'
import { screenshotPath, testBrowser } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { until } from '../support/service.ts'

describe('drag and drop', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let client: Client
  let orgId: string

  before(async () => {
    dashboard = await openDashboard()
    ;({ page, client, orgId } = dashboard)
    const parent = await client.folders.create(orgId, { name: 'Parent' })
    await client.folders.create(orgId, { name: 'Child', parentId: parent.id })
    await client.folders.create(orgId, { name: 'Other' })
    await client.batches.create(
      orgId,
      Array.from({ length: 6 }, (_, at) => ({
        type: 'URL' as const,
        name: `Poster ${at + 1}`,
        data: { url: 'https://example.com/' },
      })),
    )
    await dashboard.open('/codes')
    await row(1).waitFor()
  })
  after(async () => dashboard.close())

  const row = (at: number): Locator =>
    page
      .getByRole('list', { name: 'Codes' })
      .getByRole('listitem')
      .filter({ hasText: `Poster ${at}` })
  const folder = (name: string): Locator =>
    page
      .getByRole('navigation', { name: 'Folders' })
      .getByRole('button', { name: new RegExp(`^${name} \\d`) })
  const undo = async (): Promise<void> => page.getByRole('button', { name: 'Undo' }).last().click()
  const codesIn = async (name: string): Promise<string[]> => {
    const { data } = await client.folders.list(orgId)
    const id = data.find((one) => one.name === name)?.id ?? ''
    const codes = await client.qrCodes.list(orgId, { folderId: id })
    return codes.data.map((one) => one.name).toSorted()
  }
  const parentOf = async (name: string): Promise<string | undefined> => {
    const { data } = await client.folders.list(orgId)
    const parentId = data.find((one) => one.name === name)?.parentId
    return data.find(({ id }) => id === parentId)?.name
  }

  test('a code is dropped on a folder, and undo takes it back', async () => {
    await row(1).dragTo(folder('Other'))
    await page.getByText('1 code moved to Other').waitFor()
    assert.deepEqual(await codesIn('Other'), ['Poster 1'])
    await undo()
    await until('it is back', async () => (await codesIn('Other')).length === 0)
  })

  test('a selected code stands for the selection, and the folder shows that it takes it', async () => {
    for (const at of [2, 3])
      await page.getByRole('checkbox', { name: `Select Poster ${at}`, exact: true }).check({ force: true })
    await row(3).hover()
    await page.mouse.down()
    await folder('Child').hover()
    await folder('Child').hover()
    await page.screenshot({ path: screenshotPath('dragging-codes') })
    await page.mouse.up()
    await page.getByText('2 codes moved to Child').waitFor()
    assert.deepEqual(await codesIn('Child'), ['Poster 2', 'Poster 3'])
    await row(2).dragTo(page.getByRole('button', { name: 'Not in a folder' }))
    await page.getByText('2 codes removed from the folder').waitFor()
    assert.deepEqual(await codesIn('Child'), [])
  })

  test('a folder is dropped on another one, and at the top level, with undo', async () => {
    await folder('Other').dragTo(folder('Parent'))
    await page.getByText('Other moved to Parent').waitFor()
    assert.equal(await parentOf('Other'), 'Parent')
    await undo()
    await until('it is back', async () => (await parentOf('Other')) === undefined)
    await folder('Child').hover()
    await page.mouse.down()
    await folder('Other').hover()
    const top = page.getByRole('navigation', { name: 'Folders' }).getByText('Top level')
    await top.hover()
    await top.hover()
    await page.screenshot({ path: screenshotPath('dragging-folder') })
    await page.mouse.up()
    await page.getByText('Child moved to the top level').waitFor()
    assert.equal(await parentOf('Child'), undefined)
    await undo()
    await until('it is back', async () => (await parentOf('Child')) === 'Parent')
  })

  test('a folder with subfolders goes into no other one', async () => {
    await folder('Parent').dragTo(folder('Other'))
    assert.equal(await parentOf('Parent'), undefined)
    assert.equal(await page.getByText('Parent moved to').count(), 0)
  })

  test('the keyboard does the same: "Move" of a folder has undo, too', async () => {
    // One step, as the list that arrives after the last undo may move the focused button.
    await page.getByRole('button', { name: 'Actions for the folder Other' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Move', exact: true }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Parent' }).press('Enter')
    await page.getByText('Other moved to Parent').waitFor()
    await undo()
    await until('it is back', async () => (await parentOf('Other')) === undefined)
  })

  test('on a touch screen nothing can be dragged, so a finger scrolls', async () => {
    const context = await (
      await testBrowser()
    ).newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      storageState: await page.context().storageState(),
    })
    try {
      const tab = await context.newPage()
      await tab.goto(page.url())
      await tab.getByRole('list', { name: 'Codes' }).getByRole('listitem').first().waitFor()
      assert.equal(await tab.locator('[draggable=true]').count(), 0)
    } finally {
      await context.close()
    }
    assert.deepEqual(dashboard.problems, [])
  })
})
