// Left to the soak: `pages` has the pages that it shows, `dashboard/editor` that it is there.
// The editor's phone shows the very page that a scan gets, for a code that is not saved yet.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AnyCreateQrCode, Client } from '@everscan/client/create-client.ts'
import { codeType, isPageType, qrCodeTypes } from '@everscan/contract/code-types/code-types.ts'
import { languages, wordsOf } from '@everscan/pages/languages/languages.ts'
import type { Frame, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { screenshotPath } from '../support/browser.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { until } from '../support/service.ts'

const textIn = async (frame: Frame): Promise<string> => frame.locator('body').innerHTML()
const largeIn = async (frame: Frame): Promise<string | null> => frame.locator('.large').textContent()
const scrolledIn = async (frame: Frame): Promise<number> => Number(await frame.evaluate('scrollY'))
const mainIn = async (frame: Frame): Promise<string> => frame.locator('main').innerHTML()

/**
 * Removes the script, which a still page lacks, and the contact file's address, which a draft
 * lacks.
 */
const comparable = (body: string): string =>
  body.replace(/<script>.*<\/script>/s, '').replace(/href="[^"]*\.vcf"|href="#"/, 'href="#"')

describe('the editor’s phone', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let page: Page
  let client: Client
  let orgId: string

  before(async () => {
    dashboard = await openDashboard()
    ;({ page, client, orgId } = dashboard)
    const picture = sharp({ create: { width: 160, height: 80, channels: 3, background: '#C2410C' } })
    const logo = `data:image/png;base64,${(await picture.png().toBuffer()).toString('base64')}`
    await client.organizations.update(orgId, { publicName: 'Trattoria da Lucia', logo })
  })
  after(async () => dashboard.close())

  const field = (label: string): Locator => page.getByLabel(label, { exact: true })
  const frames = (): Locator => page.locator('iframe[title="What a phone shows"]')
  const phone = async (): Promise<void> => {
    await page.locator('label').filter({ hasText: 'On a phone' }).click()
    await page.getByRole('img', { name: 'Preview of the code' }).waitFor({ state: 'detached' })
  }
  const openNew = async (type: string): Promise<void> => {
    await dashboard.open(`/codes/new?type=${type}`)
    // The code of the test before was not finished.
    const startNew = page.getByRole('button', { name: 'Start new', exact: true })
    await startNew
      .or(page.locator('label').filter({ hasText: 'On a phone' }))
      .first()
      .waitFor()
    if (await startNew.isVisible()) await startNew.click()
    await phone()
  }
  const opened = async (code: AnyCreateQrCode): Promise<string> => {
    const { id, shortCode } = await client.qrCodes.create(orgId, code)
    await dashboard.open(`/codes/${id}`)
    await phone()
    return shortCode
  }
  /** The page in the phone, when no other is on its way. */
  const shownFrame = async (): Promise<Frame> => {
    let frame: Frame | null | undefined
    await until('one page is in the phone', async () => {
      if ((await frames().count()) !== 1) return false
      // The next page may have come since they were counted.
      frame = await (await frames().first().elementHandle())?.contentFrame()
      // A frame may be replaced by the next while it is read.
      return (
        (await frame
          ?.locator('main')
          .count()
          .catch(() => 0)) === 1
      )
    })
    return frame ?? assert.fail()
  }
  /** Reads the page in the phone; again if the next one takes its place meanwhile. */
  const inPhone = async <Value>(read: (frame: Frame) => Promise<Value>): Promise<Value> => {
    for (;;) {
      const frame = await shownFrame()
      try {
        return await read(frame)
      } catch (error) {
        if (!frame.isDetached()) throw error
      }
    }
  }

  const background = async (): Promise<unknown> =>
    inPhone((frame) => frame.evaluate('getComputedStyle(document.body).backgroundColor'))
  const chooseScheme = async (name: string): Promise<void> =>
    page.getByRole('radio', { name, exact: true }).check({ force: true })

  test('every type shows what a scan of it gets, in the same words', async () => {
    for (const type of qrCodeTypes) {
      const { examples } = codeType(type).schema as { examples?: readonly object[] }
      for (const data of examples ?? assert.fail(type)) {
        const code = { type, name: `Code ${type}`, data, style: { foregroundColor: '#1E3A8A' } }
        const shortCode = await opened(code as AnyCreateQrCode)
        const answer = await fetch(`${dashboard.service.baseUrl}/${shortCode}`, {
          redirect: 'manual',
          headers: { 'accept-language': 'en-GB' },
        })
        const location = answer.headers.get('location')
        if (location !== null) {
          await page.getByText(new URL(location).hostname).last().waitFor()
          await page
            .getByRole('paragraph')
            .filter({ hasText: /^Opens$/ })
            .waitFor()
          assert.equal(await frames().count(), 0, type)
          continue
        }
        const sent = await answer.text()
        const read = `new DOMParser().parseFromString(${JSON.stringify(sent)}, 'text/html').body.innerHTML`
        const body = String(await page.evaluate(read))
        assert.equal(comparable(await inPhone(textIn)), comparable(body), type)
        await page.screenshot({ path: screenshotPath(`dashboard-preview-${type.toLowerCase()}`) })
      }
    }
    assert.deepEqual(dashboard.problems, [])
  })

  test('what is typed is shown before it is saved, the phone stays where it is, and nothing is needed', async () => {
    await openNew('URL')
    for (const type of qrCodeTypes) {
      await page.locator(`input[type=radio][value=${type}]`).check({ force: true })
      // A menu begins as a link.
      if (isPageType(type) && type !== 'MENU') assert.notEqual(await inPhone(mainIn), '')
      else await page.getByText('Enter a link to see where it leads.').waitFor()
    }
    await openNew('TEXT')
    await shownFrame()
    const place = await frames().boundingBox()
    await field('Text').pressSequentially('The key is under <b>the mat</b>', { delay: 20 })
    await until(
      'the text is there',
      async () => (await inPhone(largeIn)) === 'The key is under <b>the mat</b>',
    )
    assert.deepEqual(await frames().boundingBox(), place)
    assert.deepEqual(dashboard.problems, [])
  })

  test('the organization’s name and logo stand on it', async () => {
    assert.equal(await inPhone((frame) => frame.locator('header').textContent()), 'Trattoria da Lucia')
    assert.equal(await inPhone((frame) => frame.locator('header img').getAttribute('width')), '160')
    const drawn = "document.querySelector('header img').naturalWidth"
    await until('the logo is drawn', async () => (await inPhone((frame) => frame.evaluate(drawn))) === 160)
  })

  test('it is shown in each language, which has a name of its own', async () => {
    await openNew('WIFI')
    await field('Network name').fill('Guests')
    const choice = field('Language of the phone')
    assert.equal(await choice.inputValue(), 'en')
    const names = await choice.locator('option').allTextContents()
    assert.equal(new Set(names).size, languages.length)
    for (const name of ['English', 'Deutsch', 'Français', 'العربية', '日本語'])
      assert.ok(names.includes(name))
    for (const language of languages) {
      await choice.selectOption(language)
      const title = wordsOf(language).wifi.title
      await until(
        `it is in ${language}`,
        async () => (await inPhone((frame) => frame.locator('.over').textContent())) === title,
      )
      const rootHas = (name: string): Promise<string | null> =>
        inPhone((frame) => frame.locator('html').getAttribute(name))
      assert.equal(await rootHas('lang'), language)
      assert.equal(await rootHas('dir'), language === 'ar' ? 'rtl' : 'ltr')
    }
    await choice.selectOption('ar')
    await shownFrame()
    await dashboard.look('preview-arabic')
  })

  test('it is shown by day and by night, whatever this device prefers', async () => {
    await openNew('PHONE')
    await field('Phone number').fill('+49 30 1')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await chooseScheme('Light')
      await until('day', async () => (await background()) === 'rgb(255, 255, 255)')
      await chooseScheme('Dark')
      await until('night', async () => (await background()) === 'rgb(16, 17, 20)')
    }
    await dashboard.look('preview-dark')
  })

  test('a long menu is scrolled with the wheel and with the keys', async () => {
    await opened({
      type: 'MENU',
      name: 'Menu',
      data: {
        title: 'Grand Café',
        sections: Array.from({ length: 6 }, (_, section) => ({
          name: `Section ${section + 1}`,
          items: Array.from({ length: 8 }, (__, item) => ({ name: `Dish ${item + 1}`, price: 4 + item })),
        })),
      },
    })
    await inPhone(scrolledIn)
    const box = (await frames().boundingBox()) ?? assert.fail()
    await page.mouse.move(box.x + 50, box.y + 200)
    await page.mouse.wheel(0, 400)
    await until('the wheel scrolls', async () => (await inPhone(scrolledIn)) > 100)
    await page.mouse.wheel(0, -1000)
    await until('and back', async () => (await inPhone(scrolledIn)) === 0)
    await page.getByRole('radio', { name: 'On a phone' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('End')
    await until('the keys scroll', async () => (await inPhone(scrolledIn)) > 500)
    await dashboard.look('preview-menu')
  })

  test('a link in it opens nothing, by a click or a key', async () => {
    for (const [type, data] of [
      ['SOCIAL', { links: [{ platform: 'x', url: 'https://example.com/' }] }],
      ['PHONE', { phone: '+49 30 1' }],
      ['VCARD', { firstName: 'Ada', lastName: 'Lovelace', website: 'https://example.com' }],
      ['MENU', { title: 'A', sections: ['B', 'C'].map((name) => ({ name, items: [] })) }],
    ] as const) {
      await opened({ type, name: 'A', data } as unknown as AnyCreateQrCode)
      const address = page.url()
      const main = await inPhone(mainIn)
      for (const link of await (await shownFrame()).locator('a').all()) {
        await link.click({ force: true })
        await link.click({ force: true, modifiers: ['ControlOrMeta'] })
        await link.press('Enter')
      }
      assert.equal(await inPhone(mainIn), main, type)
      assert.equal(await inPhone(async (frame) => frame.url()), 'about:srcdoc')
      assert.equal(page.url(), address)
      assert.equal(page.context().pages().length, 1, type)
    }
    // The browser says that it opened nothing, and asked nothing of anybody.
    assert.deepEqual(
      dashboard.problems.filter((problem) => !problem.startsWith('Blocked opening')),
      [],
    )
    dashboard.problems.length = 0
  })

  test('it fits beside the form, below it, and on a phone', async () => {
    await openNew('VCARD')
    await field('First name').fill('Ada')
    await field('Last name').fill('Lovelace')
    await until(
      'it is shown',
      async () => (await inPhone((frame) => frame.locator('h1').textContent())) === 'Ada Lovelace',
    )
    for (const width of [390, 660, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      // The page is laid out anew, and the frame is scaled to it, a little later.
      await until(`${width}: it fits`, async () => {
        const box = await frames().boundingBox()
        return box !== null && box.width >= 250 && box.x >= 0 && box.x + box.width <= width
      })
      await until(
        `${width}: it is a phone`,
        async () => (await inPhone((frame) => frame.evaluate('innerWidth'))) === 375,
      )
      const dark = (await page.locator('label').filter({ hasText: 'Dark' }).boundingBox()) ?? assert.fail()
      assert.ok(dark.x + dark.width <= width - 12, `${width}: ${JSON.stringify(dark)}`)
      await frames().scrollIntoViewIfNeeded()
      await page.screenshot({ path: screenshotPath(`dashboard-preview-${width}`) })
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    assert.deepEqual(dashboard.problems, [])
  })

  test('an app says which phones go elsewhere and shows what the others see', async () => {
    await openNew('APP')
    await field('App Store').fill('apps.example/app')
    await page.getByText('iPhones open apps.example instead.').waitFor()
    await inPhone((frame) => frame.getByText('App Store').waitFor())
    await field('Everything else').fill('https://example.com/app')
    await page.getByText('All other devices open').waitFor()
    assert.equal(await frames().count(), 0)
    await dashboard.look('preview-app')
  })
})
