import assert from 'node:assert/strict'
import type { Client } from '@everscan/client/create-client.ts'
import type { Role } from '@everscan/contract/schema/common.ts'
import type { BrowserContext, Page } from 'playwright-core'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { accessibilityProblems, screenshotPath, testBrowser } from './browser.ts'
import { hangMs, startService, until, type Service } from './service.ts'
import { openTenant, password, type Tenant } from './shared-service.ts'

export { password }
const isSoak = process.env['SOAK'] === '1'
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const

/** A started service with an account, and a browser for it. */
export type Dashboard = {
  service: Service
  /** Has the ADMIN key. */
  client: Client
  orgId: string
  /** The address of the account, whose password is `password`. */
  email: string
  /** A tab in a desktop window; not signed in yet. */
  page: Page
  /**
   * Errors reported by the browser and requests to other hosts, in any tab; empty if everything
   * works.
   */
  problems: string[]
  /** A context of another person, with separate cookies. */
  openContext: () => Promise<BrowserContext>
  /** Signs in on a page that asks for it. */
  signIn: (tab: Page, as?: string) => Promise<void>
  /** A tab of another member, invited with a role and signed in, in a separate window. */
  openAs: (member: { email: string; role: Role }) => Promise<Page>
  /** Opens a path below `/app/<organization>`, signed in. */
  open: (path: string) => Promise<void>
  /**
   * Checks the page on a desktop in light mode and on a phone in dark mode: nothing is wider than
   * the screen, a screenshot is saved, and axe, in one of the two by turns, reports nothing. In the
   * soak it does all that in all four combinations. A whole `npm test` only measures widths: there
   * `dashboard/widths` asks axe about every page.
   */
  look: (name: string, tab?: Page) => Promise<void>
  close: () => Promise<void>
}

/**
 * Opens a dashboard in an organization of its own. Without settings the service is shared by the
 * suites of this process, and its operator is someone else; with `{}` it is this suite's, like the
 * operator. `words` are those of the command line that starts it.
 */
export async function openDashboard(
  env?: Readonly<Record<string, string>>,
  words: readonly string[] = [],
): Promise<Dashboard> {
  const { service, orgId, email } = env === undefined ? await openTenant() : await openOwn(env, words)
  const client = service.client()
  const problems: string[] = []
  let looks = 0

  const openContext = async (): Promise<BrowserContext> => {
    const opened = await (
      await testBrowser()
    ).newContext({ viewport: sizes.desktop, locale: 'en-GB', reducedMotion: 'reduce' })
    opened.setDefaultTimeout(hangMs)
    opened.on('console', (message) => {
      // The browser itself logs every response of 400 and above.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        problems.push(message.text())
    })
    opened.on('weberror', (error) => problems.push(String(error.error())))
    opened.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(service.baseUrl))
        problems.push(`asks ${request.url()}`)
    })
    return opened
  }
  const context = await openContext()
  const page = await context.newPage()

  const signIn: Dashboard['signIn'] = async (tab, as = email) => {
    await tab.getByLabel('E-mail address').fill(as)
    await tab.getByLabel('Password', { exact: true }).fill(password)
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  return {
    service,
    client,
    orgId,
    email,
    page,
    problems,
    openContext,
    signIn,
    openAs: async (member) => {
      const { acceptUrl } = await client.invitations.create(orgId, member)
      const token = new URL(acceptUrl).hash.slice(1)
      await service.client().invitations.accept({ token, name: member.email, password })
      const tab = await (await openContext()).newPage()
      await tab.goto(`${service.baseUrl}/app`)
      await signIn(tab, member.email)
      await tab.getByRole('navigation', { name: 'Main' }).waitFor()
      return tab
    },
    open: async (path) => {
      await page.goto(`${service.baseUrl}/app/${orgId}${path}`)
      const asked = page.getByRole('heading', { name: 'Sign in' })
      await asked.or(page.getByRole('navigation', { name: 'Main' })).waitFor()
      if (!(await asked.isVisible())) return
      await signIn(page)
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
    },
    look: async (name, tab = page) => {
      const axeAt = looks++ % 2 === 0 ? 'desktop' : 'phone'
      for (const [size, viewport] of Object.entries(sizes))
        for (const colorScheme of ['light', 'dark'] as const) {
          // Both sizes and both color schemes; all combinations in the soak.
          if (!isSoak && (size === 'desktop') !== (colorScheme === 'light')) continue
          await tab.setViewportSize(viewport)
          await tab.emulateMedia({ colorScheme })
          if (hasVariants)
            await tab.screenshot({ path: screenshotPath(`dashboard-${name}-${size}-${colorScheme}`) })
          const title = `${name}, ${size}, ${colorScheme}`
          // Charts follow the width of the window a moment later.
          await until(`${title} is not wider than the window`, async () =>
            tab.evaluate<boolean>(`document.documentElement.scrollWidth <= ${viewport.width}`),
          )
          // A run of axe takes longer than all else that a test does on a page.
          if (!hasVariants || (!isSoak && size !== axeAt)) continue
          // One can scroll to parts under a bar or a notice; axe would call them too small.
          const top = await tab.evaluate<number>('scrollY')
          await tab.evaluate('scrollTo(0, 0)')
          // Figures that are read again are pale until they are there. Tests keep buttons busy.
          await tab.locator('[aria-busy="true"]:not(button)').first().waitFor({ state: 'detached' })
          assert.deepEqual(await accessibilityProblems(tab), [], title)
          await tab.evaluate(`scrollTo(0, ${top})`)
        }
      await tab.setViewportSize(sizes.desktop)
      await tab.emulateMedia({ colorScheme: 'light' })
    },
    close: async () => {
      await context.close()
      await service.remove()
    },
  }
}

async function openOwn(env: Readonly<Record<string, string>>, words: readonly string[]): Promise<Tenant> {
  const email = 'ada@example.com'
  const settings = { BOOTSTRAP_EMAIL: email, BOOTSTRAP_PASSWORD: password, ...env }
  const service = await startService(settings, { words })
  return { service, orgId: (await service.client().organizations.listMine())[0]?.id ?? '', email }
}
