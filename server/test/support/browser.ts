import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from './launch-browser.ts'

const root = join(import.meta.dirname, '..', '..', '..')
/** Git-ignored: what tests of pages leave to be looked at. */
const screenshotsDir = join(root, 'screenshots')

let browser: Promise<Browser> | undefined

/** The one browser of a test file, headless, from the registry; it ends with the file. Needs neither a display nor a GPU. */
export function testBrowser(): Promise<Browser> {
  browser ??= launchBrowser()
  return browser
}

after(async () => {
  await (await browser)?.close()
})

/** Where a screenshot goes: `screenshots/<name>.png`. */
export function screenshotPath(name: string): string {
  mkdirSync(screenshotsDir, { recursive: true })
  return join(screenshotsDir, `${name}.png`)
}

/** What axe finds in the page that is shown, as lines. */
export async function accessibilityProblems(tab: Page): Promise<string[]> {
  // It stays until the page is left.
  if (!(await tab.evaluate<boolean>(`'axe' in window`)))
    await tab.evaluate(readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'))
  const found = await tab.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] }).then((result) => result.violations)`,
  )
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}: ${node.failureSummary}`))
}
