import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packagedChromium, { inflate } from '@sparticuz/chromium'
import { chromium, type Browser } from 'playwright-core'

const root = join(import.meta.dirname, '..', '..', '..')

/**
 * For tests that measure no time: pages are open for seconds, and optimizing their programs takes a
 * tenth of the processor time of a test, which it never gives back. Compiling without optimizing
 * does: axe takes a quarter less (measured).
 */
export const withoutOptimizing = '--js-flags=--no-opt --no-maglev --always-sparkplug'

/** Launches a browser that the caller closes, with some more of its own arguments. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const home = await unpacked()
  const fonts = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(home, 'fonts') }
  const start = (env: Record<string, string>): Promise<Browser> =>
    chromium.launch({
      executablePath: join(home, 'chromium'),
      // Root in a container has no sandbox, and tests open only our own pages. The package's own
      // list turns off web security.
      args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none', ...more],
      env: { ...process.env, ...fonts, ...env },
    })
  try {
    return await start({})
  } catch (error) {
    if (!/error while loading shared libraries/.test(String(error))) throw error
    // A small image lacks the libraries of a desktop; the package contains them.
    return start({ LD_LIBRARY_PATH: join(home, 'al2023', 'lib') })
  }
}

/**
 * Returns the folder of the browser, unpacked once for all test files. The package unpacks into
 * `TMPDIR`, file by file, so a test file that starts meanwhile would run an incomplete browser.
 * Hence it is unpacked next to its destination and moved there when complete.
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
    const library = fileURLToPath(import.meta.resolve('@sparticuz/chromium'))
    await inflate(join(dirname(library), '..', 'bin', 'al2023.tar.br'))
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
