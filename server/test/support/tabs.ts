import type { Page as Tab } from 'playwright-core'
import type { SentPage } from '../../src/files/sent-pages.ts'
import { testBrowser } from './browser.ts'

const origin = 'https://qr.example.com'

/** Opens pages as a server sends them, with headers. Records what else a page requests or does. */
export async function openTab(options: {
  width: number
  height: number
  scheme: 'light' | 'dark'
  javaScriptEnabled?: boolean
}): Promise<{ tab: Tab; show: (page: SentPage) => Promise<void>; problems: string[] }> {
  const browser = await testBrowser()
  const { width, height, scheme: colorScheme, javaScriptEnabled = true } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    javaScriptEnabled,
    reducedMotion: 'reduce',
  })
  const tab = await context.newPage()
  const problems: string[] = []
  let shown: SentPage | undefined
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
    if (!message.text().startsWith('Failed to load resource')) problems.push(message.text())
  })
  tab.on('pageerror', (error) => problems.push(String(error)))
  const show = async (page: SentPage): Promise<void> => {
    shown = page
    await tab.goto(`${origin}/`)
  }
  return { tab, show, problems }
}
