// Many codes in a table, as a person changes them in a browser.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@everscan/client/create-client.ts'
import type { Page } from 'playwright-core'
import { accessibilityProblems, screenshotPath } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { until } from '../support/service.ts'
import { countSteps } from '../support/steps.ts'

const isSoak = process.env['SOAK'] === '1'
const codesMax = 40
const oldUrl = (at: number) => `https://old.example/posters/${at + 1}?ref=Old.example`

describe('codes in a table', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let client: Client
  let orgId: string
  let codes: { id: string; shortCode: string }[]

  before(async () => {
    dashboard = await openDashboard()
    ;({ page, client, orgId } = dashboard)
    // The first start makes an example code.
    for (const { id } of (await client.qrCodes.list(orgId)).data) await client.qrCodes.delete(orgId, id)
    const spring = await client.folders.create(orgId, { name: 'Spring campaign' })
    await client.folders.create(orgId, { name: 'Posters', parentId: spring.id })
    await client.styles.create(orgId, { name: 'House red', style: { foregroundColor: '#8B0000' } })
    const made = await client.batches.create(
      orgId,
      Array.from({ length: codesMax }, (_, at) => ({
        type: 'URL' as const,
        name: `Poster ${String(at + 1).padStart(2, '0')}`,
        data: { url: oldUrl(at) },
        tags: at % 2 === 0 ? ['city', 'print'] : ['print'],
        folderId: at < 4 ? spring.id : null,
        ...(at === 2 && { style: { dotStyle: 'dots' as const } }),
      })),
    )
    codes = made.data
  })
  after(async () => dashboard.close())

  const list = () => page.getByRole('list', { name: 'Edit in a table' })
  const cell = (column: string, at: number) =>
    page.getByLabel(`${column} of Poster ${String(at + 1).padStart(2, '0')}`, { exact: true })
  const tool = async (name: string) => page.getByRole('radio', { name, exact: true }).check({ force: true })
  const saveButton = () => page.getByRole('button', { name: /^(Save|Fix)/ })
  const bar = () => page.getByRole('group', { name: 'Selected codes' })
  const target = async (at: number) => {
    const { shortCode = '' } = codes[at] ?? {}
    const answer = await fetch(`${dashboard.service.baseUrl}/${shortCode}`, { redirect: 'manual' })
    return answer.headers.get('location')
  }
  const read = async (at: number) => client.qrCodes.read(orgId, codes[at]?.id ?? '')
  /** Opens the codes of the list in the table. */
  const openTable = async () => {
    await dashboard.open('/codes?sort=name')
    await bar().getByRole('checkbox', { name: 'Select this page' }).click()
    await bar()
      .getByRole('button', { name: `Select all ${codesMax}` })
      .click()
    await bar().getByText(`${codesMax} selected`).waitFor()
    await bar().getByRole('button', { name: 'Edit in a table' }).click()
    await cell('Name', 0).waitFor()
  }
  /**
   * Checks that nothing is wider than the page, in every width. Axe reads hundreds of cells, which
   * costs more than the rest of a look: it reads a phone in dark mode and a desktop in light mode,
   * and in the soak every width in both.
   */
  const look = async (name: string) => {
    for (const width of [390, 660, 744, 1280, 1920])
      for (const colorScheme of ['light', 'dark'] as const) {
        const isPhone = width < 700
        if (!isSoak && isPhone !== (colorScheme === 'dark')) continue
        await page.setViewportSize({ width, height: isPhone ? 844 : 900 })
        await page.emulateMedia({ colorScheme })
        await page.screenshot({ path: screenshotPath(`dashboard-${name}-${width}-${colorScheme}`) })
        const shown = Number(await page.evaluate('document.documentElement.scrollWidth'))
        assert.ok(shown <= width, `${name}: ${shown} px wide at ${width}`)
        if (isSoak || width === 390 || width === 1280)
          assert.deepEqual(await accessibilityProblems(page), [], `${name} ${width} ${colorScheme}`)
      }
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ colorScheme: 'light' })
  }

  test('the destination of 40 codes changes in at most 8 steps, and one press undoes it', async () => {
    await dashboard.open('/codes')
    const steps = countSteps(`destination of ${codesMax} codes`)
    await steps.click(bar().getByRole('checkbox', { name: 'Select this page' }))
    await steps.click(bar().getByRole('button', { name: `Select all ${codesMax}` }))
    await bar().getByText(`${codesMax} selected`).waitFor()
    await page.screenshot({ path: screenshotPath('dashboard-bulk-selection-1280-light') })
    await steps.click(bar().getByRole('button', { name: 'Edit in a table' }))
    await steps.fill(page.getByLabel('Find in destinations'), 'old.example')
    await steps.fill(page.getByLabel('Replace with'), 'new.example')
    await page.getByText(`${codesMax} destinations change:`).waitFor()
    await look('bulk-replace')
    await steps.click(page.getByRole('button', { name: `Replace in ${codesMax} codes` }))
    assert.equal(await target(0), oldUrl(0), 'nothing is saved before "Save"')
    await steps.click(page.getByRole('button', { name: `Save ${codesMax} codes` }))
    await page.getByText(`${codesMax} codes changed`).waitFor()
    const count = steps.end()
    assert.ok(count <= 8, `${count} steps`)
    for (const at of [0, 17, 39])
      assert.equal(await target(at), `https://new.example/posters/${at + 1}?ref=Old.example`)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    for (const at of [0, 17, 39]) assert.equal(await target(at), oldUrl(at))
    assert.equal(await cell('Destination', 0).inputValue(), oldUrl(0))
    assert.equal((await client.qrCodes.history(orgId, codes[5]?.id ?? '')).data.length, 3)
  })

  test('ignoring case, every occurrence is replaced', async () => {
    await page.getByLabel('Find in destinations').fill('OLD.example')
    await page.getByText('No destination contains this text.').waitFor()
    await page.getByRole('checkbox', { name: 'Ignore case' }).check()
    await page.getByLabel('Replace with').fill('x.example')
    await page.getByRole('button', { name: `Replace in ${codesMax} codes` }).click()
    assert.equal(await cell('Destination', 1).inputValue(), 'https://x.example/posters/2?ref=x.example')
    await page.getByRole('button', { name: 'Discard' }).click()
    assert.equal(await cell('Destination', 1).inputValue(), oldUrl(1))
  })

  test('cells are edited by keyboard; a bad one is refused in its cell before saving', async () => {
    await openTable()
    await cell('Destination', 0).fill('javascript:alert(1)')
    await page.keyboard.press('Enter')
    assert.equal(
      await page.evaluate('document.activeElement.getAttribute("aria-label")'),
      await cell('Destination', 1).getAttribute('aria-label'),
    )
    await page.keyboard.press('Shift+Enter')
    await page.getByText(/Must begin with http/).waitFor()
    await cell('Name', 2).fill(' ')
    await page.getByText('A name is required.').waitFor()
    await look('bulk-bad-cells')
    await cell('Tags', 3).focus()
    await saveButton().click()
    assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-invalid")'), 'true')
    await cell('Destination', 0).press('Escape')
    assert.equal(await cell('Destination', 0).inputValue(), oldUrl(0))
    await page
      .getByLabel(/^Name of/)
      .nth(2)
      .press('Escape')
    assert.equal(await saveButton().isDisabled(), true)
  })

  test('a column pasted from a spreadsheet fills the rows below', async () => {
    await cell('Tags', 0).focus()
    await page.evaluate(`(() => {
      const data = new DataTransfer()
      data.setData('text/plain', 'one\\tHouse red\\r\\n"two, three"\\tNowhere\\r\\nfour\\tPlain\\r\\n')
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    })()`)
    assert.equal(await cell('Tags', 1).inputValue(), 'two, three')
    assert.equal(await cell('Tags', 2).inputValue(), 'four')
    await page.getByText('Not pasted at Poster 02: there is no saved style Nowhere').waitFor()
    await page.getByRole('button', { name: 'Save 3 codes' }).click()
    await page.getByText('3 codes changed').waitFor()
    const [first, second, third] = [await read(0), await read(1), await read(2)]
    assert.deepEqual([first.tags, second.tags, third.tags], [['one'], ['two', 'three'], ['four']])
    assert.deepEqual([first.style, second.style, third.style], [{ foregroundColor: '#8B0000' }, {}, {}])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await until('the looks are back', async () => (await read(2)).style.dotStyle === 'dots')
    assert.deepEqual([(await read(0)).style, (await read(1)).tags], [{}, ['print']])
  })

  test('a code that somebody else changed is shown in its row, and either version can be kept', async () => {
    await openTable()
    await client.qrCodes.update(orgId, codes[0]?.id ?? '', { tags: ['theirs'] })
    await client.qrCodes.update(orgId, codes[1]?.id ?? '', { data: { url: 'https://theirs.example/' } })
    await client.qrCodes.delete(orgId, codes[39]?.id ?? '', { bin: true })
    for (const at of [0, 1, 2, 39]) await cell('Destination', at).fill(`https://mine.example/${at}`)
    await page.getByRole('button', { name: 'Save 4 codes' }).click()
    await page.getByText('3 codes were not saved.').waitFor()
    await page.getByText('Tags is now: theirs').or(page.getByText('Tags are now: theirs')).waitFor()
    await page.getByText('Destination is now: https://theirs.example/').waitFor()
    await look('bulk-conflict')
    assert.equal(await target(2), 'https://mine.example/2')
    await page.getByRole('button', { name: 'Keep mine' }).first().click()
    await page.getByRole('button', { name: 'Take theirs' }).click()
    await page.getByRole('button', { name: 'Remove row' }).click()
    await page.getByRole('button', { name: 'Save 1 code' }).click()
    await until('the kept change is saved', async () => (await target(0)) === 'https://mine.example/0')
    assert.deepEqual((await read(0)).tags, ['theirs'])
    assert.equal(await target(1), 'https://theirs.example/')
    await client.bin.restore(orgId, codes[39]?.id ?? '')
  })

  test('UTM parameters come from a template of the organization', async () => {
    await openTable()
    await tool('UTM')
    await page.getByLabel('Source').fill('flyer')
    await page.getByLabel('Campaign').fill('{folder}')
    await page.getByLabel('Content').fill('{nmae}')
    await page.getByText(/braces only as/).waitFor()
    await page.getByLabel('Content').fill('{name}')
    await page.getByRole('button', { name: 'Save as template' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Flyer')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Template Flyer saved').waitFor()
    const [template] = (await client.utmTemplates.list(orgId)).data
    assert.deepEqual(
      [template?.name, template?.source, template?.medium, template?.content],
      ['Flyer', 'flyer', null, '{name}'],
    )
    await look('bulk-utm')
    await page.getByRole('button', { name: `Add to ${codesMax} codes` }).click()
    await page.getByRole('button', { name: `Save ${codesMax} codes` }).click()
    await page.getByText(`${codesMax} codes changed`).waitFor()
    assert.equal(
      await target(3),
      `${oldUrl(3)}&utm_source=flyer&utm_campaign=spring-campaign&utm_content=poster-04`,
    )
    assert.equal(await target(5), `${oldUrl(5)}&utm_source=flyer&utm_content=poster-06`)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await until('the addresses are back', async () => (await target(3)) === oldUrl(3))
    await page.getByLabel('Template').selectOption('Flyer')
    await page.getByRole('button', { name: 'Delete template' }).click()
    await page.getByText('Template Flyer deleted').waitFor()
    assert.deepEqual((await client.utmTemplates.list(orgId)).data, [])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await until('the template is back', async () => (await client.utmTemplates.list(orgId)).data.length === 1)
  })

  test('folder, tags and look are set for all, and leaving with unsaved cells asks', async () => {
    await tool('Folder')
    await page.getByLabel('Folder for all').selectOption('Spring campaign / Posters')
    await page.getByRole('button', { name: 'Set folder' }).click()
    await tool('Tags')
    await page.getByLabel('Add tags').fill('summer')
    await page.getByLabel('Remove tags').fill('print')
    await page.getByRole('button', { name: 'Change tags' }).click()
    await tool('Look')
    await page.getByLabel('Look for all').selectOption('House red')
    await page.getByRole('button', { name: 'Set look' }).click()
    await page.getByRole('link', { name: 'All codes' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Stay|Keep/ })
      .click()
    await page.getByRole('button', { name: `Save ${codesMax} codes` }).click()
    await page.getByText(`${codesMax} codes changed`).waitFor()
    const { folderId, tags, style } = await read(6)
    const posters = (await client.folders.list(orgId)).data.find(({ name }) => name === 'Posters')
    assert.deepEqual(
      [folderId, tags, style],
      [posters?.id, ['city', 'summer'], { foregroundColor: '#8B0000' }],
    )
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await until('the folder is back', async () => (await read(6)).folderId === null)
    assert.deepEqual((await read(6)).style, {})
  })

  test('a round trip by CSV: changes are shown by row, problems too, then saved in the same way', async () => {
    await openTable()
    await tool('CSV')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ])
    const bytes = await readFile(await file.path())
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
    const lines = bytes.toString('utf8').slice(1).split('\r\n')
    assert.equal(lines[0], 'id,shortCode,type,name,url,folder,tags,look,domain')
    assert.equal(lines.length, codesMax + 2)
    const upload = async (text: string) =>
      page.locator('input[type=file]').setInputFiles({
        name: 'codes.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(text),
      })
    await upload(bytes.toString('utf8'))
    await page.getByText('The file changes nothing.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    const [importable] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'For an import: Link' }).click(),
    ])
    await look('bulk-csv-for-import')
    assert.equal(importable.suggestedFilename(), 'url-import.csv')
    const csv = await readFile(await importable.path(), 'utf8')
    const [columns = '', ...rows] = csv.slice(1).trimEnd().split('\r\n')
    assert.match(columns, /^name,url,folder,tags,shortCode,domain,createdAt,status/)
    // Here the short codes are taken.
    for (const [ignored, counts] of [
      [{}, [0, rows.length]],
      [{ shortCode: null }, [rows.length, 0]],
    ] as const) {
      const options = { type: 'URL', file: csv, dryRun: true, columns: ignored } as const
      const { id } = await client.imports.start(orgId, options)
      const { successCount, errorCount } = await client.imports.waitFor(orgId, id, { pollMs: 20 })
      assert.deepEqual([successCount, errorCount], counts)
    }

    const edited = lines.map((line, at) =>
      at === 8
        ? line.replace(oldUrl(7), 'https://csv.example/8')
        : at === 9
          ? line.replace('Poster 09', 'Nine')
          : line,
    )
    const other = await client.qrCodes.create(orgId, {
      type: 'URL',
      name: 'Not selected',
      data: { url: 'https://other.example/' },
      shortCode: 'NOT-HERE',
    })
    await upload([...edited.slice(0, 41), ',not-here,,Found,,,,', ',GONE,,x,,,,', ''].join('\r\n'))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Row 9: Poster 08, Destination').waitFor()
    await dialog.getByText('Row 43: no code here is called GONE').waitFor()
    await dialog
      .getByText('Row 42: Destination')
      .or(dialog.getByText('Row 42: Not selected, Destination'))
      .first()
      .waitFor()
    await look('bulk-csv')
    await dialog.getByRole('button', { name: /^Put/ }).click()
    await page.getByLabel('Destination of Not selected').fill('https://other.example/')
    await page.getByRole('button', { name: 'Save 3 codes' }).click()
    await page.getByText('3 codes changed').waitFor()
    assert.equal(await target(7), 'https://csv.example/8')
    assert.equal((await read(8)).name, 'Nine')
    assert.equal((await client.qrCodes.read(orgId, other.id)).name, 'Found')
    assert.deepEqual(await list().getByRole('listitem').count(), codesMax + 1)
    await page.reload()
    await cell('Name', 0).waitFor()
    assert.equal(await list().getByRole('listitem').count(), codesMax)
  })

  test('without a selection, the page says what to do; a viewer is not offered the table', async () => {
    // A reload of the page would keep its selection.
    await dashboard.open('/codes')
    await dashboard.open('/codes/table')
    await page.getByText('No codes to edit').waitFor()
    await look('bulk-empty')
    const tab = await dashboard.openAs({ email: 'vera@bulk.example.com', role: 'VIEWER' })
    await tab.getByRole('checkbox', { name: 'Select this page' }).click()
    assert.equal(await tab.getByRole('button', { name: 'Edit in a table' }).count(), 0)
    assert.deepEqual(dashboard.problems, [])
  })
})
