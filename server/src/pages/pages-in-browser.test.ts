import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { before, describe, test } from 'node:test'
import type { Page as Tab } from 'playwright-core'
import { screenshotPath, testBrowser } from '../../test/browser-testing.ts'
import { landingPage } from './landing-page.ts'
import { noticePage, type Notice } from './notice-pages.ts'
import type { Page } from './page.ts'
import type { Brand, Visitor } from './page-content.ts'
import { arabicSamples, englishSamples, sampleBrand, samplePage } from './samples-testing.ts'
import type { Language } from './words.ts'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const origin = 'https://qr.example.com'
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const
const notices: readonly Notice[] = ['unknown', 'gone', 'later', 'method', 'badLink']

/** Every page in a language, by name. */
async function pagesIn(language: Language): Promise<Map<string, Page>> {
  const visitor: Visitor = { language, locale: language, system: 'ios' }
  const samples = language === 'ar' ? arabicSamples : englishSamples
  const brand = await sampleBrand()
  const pages = Object.entries(samples).flatMap(([name, sample]): [string, Page][] => {
    const style = styles[sample.type]
    const plain = landingPage(samplePage(sample, { style }), visitor)
    const branded = brandOf(name, brand)
    if (branded === undefined) return [[name, plain]]
    return [[name, landingPage(samplePage(sample, { style, brand: branded }), visitor)]]
  })
  return new Map([
    ...pages,
    ...notices.map((notice): [string, Page] => [notice, noticePage(notice, language)]),
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

/** Opens pages as a server sends them, with their heads; notes what else a page asks for or does. */
async function openTab(options: {
  width: number
  height: number
  scheme: 'light' | 'dark'
}): Promise<{ tab: Tab; show: (page: Page) => Promise<void>; problems: string[] }> {
  const browser = await testBrowser()
  const { width, height, scheme: colorScheme } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
    bypassCSP: false,
  })
  const tab = await context.newPage()
  const problems: string[] = []
  let shown: Page | undefined
  await tab.route('**/*', async (route) => {
    if (shown === undefined || route.request().url() !== `${origin}/`) {
      problems.push(`asked for ${route.request().url()}`)
      return route.abort()
    }
    const { status, headers, body } = shown
    const pairs = headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : []))
    return route.fulfill({ status, headers: Object.fromEntries(pairs) as Record<string, string>, body })
  })
  tab.on('console', (message) => {
    // Chromium says of each answer that is no success that it is none.
    if (!/^Failed to load resource/.test(message.text())) problems.push(message.text())
  })
  tab.on('pageerror', (error) => problems.push(String(error)))
  const show = async (page: Page): Promise<void> => {
    shown = page
    await tab.goto(`${origin}/`)
  }
  return { tab, show, problems }
}

describe('every page in a browser', () => {
  let pages: Record<'en' | 'ar', Map<string, Page>>
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
        test(`${language}, ${size}, ${scheme}: axe finds nothing, nothing is wider than the screen, all can be touched`, async () => {
          const { tab, show, problems } = await openTab({ ...viewport, scheme })
          for (const [name, page] of pages[language]) {
            await show(page)
            await tab.screenshot({
              path: screenshotPath(`${name}-${language}-${size}-${scheme}`),
              fullPage: true,
            })
            assert.deepEqual(await violations(tab), [], name)
            assert.deepEqual(await tab.evaluate(measure), { tooWide: [], tooSmall: [] }, name)
            assert.deepEqual(problems, [], name)
          }
          await tab.context().close()
        })
      }
})

/** What axe finds, as lines. */
async function violations(tab: Tab): Promise<string[]> {
  await tab.evaluate(axe)
  const found = await tab.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((result) => result.violations)`,
  )
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}: ${node.failureSummary}`))
}

/** Elements that reach out of the screen, and links and buttons under 44 × 44 pixels. */
const measure = `(() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((element) => ({ element, box: element.getBoundingClientRect() }))
  const scrolls = (element) => element.closest('nav ul') !== null
  const tooWide = boxes('body *').filter(({ element, box }) => !scrolls(element) && (box.left < -1 || box.right > innerWidth + 1))
  const tooSmall = boxes('a, button:not([hidden])').filter(({ box }) => box.width < 44 || box.height < 44)
  const named = (found) => found.map(({ element }) => element.outerHTML.slice(0, 100))
  return { tooWide: named(tooWide), tooSmall: named(tooSmall) }
})()`
