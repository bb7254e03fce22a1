import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { atProcessEnd } from '../../src/db/testing/at-process-end.ts'
import { launchBrowser, withoutOptimizing } from './launch-browser.ts'

const root = join(import.meta.dirname, '..', '..', '..')
/** Git-ignored: screenshots of pages for inspection. */
const screenshotsDir = join(root, 'screenshots')

let browser: Promise<Browser> | undefined
let isMeasuring = false

/** For a test file that measures how fast pages are: its browser optimizes programs. */
export function measurePages(): void {
  isMeasuring = true
}

/**
 * The one headless browser of a test file, from the registry. It closes with the file and needs
 * neither a display nor a GPU.
 */
export function testBrowser(): Promise<Browser> {
  browser ??= launchBrowser(isMeasuring ? [] : [withoutOptimizing])
  return browser
}

atProcessEnd(async () => {
  await (await browser)?.close()
})

/** The path of a screenshot: `screenshots/<name>.png`. */
export function screenshotPath(name: string): string {
  mkdirSync(screenshotsDir, { recursive: true })
  return join(screenshotsDir, `${name}.png`)
}

/** A target that is small because it is half below a bar, where the page stands now. */
function isBelowBar(failureSummary: string): boolean {
  return failureSummary.includes('partially obscured')
}

/** The problems that axe finds in the current page, as lines. */
export async function accessibilityProblems(tab: Page): Promise<string[]> {
  // The script stays until the tab leaves the page.
  if (!(await tab.evaluate<boolean>(`'axe' in window`)))
    await tab.evaluate(readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'))
  const found = await tab.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] }).then((result) => result.violations)`,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ failureSummary }) => id !== 'target-size' || !isBelowBar(failureSummary))
      .map((node) => `${id}: ${node.html}: ${node.failureSummary}`),
  )
}
