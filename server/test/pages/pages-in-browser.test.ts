import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { accessibilityProblems, screenshotPath } from '../support/browser.ts'
import { landingPage } from '@everscan/pages/landing-page.ts'
import type { Notice } from '@everscan/pages/notice-pages.ts'
import { sentNotice, sentPage, type SentPage } from '../../src/files/sent-pages.ts'
import type { Brand, PageCode, Visitor } from '@everscan/pages/page-content.ts'
import {
  arabicSamples,
  englishSamples,
  sampleBrand,
  samplePage,
  samplePhoto,
} from '@everscan/pages/testing/samples.ts'
import { openTab } from '../support/tabs.ts'
import { languages, type Language } from '@everscan/pages/languages/languages.ts'

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const
const notices: readonly Notice[] = ['unknown', 'gone', 'later', 'method', 'badLink']

const sentPageOf = (code: PageCode, visitor: Visitor) => sentPage(landingPage(code, visitor))

/** Every page in a language, by name. */
async function pagesIn(language: Language): Promise<Map<string, SentPage>> {
  const visitor: Visitor = { language, locale: language, system: 'ios' }
  const samples = language === 'ar' ? arabicSamples : englishSamples
  const brand = await sampleBrand()
  const pages = Object.entries(samples).flatMap(([name, sample]): [string, SentPage][] => {
    const style = styles[sample.type]
    const plain = sentPageOf(samplePage(sample, { style }), visitor)
    const branded = brandOf(name, brand)
    if (branded === undefined) return [[name, plain]]
    return [[name, sentPageOf(samplePage(sample, { style, brand: branded }), visitor)]]
  })
  const { logo: { dataUri: logo } = { dataUri: '' } } = brand
  const pictured = { ...samples.menu, data: { ...samples.menu.data, photo: await samplePhoto(), logo } }
  return new Map([
    ...pages,
    ['menu-pictured', sentPageOf(samplePage(pictured, { style: styles['MENU'], brand }), visitor)],
    ...(language === 'en' ? notices : notices.slice(0, 2)).map((notice): [string, SentPage] => [
      notice,
      sentNotice(notice, language),
    ]),
  ])
}

/** Styles as codes have them; the rest is black on white. */
const styles: Readonly<Record<string, object>> = {
  WIFI: { foregroundColor: '#0F5132', backgroundColor: '#FFFFFF' },
  MENU: { foregroundColor: '#9A3412', backgroundColor: '#FFF7ED' },
  SOCIAL: { gradient: { type: 'linear', colors: ['#7C3AED', '#DB2777'] } },
  PHONE: { foregroundColor: '#1E3A8A', backgroundColor: '#DBEAFE' },
  SMS: { foregroundColor: '#767676', backgroundColor: '#FFFFFF' },
}

/** Both, a name alone, a logo alone, nothing. */
function brandOf(name: string, { name: text, logo }: Brand): Brand | undefined {
  if (name === 'menu' || name === 'wifi') return { name: text, logo }
  if (name === 'email') return { name: text }
  return name === 'social' ? { logo } : undefined
}

describe('every page in a browser', () => {
  let pages: Record<'en' | 'ar', Map<string, SentPage>>
  before(async () => {
    pages = { en: await pagesIn('en'), ar: await pagesIn('ar') }
  })

  for (const [size, viewport] of Object.entries(sizes))
    for (const scheme of ['light', 'dark'] as const)
      for (const language of ['en', 'ar'] as const) {
        // Each page in both sizes and both schemes; every combination in the long run.
        if (
          process.env['SOAK'] !== '1' &&
          (language === 'en') !== ((size === 'phone') === (scheme === 'light'))
        )
          continue
        test(`${language}, ${size}, ${scheme}: axe finds nothing, nothing is wider than the screen, all can be touched`, async (context) => {
          let opened = await openTab({ ...viewport, scheme })
          for (const [name, page] of pages[language]) {
            const check = async (): Promise<void> => {
              const { tab, show, problems } = opened
              await show(page)
              await tab.screenshot({
                path: screenshotPath(`${name}-${language}-${size}-${scheme}`),
                fullPage: true,
              })
              assert.deepEqual(await accessibilityProblems(tab), [], name)
              assert.deepEqual(await tab.evaluate(measure), { tooWide: [], tooSmall: [] }, name)
              assert.deepEqual(problems, [], name)
            }
            await check().catch(async (error: unknown) => {
              // A browser on a busy machine can lose a tab. What is wrong with a page stays wrong.
              if (error instanceof assert.AssertionError) throw error
              context.diagnostic(`${name}, in another tab: ${String(error)}`)
              opened = await openTab({ ...viewport, scheme })
              await check()
            })
          }
          await opened.tab.context().close()
        })
      }
})

/** Elements that reach out of the screen, and links and buttons under 44 × 44 pixels. */
const measure = `(() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((element) => ({ element, box: element.getBoundingClientRect() }))
  const scrolls = (element) => element.closest('nav ul') !== null
  const tooWide = boxes('body *').filter(({ element, box }) => !scrolls(element) && (box.left < -1 || box.right > innerWidth + 1))
  const tooSmall = boxes('a, button:not([hidden])').filter(({ box }) => box.width < 44 || box.height < 44)
  const named = (found) => found.map(({ element }) => element.outerHTML.slice(0, 100))
  return { tooWide: named(tooWide), tooSmall: named(tooSmall) }
})()`

const english: Visitor = { language: 'en', locale: 'en', system: 'android' }

test('letters of twice the size: everything is there, nothing is wider than the screen', async () => {
  const { tab, show } = await openTab({ ...sizes.phone, scheme: 'light' })
  const longWord = { type: 'TEXT' as const, name: 'W'.repeat(60), data: { text: 'W'.repeat(500) } }
  for (const sample of [...Object.values(englishSamples), longWord]) {
    await show(sentPageOf(samplePage(sample, { brand: { name: 'A long name of an organization' } }), english))
    await tab.evaluate("document.documentElement.style.fontSize = '200%'")
    assert.deepEqual(await tab.evaluate(measure), { tooWide: [], tooSmall: [] }, sample.type)
  }
  await tab.context().close()
})

test('WIFI: a touch selects the password, the button copies it, and without scripts there is no dead button', async () => {
  const password = 'a  b"<\\;'
  const page = sentPageOf(
    samplePage({ type: 'WIFI', name: 'A', data: { ssid: 'Guests', password } }),
    english,
  )
  const { tab, show, problems } = await openTab({ ...sizes.phone, scheme: 'light' })
  await tab.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await show(page)
  await tab.click('.secret')
  assert.equal(await tab.evaluate('String(getSelection())'), password)
  await tab.click('text=Copy password')
  await tab.waitForSelector('text=Password copied')
  assert.equal(await tab.evaluate('navigator.clipboard.readText()'), password)
  assert.deepEqual(problems, [])
  await tab.context().close()

  const plain = await openTab({ ...sizes.phone, scheme: 'light', javaScriptEnabled: false })
  await plain.show(page)
  assert.equal(await plain.tab.isVisible('button'), false)
  assert.equal(await plain.tab.isVisible('text=Tap the password'), true)
  assert.equal(await plain.tab.textContent('.secret'), password)
  await plain.tab.context().close()
})

test('MENU: all texts stand at the edge where lines begin, and no word breaks, in any language, on narrow phones', async () => {
  for (const width of [320, 390]) {
    const { tab, show } = await openTab({ ...sizes.phone, width, scheme: 'light' })
    for (const language of languages) {
      await show(sentPageOf(samplePage(englishSamples.menu), { language, locale: language, system: 'ios' }))
      assert.deepEqual(await tab.evaluate(brokenWords), [], `${language}, ${width}`)
      assert.deepEqual(await tab.evaluate(strayTexts), [], `${language}, ${width}`)
      // Korean has spaces between words, and browsers break its lines between syllables.
      assert.equal(
        await tab.evaluate("getComputedStyle(document.querySelector('.marks')).wordBreak"),
        language === 'ko' ? 'keep-all' : 'normal',
      )
      assert.deepEqual(await tab.evaluate(measure), { tooWide: [], tooSmall: [] }, `${language}, ${width}`)
    }
    await tab.context().close()
  }
})

test('MENU: a choice of Arabic turns the menu, and a choice of another language turns it back', async () => {
  for (const language of ['en', 'ar'] as const) {
    const { tab, show } = await openTab({ ...sizes.phone, scheme: 'light' })
    await show(sentPageOf(samplePage(englishSamples.menu), { language, locale: language, system: 'ios' }))
    const labels = tab.locator('.languages label')
    for (const at of [0, 1, 2, 0]) {
      const direction = await labels.nth(at).getAttribute('dir')
      await labels.nth(at).click()
      const directions = `[...document.querySelectorAll('h1, nav, section')].map((part) => getComputedStyle(part).direction)`
      assert.deepEqual(
        [...new Set(await tab.evaluate<string[]>(directions))],
        [direction],
        `${language}, ${at}`,
      )
      assert.deepEqual(await tab.evaluate(strayTexts), [], `${language}, ${at}`)
      assert.deepEqual(await tab.evaluate(measure), { tooWide: [], tooSmall: [] }, `${language}, ${at}`)
      await tab.screenshot({ path: screenshotPath(`menu-turned-${language}-${at}`), fullPage: true })
    }
    await tab.context().close()
  }
})

/** Words of buttons that stand on more than one line. */
const brokenWords = `[...document.querySelectorAll('.actions .action')].flatMap((button) => {
  const text = [...button.childNodes].find((node) => node.nodeType === 3 && node.data.trim() !== '')
  return [...text.data.matchAll(/\\S+/g)].flatMap(({ 0: word, index }) => {
    const range = document.createRange()
    range.setStart(text, index)
    range.setEnd(text, index + word.length)
    return range.getClientRects().length > 1 ? [word] : []
  })
})`

/** Headings, dishes and their descriptions that do not begin where the lines of the page begin. */
const strayTexts = `[...document.querySelectorAll('h1, h2, .dish bdi, .dishes p.lines')].flatMap((text) => {
  const range = document.createRange()
  range.selectNodeContents(text)
  const row = text.closest('.dishes li') ?? text.parentElement
  const side = getComputedStyle(row).direction === 'rtl' ? 'right' : 'left'
  const from = range.getBoundingClientRect()[side] - text.getBoundingClientRect()[side]
  // A space at the end of a line may hang over the edge.
  return Math.abs(from) > 8 ? [text.innerText + ' ' + from] : []
})`

test("a page's policy lets nothing run and nothing load that is not its own", async () => {
  const { tab, show, problems } = await openTab({ ...sizes.phone, scheme: 'light' })
  const page = sentPageOf(samplePage(englishSamples.wifi), english)
  const injected =
    '<script>document.title="run"</script><style>h1{display:none}</style><h2 style="color:red" onclick="document.title=1">A</h2>' +
    '<img src="https://evil.example/a.png"><link rel="stylesheet" href="https://evil.example/a.css"><iframe src="/"></iframe>' +
    '<base href="https://evil.example/"><form action="https://evil.example/"><input type="submit"></form><script src="/a.js"></script>'
  const body = Buffer.from(String(page.body).replace('</main>', `${injected}</main>`))
  await show({
    ...page,
    headers: page.headers.map((text) => (text === String(page.body.length) ? String(body.length) : text)),
    body,
  })
  await tab.click('h2')
  await tab.evaluate("document.querySelector('form').requestSubmit()")
  assert.equal(await tab.textContent('title'), 'Trattoria Guests')
  assert.equal(await tab.isVisible('h1'), true)
  const refused = problems.filter((problem) => /Content Security Policy/.test(problem))
  assert.deepEqual(problems, refused)
  assert.ok(refused.length >= 8, refused.join('\n'))
  await tab.context().close()
})

test('MENU: a touch or a key shows it in another language, without a script and a request', async () => {
  const page = sentPageOf(samplePage(englishSamples.menu), english)
  const { tab, show, problems } = await openTab({ ...sizes.phone, scheme: 'light', javaScriptEnabled: false })
  await show(page)
  const dish = tab.getByText('Grilled aubergines')
  const italian = tab.getByText('Melanzane alla griglia')
  assert.deepEqual([await dish.isVisible(), await italian.isVisible()], [true, false])
  await tab.getByText('Italiano', { exact: true }).click()
  assert.deepEqual([await dish.isVisible(), await italian.isVisible()], [false, true])
  assert.equal(await tab.locator('h1').innerText(), 'Da Lucia')
  await tab.screenshot({ path: screenshotPath('menu-italian') })
  await tab.keyboard.press('ArrowRight')
  await tab.getByText('باذنجان مشوي').waitFor()
  // A text without a translation stays in the language of the menu.
  assert.equal(await tab.locator('h1').innerText(), 'Trattoria da Lucia')
  await tab.screenshot({ path: screenshotPath('menu-in-arabic') })
  assert.deepEqual(problems, [])
  await tab.context().close()
})
