import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import packagedChromium, { inflate } from '@sparticuz/chromium'
import { chromium, type Browser, type Page } from 'playwright-core'

const root = join(import.meta.dirname, '..', '..')
/** Git-ignored: what tests of pages leave to be looked at. */
const screenshotsDir = join(root, 'screenshots')

let browser: Promise<Browser> | undefined

/** The one browser of a test file, headless, from the registry; it ends with the file. Needs neither a display nor a GPU. */
export function testBrowser(): Promise<Browser> {
  if (browser === undefined) {
    browser = launchBrowser()
    after(async () => {
      await (await browser)?.close()
    })
  }
  return browser
}

/** Where a screenshot goes: `screenshots/<name>.png`. */
export function screenshotPath(name: string): string {
  mkdirSync(screenshotsDir, { recursive: true })
  return join(screenshotsDir, `${name}.png`)
}

/** What axe finds in the page that is shown, as lines. */
export async function accessibilityProblems(tab: Page): Promise<string[]> {
  await tab.evaluate(readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'))
  const found = await tab.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] }).then((result) => result.violations)`,
  )
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}: ${node.failureSummary}`))
}

/** A browser that whoever asks for it closes. */
export async function launchBrowser(): Promise<Browser> {
  const home = await unpacked()
  const fonts = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(home, 'fonts') }
  const start = (env: Record<string, string>): Promise<Browser> =>
    chromium.launch({
      executablePath: join(home, 'chromium'),
      // Root in a container has no sandbox, and tests open nobody's pages but ours. The package's own list turns off web security.
      args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none'],
      env: { ...process.env, ...fonts, ...env },
    })
  try {
    return await start({})
  } catch (error) {
    if (!/error while loading shared libraries/.test(String(error))) throw error
    // A small image lacks the libraries that a desktop has; the package brings them.
    return start({ LD_LIBRARY_PATH: join(home, 'al2023', 'lib') })
  }
}

/**
 * The folder of the browser, unpacked once for all test files. The package unpacks into `TMPDIR`, file by file, so a test file that
 * starts meanwhile would run half a browser: it is unpacked beside its place and moved there whole.
 */
async function unpacked(): Promise<string> {
  const cache = join(root, 'node_modules', '.cache')
  const home = join(cache, 'everscan-browser')
  if (existsSync(home)) return home
  mkdirSync(cache, { recursive: true })
  const making = mkdtempSync(join(cache, 'everscan-browser-'))
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = making
  try {
    await packagedChromium.executablePath()
    await inflate(join(root, 'node_modules', '@sparticuz', 'chromium', 'bin', 'al2023.tar.br'))
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  }
  try {
    renameSync(making, home)
  } catch {
    // Another test file was faster.
    rmSync(making, { recursive: true })
  }
  return home
}
