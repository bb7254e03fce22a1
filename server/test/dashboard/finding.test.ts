// Left to the soak: `api/codes` has how codes are found, `dashboard/codes` the list.
// Finding a code, a folder or a page: by words, and by a picture. As a person does it in a browser.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Client, TypedQrCode } from '@everscan/client/create-client.ts'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { accessibilityProblems, screenshotPath } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { launchBrowser } from '../support/launch-browser.ts'
import { hangMs, until } from '../support/service.ts'

const widths = { 390: 844, 744: 1133, 1280: 800 } as const

describe('finding', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let client: Client
  let orgId: string
  let poster: TypedQrCode
  let gone: TypedQrCode
  let longAddress: string
  let goneBytes: Buffer

  before(async () => {
    dashboard = await openDashboard()
    ;({ page, client, orgId } = dashboard)
    const spring = await client.folders.create(orgId, { name: 'Frühling' })
    const inner = await client.folders.create(orgId, { name: 'Posters in the city', parentId: spring.id })
    longAddress = `https://shop.example.com/campaigns/${'a-long-path/'.repeat(8)}spring-2026`
    poster = await client.qrCodes.create(orgId, {
      type: 'URL',
      name: 'Poster at the station',
      data: { url: longAddress },
      folderId: inner.id,
      tags: ['print'],
      style: {
        dotStyle: 'rounded',
        cornerSquareStyle: 'extra-rounded',
        foregroundColor: '#1B3A6B',
        margin: 4,
      },
    })
    await client.qrCodes.create(orgId, { type: 'WIFI', name: 'Guests', data: { ssid: 'Café Guests' } })
    await client.batches.create(
      orgId,
      Array.from({ length: 30 }, (_, at) => ({
        type: 'URL' as const,
        name: `Table ${at + 1}`,
        data: { url: `https://menu.example.com/table/${at + 1}` },
      })),
    )
    gone = await client.qrCodes.create(orgId, {
      type: 'URL',
      name: 'Gone',
      data: { url: 'https://example.com/gone' },
    })
    goneBytes = Buffer.from((await client.qrCodes.download(orgId, gone.id, { format: 'png' })).bytes)
    await client.qrCodes.delete(orgId, gone.id)
  })
  after(async () => dashboard.close())

  const field = () => page.getByRole('combobox', { name: 'Find' })
  const option = (name: string | RegExp) => page.getByRole('option', { name })
  const nameField = () => page.getByRole('textbox', { name: 'Name' }).first()
  const openFinder = async () => {
    await page.keyboard.press('Control+k')
    await field().waitFor()
  }
  const look = async (name: string) => {
    for (const [width, height] of Object.entries(widths)) {
      await page.setViewportSize({ width: Number(width), height })
      await page.screenshot({ path: screenshotPath(`dashboard-finding-${name}-${width}`) })
      const found = await page.evaluate('document.documentElement.scrollWidth')
      assert.ok(Number(found) <= Number(width), `${name} at ${width}: ${String(found)} px wide`)
      assert.deepEqual(await accessibilityProblems(page), [], `${name} at ${width}`)
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.screenshot({ path: screenshotPath(`dashboard-finding-${name}-1280-dark`) })
    assert.deepEqual(await accessibilityProblems(page), [], `${name}, dark`)
    await page.emulateMedia({ colorScheme: 'light' })
  }

  test('a printed short code is typed, as it can be misread, and opens its code in two steps', async () => {
    await dashboard.open('/analytics')
    const startMs = Date.now()
    let steps = 0
    await page.keyboard.press('Control+k')
    steps++
    const misread = poster.shortCode.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'i')
    await page.keyboard.type(misread)
    // Enter before the result is there opens it, too.
    await page.keyboard.press('Enter')
    steps++
    await page.waitForURL(`**/codes/${poster.id}`)
    await nameField().waitFor()
    const seconds = ((Date.now() - startMs) / 1000).toFixed(1)
    console.log(`JOB find a code by its printed short code: ${steps} steps, ${seconds} seconds`)
    assert.equal(steps, 2)
    assert.equal(await nameField().inputValue(), poster.name)
  })

  test('codes are found by tag, destination and name in any order; the arrow keys choose', async () => {
    await dashboard.open('/codes')
    await openFinder()
    assert.equal(await field().getAttribute('aria-expanded'), 'true')
    for (const words of ['print', 'shop.example spring-2026', 'STATION poster', poster.shortUrl]) {
      await field().fill(words)
      await option(/^Poster at the station/).waitFor()
      await option('Table 1').first().waitFor({ state: 'detached' })
    }
    await field().fill('table menu.example')
    await option('Show all 30 codes').waitFor()
    await page.getByRole('status').getByText('9 results').waitFor({ state: 'attached' })
    const active = async () => {
      const id = await field().getAttribute('aria-activedescendant')
      return page.locator(`[id="${id}"]`).getAttribute('aria-selected')
    }
    const first = await field().getAttribute('aria-activedescendant')
    await page.keyboard.press('ArrowDown')
    assert.notEqual(await field().getAttribute('aria-activedescendant'), first)
    assert.equal(await active(), 'true')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await look('codes')
    await page.keyboard.press('Enter')
    await page.waitForURL(/q=/)
    await page.getByText('30 codes', { exact: true }).first().waitFor()
  })

  test('Escape closes it and gives the focus back; nothing found says so', async () => {
    await dashboard.open('/codes')
    const box = page.getByRole('searchbox', { name: 'Search', exact: true })
    await box.focus()
    await openFinder()
    await field().fill('nothing has this name')
    await page.getByText('Nothing found for “nothing has this name”').waitFor()
    await look('nothing')
    await page.keyboard.press('Escape')
    await field().waitFor({ state: 'detached' })
    assert.ok(await box.evaluate((input) => input === document.activeElement))
  })

  test('folders, pages and actions are found, and what was opened last comes first', async () => {
    await openFinder()
    await field().fill('fruhl')
    await option('Frühling').click()
    await page.waitForURL(/folder=fld_/)
    // The folder itself has no code: its subfolder does.
    await page.getByRole('link', { name: poster.name, exact: true }).waitFor()
    await page.getByRole('button', { name: /^Frühling 0 codes here, 1 with subfolders/ }).waitFor()
    await page.screenshot({ path: screenshotPath('dashboard-finding-folder-1280') })
    await page.getByRole('switch', { name: 'With subfolders' }).click()
    await page.getByText('No codes in this folder itself').waitFor()
    await page.getByRole('button', { name: 'Show them' }).click()
    await page.getByRole('link', { name: poster.name, exact: true }).waitFor()

    await openFinder()
    await option('Frühling').waitFor()
    assert.equal(await page.getByRole('option').first().textContent(), 'Frühling')
    await look('recent')
    await field().fill('team')
    await option('Invite a member').waitFor()
    await option('Members').click()
    await page.waitForURL('**/settings/members')
  })

  test('a viewer is offered nothing that a viewer may not do', async () => {
    const tab = await dashboard.openAs({ email: 'viewer@example.com', role: 'VIEWER' })
    await tab.getByRole('button', { name: 'Find anything' }).click()
    await tab.getByRole('option', { name: 'Find by picture' }).waitFor()
    for (const name of ['New code', 'Import a file', 'Invite a member', 'Create an API key', 'Audit log'])
      assert.equal(await tab.getByRole('option', { name }).count(), 0, name)
    await tab.context().close()
  })

  test('rows show where a code leads, in full for screen readers; unfiled codes have a place', async () => {
    await dashboard.open('/codes?q=station')
    const row = page.getByRole('list', { name: 'Codes' }).getByRole('listitem')
    await row.getByTitle(longAddress).waitFor()
    assert.ok((await row.textContent())?.includes(`leads to ${longAddress}`))
    // The end of a long address shows, too.
    await row.getByText('pring-2026', { exact: true }).waitFor()
    await page.screenshot({ path: screenshotPath('dashboard-finding-rows-1280') })
    await page.getByRole('button', { name: 'Not in a folder' }).click()
    await page.getByText('No codes found').waitFor()
    await dashboard.open('/codes?folder=none')
    await page.getByText('31 codes', { exact: true }).first().waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.screenshot({ path: screenshotPath('dashboard-finding-rows-390') })
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('without a network, pages and actions are still found', async () => {
    await dashboard.open('/codes')
    await openFinder()
    await page.context().setOffline(true)
    await field().fill('members')
    await page.getByText('Codes and folders can’t be searched right now').waitFor()
    await option('Members').waitFor()
    await page.context().setOffline(false)
    await option('Members').click()
    await page.waitForURL('**/settings/members')
  })

  /** A photo of a poster: the code is small, turned, and on a background of its own. */
  const photoOf = async (code: TypedQrCode): Promise<Buffer> => {
    const { bytes } = await client.qrCodes.download(orgId, code.id, { format: 'png', size: 512 })
    const small = await sharp(bytes).resize(300).flatten({ background: '#fff' }).png().toBuffer()
    const turned = await sharp(small)
      .rotate(17, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .png()
      .toBuffer()
    return sharp({ create: { width: 2400, height: 1800, channels: 3, background: '#c8b48c' } })
      .composite([{ input: turned, left: 1_500, top: 1_100 }])
      .jpeg({ quality: 80 })
      .toBuffer()
  }
  const choosePhoto = async (buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer })

  test('a photo of a poster with a styled code opens its code; no picture leaves the browser', async () => {
    await dashboard.open('/codes')
    await page.getByRole('button', { name: 'Find by picture' }).click()
    await page.getByRole('button', { name: 'Use the camera' }).waitFor()
    await look('picture')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url())
    })
    await choosePhoto(await photoOf(poster))
    await page.waitForURL(`**/codes/${poster.id}`)
    assert.deepEqual(sent, [])
  })

  test('other pictures are told apart: a foreign code, a deleted code, none, and no picture', async () => {
    await dashboard.open('/codes')
    await page.getByRole('button', { name: 'Find by picture' }).click()
    const told = (text: RegExp) => page.getByRole('status').getByText(text).waitFor()
    const [guests] = (await client.qrCodes.list(orgId, { search: 'Guests' })).data
    const network = { format: 'png', content: 'direct' } as const
    await choosePhoto(Buffer.from((await client.qrCodes.download(orgId, guests?.id ?? '', network)).bytes))
    await told(/not one of your codes/)
    await told(/WIFI:.*Café Guests/)
    await look('foreign')
    await choosePhoto(goneBytes)
    await told(new RegExp(`${gone.shortCode} belongs to this installation, but you cannot see`))
    await choosePhoto(Buffer.from('not a picture'))
    await told(/not a picture that your browser can open/)
    await choosePhoto(
      await sharp({ create: { width: 300, height: 200, channels: 3, background: '#888' } })
        .jpeg()
        .toBuffer(),
    )
    await told(/No QR code was found/)
  })

  test('the camera opens the code that it sees', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'everscan-camera-'))
    const file = join(directory, 'camera.y4m')
    writeFileSync(file, await cameraFilm(await photoOf(poster)))
    const browser = await launchBrowser([
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${file}`,
    ])
    try {
      const tab = await (await browser.newContext({ permissions: ['camera'] })).newPage()
      tab.setDefaultTimeout(hangMs)
      await tab.goto(`${dashboard.service.baseUrl}/app/${orgId}/codes`)
      await dashboard.signIn(tab, dashboard.email)
      await tab.getByRole('button', { name: 'Find by picture' }).click()
      await tab.getByRole('button', { name: 'Use the camera' }).click()
      await tab.waitForURL(`**/codes/${poster.id}`)
    } finally {
      await browser.close()
      rmSync(directory, { recursive: true })
    }
  })

  test('of more than 500 folders none is cut, and the folder of a code shows its name', async () => {
    const oldest = await client.folders.create(orgId, { name: 'Ältester' })
    for (let made = 0; made < 510; made += 30)
      await Promise.all(
        Array.from({ length: 30 }, async (_, at) => client.folders.create(orgId, { name: `F ${made + at}` })),
      )
    const code = await client.qrCodes.create(orgId, {
      type: 'TEXT',
      name: 'In the oldest',
      data: { text: 'Hello' },
      folderId: oldest.id,
    })
    await dashboard.open(`/codes/${code.id}`)
    const folder = page.getByLabel('Folder')
    await folder.waitFor()
    const shown = async () => folder.evaluate((list) => (list as HTMLSelectElement).selectedOptions[0]?.text)
    await until('the folder has its name', async () => (await shown()) === 'Ältester')
    await until('all folders are offered', async () => (await folder.locator('option').count()) === 514)
    await dashboard.open('/codes')
    const tree = page.getByRole('navigation', { name: 'Folders' })
    await tree.getByRole('button', { name: /^Ältester 1/ }).waitFor()
    await page.screenshot({ path: screenshotPath('dashboard-finding-many-folders-1280') })
    for (let press = 0; press < 5; press++)
      await tree.getByRole('button', { name: 'Show more folders' }).click()
    await tree.getByRole('button', { name: 'F 509 0 codes', exact: true }).waitFor()
    await tree.getByRole('searchbox').fill('altest')
    await tree.getByRole('button', { name: /^Ältester/ }).click()
    await page.getByRole('link', { name: code.name, exact: true }).waitFor()
    assert.deepEqual(dashboard.problems, [])
  })
})

/** One frame of film (YUV4MPEG2, 4:2:0) of the part of a photo where the code is, without color. */
async function cameraFilm(photo: Buffer): Promise<Buffer> {
  const [width, height] = [640, 480]
  const grey = await sharp(photo)
    .extract({ left: 1_400, top: 1_060, width: 640, height: 480 })
    .greyscale()
    .raw()
    .toBuffer()
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\nFRAME\n`)
  return Buffer.concat([head, grey.subarray(0, width * height), Buffer.alloc((width * height) / 2, 128)])
}
