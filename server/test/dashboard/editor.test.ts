// Making and changing codes in the dashboard, in a browser, as a person does it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Client, TypedQrCode } from '@everscan/client/create-client.ts'
import { downloadFormats } from '@everscan/contract/resources/downloads.ts'
import { englishTerms } from '@everscan/contract/words/english-terms.ts'
import { codeType, qrCodeTypes, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { Download, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { decodePicture } from '../support/decode-picture.ts'
import { until } from '../support/service.ts'

/** Typed texts by the labels of their fields, and the content that they make. */
type Form = readonly [Readonly<Record<string, string>>, Readonly<Record<string, unknown>>]

/** The example of a type, whose fields are texts. */
function exampleForm(type: QrCodeType): Form {
  const { examples = [] } = codeType(type).schema as { examples?: readonly Record<string, string>[] }
  const [data = assert.fail(type)] = examples
  const labels: Readonly<Record<string, readonly string[]>> = englishTerms.fields
  return [
    Object.fromEntries(
      Object.entries(data).map(([name, text]) => [labels[`${type}.${name}`]?.[0] ?? assert.fail(name), text]),
    ),
    data,
  ]
}

describe('the editor', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let client: Client
  let orgId: string
  let poster: TypedQrCode

  before(async () => {
    dashboard = await openDashboard()
    ;({ page, client, orgId } = dashboard)
    await client.folders.create(orgId, { name: 'Spring' })
  })
  after(async () => dashboard.close())

  const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: true })
  const field = (label: string): Locator => page.getByLabel(label, { exact: true })
  const choose = async (name: string): Promise<void> => {
    await page
      .locator('label')
      .filter({ hasText: name, has: page.getByRole('radio') })
      .first()
      .click()
  }
  const unfold = async (title: string): Promise<void> => {
    const part = page.locator('summary').filter({ hasText: title })
    if (await part.evaluate((summary) => !(summary.parentElement as unknown as { open: boolean }).open))
      await part.click()
  }
  /** The code whose page is shown. */
  const shown = async (): Promise<TypedQrCode> =>
    client.qrCodes.read(orgId, /qr_[0-9a-z]{26}/.exec(page.url())?.[0] ?? '')
  const isReady = async (): Promise<void> =>
    page.getByRole('heading', { name: 'Your code is ready' }).waitFor()
  const save = async (): Promise<void> => {
    await button('Save changes').click()
    await page.getByText('All changes saved').first().waitFor({ state: 'attached' })
  }
  const scan = async ({ shortCode }: TypedQrCode): Promise<Response> =>
    fetch(`${dashboard.service.baseUrl}/${shortCode}`, { redirect: 'manual' })
  /**
   * Scrolls to the top and closes all messages first: an element that covers a button by chance is
   * not a fault of the page.
   */
  const look = async (name: string): Promise<void> => {
    await page
      .getByRole('status')
      .getByRole('button', { name: 'Close' })
      .evaluateAll((buttons) => {
        for (const close of buttons) (close as unknown as { click: () => void }).click()
      })
    await page.evaluate('scrollTo(0, 0)')
    await dashboard.look(name)
  }
  const openPoster = async (): Promise<void> => {
    await dashboard.open(`/codes/${poster.id}`)
    await field('Link').waitFor()
  }

  test('c begins a new code, which says what is missing; then it is made, and it is ready', async () => {
    await dashboard.open('/codes')
    await page.getByRole('link', { name: 'Create code' }).first().waitFor()
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'New code' }).waitFor()
    await page.getByAltText('Preview of the code').waitFor()
    await page.getByText('saving creates the final pattern').waitFor()
    await look('editor-new')
    await button('Create code').click()
    await page.getByText('This field is required.').waitFor()
    assert.ok(await field('Link').evaluate((input) => input.matches(':focus')))
    await field('Link').fill('ftp://example.com')
    await page.getByText('Must begin with http:// or https://.').waitFor()
    await look('editor-problem')
    await field('Link').fill('example.com/spring')
    await field('Name').fill('Spring poster')
    await field('Folder').selectOption('Spring')
    await field('Tags').fill('print')
    await field('Tags').press('Enter')
    await unfold('More')
    await field('Custom short link').fill('docs')
    await button('Create code').click()
    await page.getByText('This word is reserved.').waitFor()
    await field('Custom short link').fill('SPRING')
    await field('Custom short link').press('Enter')
    await isReady()
    await look('editor-ready')
    poster = await shown()
    const { name, data, tags, shortCode, folderId } = poster
    assert.deepEqual(
      { name, data, tags, shortCode },
      {
        name: 'Spring poster',
        data: { url: 'https://example.com/spring' },
        tags: ['print'],
        shortCode: 'SPRING',
      },
    )
    assert.notEqual(folderId, null)
    assert.equal((await scan(poster)).headers.get('location'), 'https://example.com/spring')
    await page.getByRole('link', { name: 'Create another' }).click()
    await page.getByRole('heading', { name: 'New code' }).waitFor()
    await field('Link').fill('https://example.com/')
    await unfold('More')
    await field('Custom short link').fill('spring')
    await button('Create code').click()
    await page.getByText('This short link is taken.').waitFor()
    await field('Custom short link').fill('')
  })

  test('each type is made with the form of its own', async () => {
    const web = 'https://example.com/'
    const forms: { [T in QrCodeType]?: Form } = {
      VIDEO: [{ 'Link to the video': 'video.example' }, { url: 'https://video.example' }],
      VCARD: [
        { 'First name': 'Ada', 'Last name': 'Lovelace', 'E-mail address': 'ada@example.com', Company: '' },
        { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
      ],
      WIFI: [
        { 'Network name': 'Guests', Password: 'basilico' },
        { ssid: 'Guests', password: 'basilico' },
      ],
      TEXT: [{ Text: 'Two\nlines' }, { text: 'Two\nlines' }],
      APP: [{ 'App Store': web }, { iosUrl: web }],
      SOCIAL: [{ Network: 'instagram', Link: web }, { links: [{ platform: 'instagram', url: web }] }],
    }
    const types = qrCodeTypes.filter((type) => type !== 'MENU')
    for (const type of types) {
      if (type !== types[0]) await page.getByRole('link', { name: 'Create another' }).click()
      await page.locator(`input[type=radio][value=${type}]`).check({ force: true })
      const [inputs, data] = forms[type] ?? exampleForm(type)
      if (type === 'APP') {
        await button('Create code').click()
        await page.getByText('Enter at least one of the three links.').waitFor()
      }
      for (const [label, value] of Object.entries(inputs)) await field(label).fill(value)
      await button('Create code').click()
      await isReady()
      const code = await shown()
      assert.equal(code.type, type)
      assert.deepEqual(code.data, data, type)
      if (type === 'SOCIAL') assert.equal(code.name, 'Social')
    }
  })

  test('a menu is written out, its rows moved and taken away, and a phone shows it', async () => {
    await dashboard.open('/codes/new?type=MENU')
    await choose('I’ll enter it here')
    await field('Name of the restaurant').fill('Trattoria')
    const section = (at: number): Locator => page.getByRole('group', { name: `section ${at}`, exact: true })
    const dish = (at: number): Locator => section(1).getByRole('group', { name: `dish ${at}`, exact: true })
    await section(1).getByLabel('Section', { exact: true }).fill('Pasta')
    await dish(1).getByLabel('Dish', { exact: true }).fill('Cacio e pepe')
    await dish(1).getByLabel('Price', { exact: true }).fill('12,5')
    await dish(1).getByLabel('Price', { exact: true }).press('Enter')
    await dish(2).getByLabel('Dish', { exact: true }).fill('Gricia')
    await dish(2).getByLabel('Price', { exact: true }).fill('free')
    await button('Add dish').click()
    await button('Actions for dish 3').click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await dish(2).getByLabel('Dish', { exact: true }).press('Alt+ArrowUp')
    await button('Add section').click()
    await section(2).getByLabel('Section', { exact: true }).fill('Dolci')
    await button('Create code').click()
    await page.getByText('Must be a number, got "free".').waitFor()
    await dish(1).getByLabel('Price', { exact: true }).fill('13')
    await choose('On a phone')
    await page.frameLocator('iframe[title="What a phone shows"]:visible').getByText('€12.50').waitFor()
    await look('editor-menu')
    await button('Create code').click()
    await isReady()
    const { data } = await shown()
    assert.deepEqual(data, {
      title: 'Trattoria',
      sections: [
        {
          name: 'Pasta',
          items: [
            { name: 'Gricia', price: 13, currency: 'EUR' },
            { name: 'Cacio e pepe', price: 12.5, currency: 'EUR' },
          ],
        },
        { name: 'Dolci', items: [] },
      ],
    })
  })

  test('dishes are dragged, duplicated, pasted as lines, taken back, and get one currency', async () => {
    await dashboard.open('/codes/new?type=MENU')
    await choose('I’ll enter it here')
    await field('Name of the restaurant').fill('Trattoria')
    const name = (at: number) => page.locator(`[data-dish="0.${at}"] [data-field="name"]`)
    const names = async () =>
      page
        .locator('[data-dish] fieldset [data-field="name"], fieldset[data-dish] [data-field="name"]')
        .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
    await page.locator('[data-dish="0.-1"] [data-field="name"]').fill('Pasta')
    await name(0).evaluate((input) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', '- Lasagne  14\n- Gricia  12\n- Carbonara  13')
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await name(2).waitFor()
    assert.deepEqual(await names(), ['Lasagne', 'Gricia', 'Carbonara'])
    await page.locator('[data-drag="0.2"]').dragTo(name(0))
    assert.deepEqual(await names(), ['Carbonara', 'Lasagne', 'Gricia'])
    await button('Actions for dish 1').click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    assert.deepEqual(await names(), ['Carbonara', 'Carbonara', 'Lasagne', 'Gricia'])
    await button('Actions for dish 3').click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByText('Dish removed').waitFor()
    await button('Undo').click()
    assert.deepEqual(await names(), ['Carbonara', 'Carbonara', 'Lasagne', 'Gricia'])
    await field('Currency of all prices').fill('CHF')
    await button('Create code').click()
    await isReady()
    const { data } = await shown()
    assert.deepEqual(data, {
      title: 'Trattoria',
      sections: [
        {
          name: 'Pasta',
          items: [
            ['Carbonara', 13],
            ['Carbonara', 13],
            ['Lasagne', 14],
            ['Gricia', 12],
          ].map(([dish, price]) => ({ name: dish, price, currency: 'CHF' })),
        },
      ],
    })
  })

  test('every look to begin with is accepted by the service’s own check', async () => {
    await openPoster()
    const looks = page.getByRole('group', { name: 'Start with a preset' }).getByRole('button')
    const count = await looks.count()
    assert.ok(count >= 8)
    // The first is what the code has: it comes last.
    for (let at = count - 1; at >= 0; at--) {
      await looks.nth(at).click()
      await page.getByText('Easy to scan').waitFor()
      await save()
      const { scannability, style } = await client.qrCodes.read(orgId, poster.id)
      assert.ok(scannability.verified, JSON.stringify(style))
      assert.deepEqual(scannability.warnings, [])
      assert.equal(await looks.nth(at).getAttribute('aria-pressed'), 'true')
    }
  })

  test('a look with a logo is drawn as the service draws it, and another decoder reads it', async () => {
    await button('Ocean').click()
    await unfold('Logo')
    const picture = sharp({ create: { width: 900, height: 900, channels: 3, background: '#C2410C' } })
    await page
      .getByLabel('Choose a picture')
      .setInputFiles({ name: 'logo.jpg', mimeType: 'image/jpeg', buffer: await picture.jpeg().toBuffer() })
    await button('Remove logo').waitFor()
    await field('Crop to a circle').check()
    await unfold('Frame and text')
    await choose('Text below')
    await page.getByLabel('Text', { exact: true }).last().fill('扫码')
    await button('Save changes').click()
    await page.getByText('Must be in Latin, Greek or Cyrillic letters').waitFor()
    await page.getByLabel('Text', { exact: true }).last().fill('Scan for the menu')
    await page.getByText('Easy to scan').waitFor()
    await look('editor-style')
    await save()
    const { style, scannability } = await client.qrCodes.read(orgId, poster.id)
    assert.equal(style.frame?.text, 'Scan for the menu')
    assert.ok(scannability.verified)
    assert.ok((style.logo?.dataUri.length ?? Infinity) < 100_000)

    await isDrawnAsSaved()
    const png = await client.qrCodes.download(orgId, poster.id, { size: 600 })
    const [read] = await decodePicture(png.bytes)
    assert.equal(read?.text.toLowerCase(), poster.shortUrl.toLowerCase())
  })

  test('a look is kept for other codes, and new codes begin with it', async () => {
    await button('Save this style').click()
    await field('Style name').fill('House style')
    await field('Use it for new codes').check()
    await button('Save').click()
    await page.getByText('Style “House style” saved').waitFor()
    await page.keyboard.press('Escape')
    await dashboard.open('/codes/new')
    await page
      .getByRole('group', { name: 'Saved styles' })
      .getByRole('button', { name: 'House style', pressed: true })
      .waitFor()
    await field('Link').fill('https://example.com/styled')
    await button('Create code').click()
    await isReady()
    const [{ style }, saved] = [await shown(), (await client.styles.list(orgId)).data[0]]
    assert.deepEqual(style, saved?.style)
  })

  test('a look that phones cannot read is said to be so while it is made, and the nearest that works is a press away', async () => {
    await openPoster()
    await button('Classic').click()
    await button('Remove logo').click()
    await page.getByLabel('Dots, hex value').fill('#DDDDDD')
    await page.getByText('Hard to scan').waitFor()
    await page.getByText('The dots are too light').waitFor()
    await button('Save changes').click()
    await page.getByText('This style cannot be scanned reliably').waitFor()
    await look('editor-refused')
    await button('Apply and save').click()
    await page.getByText('All changes saved').first().waitFor()
    const { style, scannability } = await client.qrCodes.read(orgId, poster.id)
    assert.notEqual(style.foregroundColor, '#DDDDDD')
    assert.ok(scannability.verified)
    await page.getByText('Should scan well').waitFor()
    await button('Fix it').click()
    await page.getByText('Easy to scan').waitFor()
    await save()
    // Once larger for a logo, it stays so.
    await isDrawnAsSaved()
  })

  test('what some phones may miss is said while a look is made, and what the readers read after', async () => {
    await openPoster()
    await button('Classic').click()
    await save()
    await page.getByText('Every test picture of the saved code was read:').waitFor()
    await page.getByText('qr/decode').waitFor()
    await unfold('Shapes')
    await choose('Dots')
    await page.getByText('Some apps miss dots that do not touch each other').waitFor()
    await button('Fix it').click()
    await page.getByText('Easy to scan').waitFor()
    await page.getByLabel('Background, hex value').fill('#A0A0A0')
    await page.getByLabel('Dots, hex value').fill('#7A0000')
    await page.getByText('Should scan well').waitFor()
    await page.getByText('on white paper, some phones take it for dark').waitFor()
    await page.getByText('In red light this colour disappears').waitFor()
    await save()
    await page.getByText('of the saved code').waitFor()
    await look('editor-warned')
    await page.getByLabel('Background, hex value').fill('#FFFFFF')
    await page.getByLabel('Dots, hex value').fill('#1DB954')
    await unfold('Advanced')
    await page.getByLabel('Margin', { exact: true }).fill('2')
    await unfold('Frame and text')
    await choose('Border')
    await page.getByText('The frame is too close to the code').waitFor()
    await button('Save changes').click()
    await page.getByText('This style cannot be scanned reliably').waitFor()
    await button('Apply and save').click()
    await page.getByText('All changes saved').first().waitFor()
    const { style, scannability } = await client.qrCodes.read(orgId, poster.id)
    assert.deepEqual([style.margin, style.foregroundColor], [4, '#1DB954'])
    assert.ok(scannability.readers.every(({ read, of }) => read === of))
    await button('Classic').click()
    await save()
  })

  test('a changed destination is where the next scan leads; history tells it, and takes it back', async () => {
    // A problem that only the service can find appears under its field, too.
    await field('Link').fill(`http://localhost:${dashboard.service.port}/X`)
    await button('Save changes').click()
    await page.getByText('Must not lead back to this service').waitFor()
    assert.ok(await field('Link').evaluate((input) => input.matches(':focus')))
    await field('Link').fill('https://example.com/summer')
    await save()
    assert.equal((await scan(poster)).headers.get('location'), 'https://example.com/summer')
    await page.getByText('changed the destination from example.com/spring to example.com/summer').waitFor()
    const { version } = (await client.qrCodes.history(orgId, poster.id)).data[1] ?? {}
    await button(`Restore this version: ${version}`).click()
    await page.getByText('Version restored.').waitFor()
    assert.equal(await field('Link').inputValue(), 'https://example.com/spring')
    assert.equal((await scan(poster)).headers.get('location'), 'https://example.com/spring')
    await button('Undo').first().click()
    await page.getByText('Undone.').waitFor()
    assert.equal((await scan(poster)).headers.get('location'), 'https://example.com/summer')
    await look('editor-history')
  })

  test('a change of somebody else’s is not written over unasked', async () => {
    await openPoster()
    await field('Link').fill('https://example.com/mine')
    await client.qrCodes.update(orgId, poster.id, {
      name: 'Theirs',
      data: { url: 'https://example.com/theirs' },
    })
    await button('Save changes').click()
    await page.getByRole('dialog', { name: 'Someone else changed this code' }).waitFor()
    await look('editor-overtaken')
    await button('Save my changes').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('All changes saved').first().waitFor()
    const { name, data } = await client.qrCodes.read(orgId, poster.id)
    assert.deepEqual({ name, data }, { name: 'Theirs', data: { url: 'https://example.com/mine' } })

    await field('Name').fill('Mine')
    await client.qrCodes.update(orgId, poster.id, { name: 'Theirs again' })
    await button('Save changes').click()
    await button('Load their version').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await field('Name').inputValue(), 'Theirs again')
  })

  test('whoever leaves with something unsaved is asked', async () => {
    await field('Name').fill('Not saved')
    await page.getByRole('link', { name: 'Codes' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await button('Stay').click()
    assert.equal(await field('Name').inputValue(), 'Not saved')
    await page.getByRole('link', { name: 'Codes' }).click()
    await button('Leave without saving').click()
    await page.getByRole('heading', { name: 'Codes' }).waitFor()
    assert.equal((await client.qrCodes.read(orgId, poster.id)).name, 'Theirs again')
  })

  test('pictures are downloaded in every format, under the code’s name', async () => {
    await page.getByRole('link', { name: 'Theirs again', exact: true }).click()
    await button('Download').click()
    await page.getByRole('dialog').waitFor()
    for (const format of Object.keys(downloadFormats)) {
      await choose(format.toUpperCase())
      const file = await downloaded(button(`Download ${format.toUpperCase()}`))
      assert.equal(file.suggestedFilename(), `Theirs again.${format}`)
    }
    await choose('PDF')
    await page.getByLabel('Width in mm').fill('40')
    await page.getByLabel('Colours', { exact: true }).selectOption({ label: 'CMYK' })
    await page.getByLabel('Bleed').selectOption({ label: '3 mm' })
    await field('Crop marks').check()
    await look('editor-print')
    const pdf = readFileSync(await (await downloaded(button('Download PDF'))).path(), 'latin1')
    assert.match(pdf, /BleedBox.*TrimBox\[22\.6772 22\.6772 136\.063 /)
    assert.doesNotMatch(pdf, /OutputIntents/)
    await choose('PNG')
    await choose('Millimetres')
    await field('Width in mm').fill('5')
    await page.getByText('Too small to be read').waitFor()
    await field('Width in mm').fill('50')
    await field('Resolution').selectOption('600 dpi')
    await look('editor-download')
    const png = readFileSync(await (await downloaded(button('Download PNG'))).path())
    assert.equal((await sharp(png).metadata()).width, Math.round((50 / 25.4) * 600))
    await page.keyboard.press('Escape')
  })

  test('a code is archived and taken back, copied, and deleted', async () => {
    const act = async (name: string): Promise<void> => {
      await button('More actions').click()
      await page.getByRole('menuitem', { name }).click()
    }
    await act('Archive')
    await button('Undo').waitFor()
    assert.equal((await scan(poster)).status, 410)
    await button('Undo').click()
    await page.getByText('Restored. Scans work again.').waitFor()
    assert.equal((await scan(poster)).status, 302)
    await act('Duplicate')
    await page.getByText('is a copy with its own short link').waitFor()
    const copy = await shown()
    assert.notEqual(copy.id, poster.id)
    await field('Name').fill('Never saved')
    await act('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 code' }).click()
    await page.getByRole('heading', { name: 'Codes' }).waitFor()
    await assert.rejects(client.qrCodes.read(orgId, copy.id))
  })

  test('a viewer sees the code and no way to change it', async () => {
    const { acceptUrl } = await client.invitations.create(orgId, {
      email: 'eve@editor.example.com',
      role: 'VIEWER',
    })
    const token = acceptUrl.split('#')[1] ?? ''
    await client.invitations.accept({ token, name: 'Eve', password: 'another long password' })
    const context = await dashboard.openContext()
    const tab = await context.newPage()
    await tab.goto(`${dashboard.service.baseUrl}/app/${orgId}/codes/${poster.id}`)
    await tab.getByLabel('E-mail address').fill('eve@editor.example.com')
    await tab.getByLabel('Password', { exact: true }).fill('another long password')
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
    await tab.getByText('You can view this code.').waitFor()
    assert.ok(await tab.getByLabel('Link', { exact: true }).isDisabled())
    for (const name of ['Save changes', 'More actions', /^Restore this version/])
      assert.equal(await tab.getByRole('button', { name }).count(), 0)
    await tab.getByRole('button', { name: 'Download' }).waitFor()
    await context.close()
    assert.deepEqual(dashboard.problems, [])
  })

  /** The live picture becomes, to the letter, the one that the service makes. */
  async function isDrawnAsSaved(): Promise<void> {
    const { bytes } = await client.qrCodes.download(orgId, poster.id, { format: 'svg' })
    const made = new TextDecoder().decode(bytes).replace(/ role="img"><title>.*?<\/title>/, '>')
    await until('the live picture is the saved one', async () => {
      const drawn = await page.getByAltText('Preview of the code').getAttribute('src')
      return decodeURIComponent((drawn ?? '').replace('data:image/svg+xml,', '')) === made
    })
  }

  async function downloaded(press: Locator): Promise<Download> {
    const [file] = await Promise.all([page.waitForEvent('download'), press.click()])
    return file
  }
})
