// Left to the soak: `dashboard/jobs` makes a menu, `pages` shows it.
// Menus of restaurants, made in a browser and read on a phone.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client, TypedQrCode } from '@everscan/client/create-client.ts'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { accessibilityProblems, screenshotPath } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { countSteps } from '../support/steps.ts'

const pasted = `ANTIPASTI
Bruschetta – tomatoes, garlic, basil  6,50 €
Vitello tonnato  12,00 €
Burrata with figs and prosciutto of San Daniele, aged for eighteen months  11,50 €

PASTA
Cacio e pepe  10,50 €
Gricia  11,00 €
Carbonara  11,50 €
Lasagne  12,00 €

DOLCI
Tiramisù  6,50 €
Panna cotta  6,00 €
Cannolo  5,50 €
Affogato  5,00 €
Cantucci  4,50 €`

const widths = [390, 660, 744, 1280]

describe('menus', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let client: Client
  let orgId: string

  before(async () => {
    dashboard = await openDashboard()
    ;({ page, client, orgId } = dashboard)
  })
  after(async () => dashboard.close())

  const button = (name: string): Locator => page.getByRole('button', { name, exact: true })
  const field = (label: string): Locator => page.getByLabel(label, { exact: true })
  const option = (name: string): Locator =>
    page.locator('label').filter({ hasText: name, has: page.getByRole('radio') })
  const unfold = async (title: string): Promise<void> => {
    const part = page.locator('summary').filter({ hasText: title })
    if (await part.evaluate((summary) => !(summary.parentElement as unknown as { open: boolean }).open))
      await part.click()
  }
  const inMenu = (name: string): Locator => page.getByRole('menuitem', { name, exact: true })
  const name = (place: string): Locator => page.locator(`[data-dish="${place}"] [data-field="name"]`)
  const shown = async (): Promise<TypedQrCode> =>
    client.qrCodes.read(orgId, /qr_[0-9a-z]{26}/.exec(page.url())?.[0] ?? '')
  const isReady = async (): Promise<void> =>
    page.getByRole('heading', { name: 'Your code is ready' }).waitFor()
  const pageOf = async ({ shortCode }: TypedQrCode, language: string): Promise<string> => {
    const headers = { 'accept-language': language }
    return (await fetch(`${dashboard.service.baseUrl}/${shortCode}`, { headers })).text()
  }
  /** Looks at the page in every width, in both themes. */
  const lookAtAll = async (title: string): Promise<void> => {
    for (const width of widths)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await page.screenshot({
          path: screenshotPath(`menus-${title}-${width}-${colorScheme}`),
          fullPage: true,
        })
        assert.equal(
          await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
          true,
          `${width}`,
        )
        if (width === 390 || width === 1280) assert.deepEqual(await accessibilityProblems(page), [])
      }
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ colorScheme: 'light' })
  }

  test('a menu of 12 dishes from a pasted list in at most 15 steps', async () => {
    await dashboard.open('/codes')
    const steps = countSteps('menu of 12 dishes')
    await steps.click(page.getByRole('link', { name: 'Create code' }).first())
    await steps.click(option('Menu').first())
    await steps.click(option('I’ll enter it here'))
    await steps.fill(field('Name of the restaurant'), 'Trattoria da Lucia')
    await steps.click(button('Paste a list'))
    await steps.fill(field('Your menu'), pasted)
    await page.getByText('€6.50').first().waitFor()
    await page.screenshot({ path: screenshotPath('menus-paste') })
    await steps.click(button('Add 12 dishes'))
    await steps.click(button('Create code'))
    await isReady()
    const count = steps.end()
    assert.ok(count <= 15, `${count} steps`)
    const { data } = await shown()
    const { sections = [] } = data as { sections?: { name: string; items: unknown[] }[] }
    assert.deepEqual(
      sections.map((one) => [one.name, one.items.length]),
      [
        ['Antipasti', 3],
        ['Pasta', 4],
        ['Dolci', 5],
      ],
    )
  })

  test('prices show with the decimals of their currency; a long name wraps on a phone', async () => {
    const price = page.locator('[data-dish="0.0"] [data-field="price"]')
    assert.equal(await price.inputValue(), '6.50')
    await price.fill('7,5')
    assert.equal(await price.inputValue(), '7,5')
    await price.blur()
    assert.equal(await price.inputValue(), '7.50')
    await page.setViewportSize({ width: 390, height: 844 })
    const names = '[...document.querySelectorAll(`[data-dish] [data-field="name"]`)]'
    const isCut = 'one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1'
    assert.ok((await page.evaluate<number>(`${names}.length`)) >= 15)
    assert.equal(await page.evaluate<number>(`${names}.filter((one) => ${isCut}).length`), 0)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('a section is dragged, duplicated, and moved with the keyboard', async () => {
    const sections = async (): Promise<string[]> =>
      page
        .locator('[data-dish$=".-1"] [data-field="name"]')
        .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value))
    // Both must be on the screen: a page that scrolls in between ends the drag.
    await page.setViewportSize({ width: 1280, height: 3_000 })
    await page.locator('[data-drag="2.-1"]').dragTo(name('0.-1'))
    assert.deepEqual(await sections(), ['Dolci', 'Antipasti', 'Pasta'])
    await name('0.-1').press('Alt+ArrowDown')
    assert.deepEqual(await sections(), ['Antipasti', 'Dolci', 'Pasta'])
    await name('1.-1').press('Alt+ArrowDown')
    assert.deepEqual(await sections(), ['Antipasti', 'Pasta', 'Dolci'])
    await button('Actions for section 3').click()
    await inMenu('Duplicate').click()
    assert.deepEqual(await sections(), ['Antipasti', 'Pasta', 'Dolci', 'Dolci'])
    await button('Actions for section 4').click()
    await inMenu('Remove').click()
    await page.getByText('Section removed').waitFor()
    assert.deepEqual(await sections(), ['Antipasti', 'Pasta', 'Dolci'])
  })

  test('what the restaurant is, marks of dishes and a second language are edited, saved and shown', async () => {
    await unfold('About the restaurant')
    const photo = await sharp({ create: { width: 2400, height: 1600, channels: 3, background: '#9A3412' } })
      .png()
      .toBuffer()
    await field('Header photo: Choose a picture').setInputFiles({
      name: 'photo.png',
      mimeType: 'image/png',
      buffer: photo,
    })
    await page.getByAltText('Header photo').waitFor()
    await field('Phone number').fill('+39 011 123456')
    await field('Link to book a table').fill('book.example/lucia')
    await field('City').fill('Torino')
    await button('Add hours').click()
    const days = page.getByRole('group', { name: 'Opening hours 1' })
    await days.getByRole('checkbox', { name: 'Monday' }).uncheck({ force: true })
    await days.getByLabel('From').fill('18:00')
    await days.getByLabel('To').fill('23:30')

    await button('Actions for dish 1').first().click()
    await inMenu('Allergens and diet').click()
    const marks = page.getByRole('dialog')
    await marks.getByRole('checkbox', { name: 'Vegan' }).check({ force: true })
    await marks.getByRole('checkbox', { name: 'Gluten', exact: true }).check({ force: true })
    await page.screenshot({ path: screenshotPath('menus-marks') })
    await marks.getByRole('button', { name: 'Done' }).click()
    await button('Allergens and diet: Vegan · Contains gluten').waitFor()

    await unfold('Languages')
    await field('Language of this menu').selectOption('it')
    await field('Add a language').selectOption('German')
    await page.locator('[data-dish="0.0"]').getByLabel('Description in German').fill('Tomaten, Knoblauch')
    await field('Name of the restaurant in German').fill('Bei Lucia')
    await field('Section in German').first().fill('Vorspeisen')
    await page.getByText('texts are not translated').waitFor()
    await lookAtAll('editor')
    await button('Save changes').click()
    await page.getByText('All changes saved').first().waitFor({ state: 'attached' })

    const code = await shown()
    const {
      photo: saved = '',
      sections = [],
      ...rest
    } = code.data as {
      photo?: string
      sections?: { items: object[]; translations?: object[] }[]
    }
    assert.match(saved, /^data:image\/jpeg;base64,/)
    assert.deepEqual(rest, {
      title: 'Trattoria da Lucia',
      phone: '+39 011 123456',
      bookingUrl: 'https://book.example/lucia',
      address: { city: 'Torino' },
      openingHours: [{ days: ['TU', 'WE', 'TH', 'FR', 'SA', 'SU'], from: '18:00', to: '23:30' }],
      languages: ['it', 'de'],
      translations: [{ language: 'de', title: 'Bei Lucia' }],
    })
    assert.deepEqual(sections[0]?.translations, [{ language: 'de', name: 'Vorspeisen' }])
    assert.deepEqual(sections[0]?.items[0], {
      name: 'Bruschetta',
      description: 'tomatoes, garlic, basil',
      price: 7.5,
      currency: 'EUR',
      diets: ['vegan'],
      allergens: ['gluten'],
      translations: [{ language: 'de', description: 'Tomaten, Knoblauch' }],
    })
    const german = await pageOf(code, 'de-AT')
    assert.match(german, /<title>Bei Lucia<\/title>/)
    assert.match(german, /Tisch reservieren/)
    assert.match(german, /Enthält: Gluten/)
    assert.match(await pageOf(code, 'fr'), /<title>Trattoria da Lucia<\/title>/)
  })

  test('a language that is removed comes back with its texts', async () => {
    await button('Remove German').click()
    await page.getByText('German removed').waitFor()
    assert.equal(await field('Section in German').count(), 0)
    // The notice of an earlier step may still be there.
    await button('Undo').last().click()
    await option('German').click()
    assert.equal(await field('Section in German').first().inputValue(), 'Vorspeisen')
    await page.getByText('All changes saved').first().waitFor({ state: 'attached' })
  })

  test('the preview is the page itself, as wide as a phone or a computer, with its languages', async () => {
    await option('On a phone').click()
    await button('Larger preview').click()
    const title = 'iframe[title="The page as visitors see it"]'
    const frame = page.frameLocator(title)
    await frame.getByText('Bruschetta').waitFor()
    const widthOf = async () =>
      page.locator(title).evaluate((one) => (one as unknown as { clientWidth: number }).clientWidth)
    assert.equal(await widthOf(), 1280)
    await page.screenshot({ path: screenshotPath('menus-preview-computer') })
    await page.getByRole('dialog').locator('label').filter({ hasText: 'Phone' }).click()
    await frame.getByText('Bruschetta').waitFor()
    assert.equal(await widthOf(), 375)
    await frame.getByText('Deutsch', { exact: true }).click()
    await frame.getByText('Tomaten, Knoblauch').waitFor()
    await page.screenshot({ path: screenshotPath('menus-preview-phone') })
    assert.deepEqual(await accessibilityProblems(page), [])
    await page.keyboard.press('Escape')
  })

  test('the browser reported no error', () => {
    assert.deepEqual(dashboard.problems, [])
  })
})
