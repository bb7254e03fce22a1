// The list of codes, its folders and the batch actions, as a person uses them in a browser.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@everscan/client/create-client.ts'
import type { Locator, Page } from 'playwright-core'
import { screenshotPath } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { until } from '../support/service.ts'

describe('the list of codes', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let client: Client
  let orgId: string
  let look: Dashboard['look']

  before(async () => {
    dashboard = await openDashboard()
    ;({ page, client, orgId, look } = dashboard)
    const spring = await client.folders.create(orgId, { name: 'Spring campaign' })
    await client.folders.create(orgId, { name: 'Restaurants' })
    await client.folders.create(orgId, { name: 'Posters in the city', parentId: spring.id })
    const data = { url: 'https://example.com/' }
    await client.batches.create(
      orgId,
      Array.from({ length: 30 }, (_, at) => ({
        type: 'URL' as const,
        name: `Poster ${String(at + 1).padStart(2, '0')}`,
        data,
        tags: at % 2 === 0 ? ['print', 'city'] : ['print'],
        folderId: at < 4 ? spring.id : null,
      })),
    )
  })
  after(async () => dashboard.close())

  const rows = () => page.getByRole('list', { name: 'Codes' }).getByRole('listitem')
  const tick = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
  const bar = () => page.getByRole('group', { name: 'Selected codes' })
  const folders = () => page.getByRole('navigation', { name: 'Folders' })
  const dialog = () => page.getByRole('dialog')
  const inMenu = (name: string) => page.getByRole('menuitem', { name })
  /** Only a screenshot, of overlays or of pages similar to an already checked one. */
  const shoot = async (name: string) =>
    page.screenshot({ path: screenshotPath(`dashboard-${name}-desktop-light`) })
  const undo = async () => page.getByRole('button', { name: 'Undo' }).last().click()
  const codeNamed = async (name: string) => (await client.qrCodes.list(orgId, { search: name })).data[0]
  const download = async (button: Locator) => {
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
  }
  test('folders are created, renamed, moved and deleted; the URL stores the open folder', async () => {
    await dashboard.open('/codes')
    await page.getByText('30 codes').waitFor()
    await look('codes-folders')
    await folders().getByRole('button', { name: 'Spring campaign 4' }).click()
    await page.getByText('4 codes', { exact: true }).first().waitFor()
    await rows().nth(4).waitFor({ state: 'detached' })
    assert.equal(await rows().count(), 4)
    assert.match(page.url(), /folder=fld_/)
    await page.reload()
    await page.getByText('4 codes', { exact: true }).first().waitFor()

    await folders().getByRole('button', { name: 'New folder' }).click()
    await dialog().getByLabel('Name').fill('Restaurants')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog().getByText('another folder here has this name').waitFor()
    await shoot('codes-folder-taken')
    await dialog().getByLabel('Name').fill('Print shop')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog().waitFor({ state: 'detached' })

    await folders().getByRole('button', { name: 'Actions for the folder Print shop' }).click()
    await inMenu('Rename').click()
    await dialog().getByLabel('Name').fill('Printer')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await folders().getByRole('button', { name: 'Actions for the folder Printer' }).click()
    await inMenu('Move').click()
    await shoot('codes-folder-move')
    await dialog().getByRole('button', { name: 'Restaurants' }).click()
    await dialog().waitFor({ state: 'detached' })
    const { data } = await client.folders.list(orgId)
    const restaurants = data.find(({ name }) => name === 'Restaurants')
    assert.equal(data.find(({ name }) => name === 'Printer')?.parentId, restaurants?.id)

    await folders().getByRole('button', { name: 'Actions for the folder Printer' }).click()
    await inMenu('Delete').click()
    await dialog().getByText('It has no codes.').waitFor()
    await shoot('codes-folder-delete')
    await dialog().getByRole('button', { name: 'Delete folder' }).click()
    await dialog().waitFor({ state: 'detached' })
    await folders().getByText('Printer').waitFor({ state: 'detached' })
    // They would lie over the folders on a phone.
    await page
      .getByRole('status')
      .getByRole('button', { name: 'Close' })
      .evaluateAll((buttons) => {
        for (const close of buttons) (close as unknown as { click: () => void }).click()
      })
  })

  test('an empty folder says what to do; on a phone, folders and filters are behind buttons', async () => {
    await folders().getByRole('button', { name: 'Restaurants 0' }).click()
    await page.getByText('This folder is empty').waitFor()
    await shoot('codes-empty-folder')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Restaurants', exact: true }).click()
    await dialog().getByRole('navigation', { name: 'Folders' }).waitFor()
    await look('codes-folders-sheet')
    await page.setViewportSize({ width: 390, height: 844 })
    await dialog().getByRole('button', { name: 'All codes' }).click()
    await page.getByText('30 codes').waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    await dialog().getByRole('checkbox', { name: 'city' }).check()
    await dialog().getByLabel('Type').selectOption('URL')
    await dialog().getByText('15', { exact: true }).waitFor()
    // Until the list of these filters is there, the one before is pale.
    await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' })
    await look('codes-filter-sheet')
    await page.setViewportSize({ width: 390, height: 844 })
    await dialog().getByRole('button', { name: 'Show codes' }).click()
    await page.getByText('15 codes').waitFor()
    await page.getByRole('button', { name: 'Filter (2)' }).waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.reload()
    await page.getByText('15 codes').waitFor()
    await page.getByRole('button', { name: 'Stop filtering by city' }).click()
    await page.getByText('30 codes').waitFor()
    await page.getByLabel('Type').selectOption('')
  })

  test('pictures can be shown large, which the URL stores', async () => {
    await page.getByRole('button', { name: 'Grid' }).click()
    assert.match(page.url(), /view=grid/)
    await look('codes-grid')
    await page.reload()
    assert.equal(await page.getByRole('button', { name: 'Grid' }).getAttribute('aria-pressed'), 'true')
    await page.getByRole('button', { name: 'List', exact: true }).click()
  })

  test('codes are selected by mouse, range and keyboard, and stay selected on other pages', async () => {
    await page.getByLabel('Sort by').selectOption('name')
    await rows().first().getByText('Poster 01').waitFor()
    await tick('Poster 02').click()
    await tick('Poster 05').click({ modifiers: ['Shift'] })
    await bar().getByText('4 selected').waitFor()
    await look('codes-selected')
    await tick('Poster 05').focus()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await bar().getByText('6 selected').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await bar().getByText('6 on other pages').waitFor()
    await bar().getByRole('checkbox', { name: 'Select this page' }).check()
    await bar().getByText('12 selected').waitFor()
    await shoot('codes-selected-elsewhere')
    await bar().getByRole('button', { name: 'Select all 30' }).click()
    await bar().getByText('30 selected').waitFor()
    await page.keyboard.press('Escape')
    await bar().getByText('30 selected').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Previous' }).click()
    await rows().first().getByText('Poster 01').waitFor()
  })

  test('a move, tags and the archive apply to many codes at once, and each can be undone', async () => {
    await tick('Poster 04').click()
    await tick('Poster 06').click({ modifiers: ['Shift'] })
    await bar().getByRole('button', { name: 'Move' }).click()
    await shoot('codes-move')
    await dialog().getByRole('button', { name: 'Restaurants' }).click()
    await page.getByText('3 codes moved to Restaurants').waitFor()
    await folders().getByRole('button', { name: 'Restaurants 3' }).waitFor()
    await shoot('codes-moved')
    await undo()
    await page.getByText('Undone').waitFor()
    // One of them was in a folder, the others were not.
    await folders().getByRole('button', { name: 'Spring campaign 4' }).waitFor()
    await folders().getByRole('button', { name: 'Restaurants 0' }).waitFor()

    await bar().getByRole('button', { name: 'Tags' }).click()
    await dialog().getByLabel('Add tags').fill('summer, print')
    await dialog().getByRole('checkbox', { name: 'city' }).check()
    await look('codes-tags')
    await dialog().getByRole('button', { name: 'Save tags' }).click()
    await page.getByText('Tags of 3 codes changed').waitFor()
    await dialog().waitFor({ state: 'detached' })
    assert.deepEqual((await codeNamed('Poster 05'))?.tags, ['print', 'summer'])
    await page.keyboard.press('z')
    await until(
      'the tags are back',
      async () => (await codeNamed('Poster 05'))?.tags.includes('city') === true,
    )
    assert.deepEqual((await codeNamed('Poster 05'))?.tags.toSorted(), ['city', 'print'])

    await bar().getByRole('button', { name: 'More' }).click()
    await inMenu('Archive').click()
    await page.getByText('3 codes archived').waitFor()
    await rows().filter({ hasText: 'Archived' }).nth(2).waitFor()
    await bar().getByRole('button', { name: 'More' }).click()
    await shoot('codes-more')
    await inMenu('Restore').click()
    await page.getByText('3 codes restored').waitFor()
    assert.equal((await codeNamed('Poster 05'))?.status, 'ACTIVE')
    await bar().getByRole('button', { name: 'Clear selection' }).click()
  })

  test('pictures are downloaded as a zip, one picture as a file, and codes as a label sheet', async () => {
    await tick('Poster 01').click()
    await tick('Poster 03').click({ modifiers: ['Shift'] })
    await bar().getByRole('button', { name: 'Download' }).click()
    await dialog().getByLabel('Format').selectOption('svg')
    await shoot('codes-download')
    const zip = await download(dialog().getByRole('button', { name: 'Download' }))
    assert.match(zip.name, /\.zip$/)
    assert.equal(zip.bytes.subarray(0, 2).toString(), 'PK')
    assert.ok(zip.bytes.includes('Poster 03.svg'))

    await bar().getByRole('button', { name: 'More' }).click()
    await inMenu('Print labels').click()
    await dialog().getByLabel('Labels per code').fill('4')
    await dialog().getByLabel('First free label').fill('8')
    await shoot('codes-labels')
    const sheet = await download(dialog().getByRole('button', { name: 'Download PDF' }))
    assert.equal(sheet.bytes.subarray(0, 5).toString(), '%PDF-')

    await bar().getByRole('button', { name: 'More' }).click()
    await inMenu('Print labels').click()
    await dialog().getByLabel('Label sheet').selectOption('own')
    await dialog().getByLabel('Columns', { exact: true }).fill('4')
    await dialog().getByText('must be at most 3 with this label').waitFor()
    await look('codes-labels-own')
    assert.equal(await dialog().getByRole('button', { name: 'Download PDF' }).isDisabled(), true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await tick('Poster 01').waitFor()

    await page.getByRole('button', { name: 'Actions for Poster 02' }).click()
    await shoot('codes-row-menu')
    await inMenu('Download').click()
    const picture = await download(dialog().getByRole('button', { name: 'Download' }))
    assert.equal(picture.name, 'Poster 02.png')
  })

  test('a deletion asks first; Escape deletes nothing; undo takes it back', async () => {
    await page.getByRole('button', { name: 'Actions for Poster 30' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Actions for Poster 01' }).click()
    await inMenu('Delete').click()
    await dialog().getByText('not scanned in the last 30 days').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    assert.notEqual(await codeNamed('Poster 01'), undefined)

    await page.getByRole('button', { name: 'Actions for Poster 01' }).click()
    await inMenu('Delete').click()
    await dialog().getByRole('button', { name: 'Delete 1 code' }).click()
    await page.getByText('29 codes').waitFor()
    assert.equal(await tick('Poster 01').count(), 0)
    assert.equal(await codeNamed('Poster 01'), undefined)
    await undo()
    await page.getByText('30 codes').waitFor()
    await tick('Poster 01').waitFor()

    for (const name of ['Poster 01', 'Poster 02']) {
      await page.getByRole('button', { name: `Actions for ${name}` }).click()
      await inMenu('Delete').click()
      await dialog().getByRole('button', { name: 'Delete 1 code' }).click()
      await tick(name).waitFor({ state: 'detached' })
    }
    await page.getByText('28 codes').waitFor()
  })

  test('copies are created, and deleted by undo', async () => {
    await page.getByRole('button', { name: 'Actions for Poster 10' }).click()
    await inMenu('Duplicate').click()
    await page.getByText('29 codes').waitFor()
    await undo()
    await page.getByText('28 codes').waitFor()
  })

  test('failed items are reported by name', async () => {
    await tick('Poster 10').click()
    await tick('Poster 11').click()
    const gone = await codeNamed('Poster 11')
    await client.qrCodes.delete(orgId, gone?.id ?? '')
    await bar().getByRole('button', { name: 'More' }).click()
    await inMenu('Archive').click()
    await page.getByText('This failed for Poster 11').waitFor()
    await page.getByText('1 code archived').waitFor()
    await shoot('codes-failed')
  })

  test('a viewer may download and print, and is offered nothing that changes a code', async () => {
    const { acceptUrl } = await client.invitations.create(orgId, {
      email: 'eve@codes.example.com',
      role: 'VIEWER',
    })
    const guest = await dashboard.openContext()
    const tab = await guest.newPage()
    await tab.goto(acceptUrl.replace(/^https?:\/\/[^/]+/, dashboard.service.baseUrl))
    await tab.getByLabel('Your name').fill('Eve')
    await tab.getByLabel('Password').fill('another long password')
    await tab.getByRole('button', { name: 'Accept' }).click()
    await tab.getByText('Welcome to').waitFor()
    await tab.getByRole('button', { name: 'Actions for Poster 12' }).click()
    assert.deepEqual(await tab.getByRole('menuitem').allTextContents(), [
      'Copy link',
      'Download',
      'Print labels',
    ])
    assert.equal(await tab.getByRole('button', { name: 'New folder' }).count(), 0)
    await guest.close()
  })

  test('signing out is in the menu of the account; no page reported a problem', async () => {
    await page.getByRole('button', { name: 'Your account' }).click()
    await inMenu('Sign out').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual(dashboard.problems, [])
  })
})
