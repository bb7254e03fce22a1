import { launchBrowser } from '@everscan/server/test/support/launch-browser.ts'
import type { Locator, Page } from 'playwright-core'
import { setTimeout as sleep } from 'node:timers/promises'
import { filledFolderId, filledQrCodeId, filledShortCode } from './fill-catalogue.ts'
import { filledPeriod } from './fill-scans.ts'
import { addCodes, addScans, startBenchService } from './filled-service.ts'
import { median } from './figures.ts'

const sizes = { quick: { codes: 20_000, scans: 200_000 }, full: { codes: 1_000_000, scans: 10_000_000 } }
const rounds = 5
const usableMsMax = 1_500
const waitMsMax = 60_000
const lookEveryMs = 20
const email = 'ada@example.com'
const password = 'correct horse battery'

/** A page, and the condition that makes it usable. */
type Step = { name: string; path: string; ready: (page: Page) => Promise<void> }

/**
 * Measures every page of the dashboard in an organization of 1,000,000 codes and 10,000,000 scans:
 * milliseconds from the address until the page is usable, medians of five rounds, with the browser
 * on the same machine.
 */
export async function benchDashboard({ quick }: { quick: boolean }): Promise<object> {
  const { codes, scans } = sizes[quick ? 'quick' : 'full']
  const { service, orgId } = await startBenchService({
    BOOTSTRAP_EMAIL: email,
    BOOTSTRAP_PASSWORD: password,
  })
  const browser = await launchBrowser()
  try {
    await addCodes(service, orgId, { codes })
    await addScans(service, orgId, scans)
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
    page.setDefaultTimeout(waitMsMax)
    await signIn(page, service.baseUrl)
    const usableMs: Record<string, number> = {}
    for (const { name, path, ready } of stepsOf(orgId, codes)) {
      const times: number[] = []
      for (let round = -1; round < rounds; round++) {
        await page.goto('about:blank')
        const fromMs = performance.now()
        await page.goto(`${service.baseUrl}${path}`)
        await ready(page)
        if (round >= 0) times.push(performance.now() - fromMs)
      }
      usableMs[name] = Math.round(median(times))
      console.log(`${name.padEnd(24)} ${usableMs[name]} ms`)
    }
    return { codes, scans, rounds, usableMs, slowestMs: Math.max(...Object.values(usableMs)), usableMsMax }
  } finally {
    await browser.close()
    await service.remove()
  }
}

async function signIn(page: Page, baseUrl: string): Promise<void> {
  await page.goto(`${baseUrl}/app/sign-in`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

function stepsOf(orgId: string, codes: number): Step[] {
  const prefix = `/app/${orgId}`
  const period = `period=own&from=${day(filledPeriod.startMs)}&to=${day(filledPeriod.endMs - 1)}`
  const month = `period=own&from=${day(filledPeriod.endMs - 30 * 86_400_000)}&to=${day(filledPeriod.endMs - 1)}`
  const code = filledQrCodeId(0)
  const folder = filledFolderId(0)
  const tag = encodeURIComponent(JSON.stringify(['tag-0']))
  return [
    { name: 'codes', path: `${prefix}/codes`, ready: firstRow },
    { name: 'codes, most scanned', path: `${prefix}/codes?sort=totalScans`, ready: firstRow },
    { name: 'codes, a search', path: `${prefix}/codes?q=Berlin`, ready: firstRow },
    {
      name: 'codes, two words',
      path: `${prefix}/codes?q=${encodeURIComponent('wien poster')}`,
      ready: firstRow,
    },
    { name: 'codes, by name', path: `${prefix}/codes?sort=name`, ready: firstRow },
    { name: 'codes of a folder', path: `${prefix}/codes?folder=${folder}`, ready: firstRow },
    { name: 'codes without a folder', path: `${prefix}/codes?folder=none`, ready: firstRow },
    { name: 'find by short code', path: `${prefix}/codes`, ready: findByShortCode },
    { name: 'deleted codes', path: `${prefix}/bin`, ready: heading('Bin') },
    { name: 'codes, the last page', path: `${prefix}/codes?page=${Math.ceil(codes / 24)}`, ready: firstRow },
    {
      name: 'a code',
      path: `${prefix}/codes/${code}`,
      ready: async (page) => seen(page.getByLabel('Link').first()),
    },
    { name: 'a new code', path: `${prefix}/codes/new`, ready: heading('New code') },
    { name: 'analytics, a year', path: `${prefix}/analytics?${period}`, ready: heading('Hours of the week') },
    {
      name: 'a code, a year',
      path: `${prefix}/codes/${code}/analytics?${period}`,
      ready: heading('Hours of the week'),
    },
    {
      name: 'analytics of a tag',
      path: `${prefix}/analytics?${period}&tags=${tag}`,
      ready: tableRow('All codes'),
    },
    {
      name: 'analytics of a folder',
      path: `${prefix}/analytics?${period}&folder=${folder}`,
      ready: tableRow('All codes'),
    },
    {
      name: 'all codes, 30 days',
      path: `${prefix}/analytics?${month}`,
      ready: tableRow('All codes'),
    },
    {
      name: 'codes by city',
      path: `${prefix}/analytics?${period}&matrix=code%2Ccity`,
      ready: tableRow('Scans by'),
    },
    { name: 'import', path: `${prefix}/imports`, ready: heading('Import') },
    { name: 'developers', path: `${prefix}/developers`, ready: heading('Developers') },
    { name: 'settings', path: `${prefix}/settings`, ready: heading('Settings') },
    { name: 'log of changes', path: `${prefix}/settings/audit-log`, ready: heading('Settings') },
  ]
}

/** Waits until an element is seen. `waitFor` would look only every half second. */
const seen = (element: Locator): Promise<void> => until(String(element), () => element.isVisible())
const until = async (what: string, isTrue: () => Promise<boolean>): Promise<void> => {
  const untilMs = performance.now() + waitMsMax
  while (!(await isTrue())) {
    if (performance.now() > untilMs) throw new Error(`${what} is not seen`)
    await sleep(lookEveryMs)
  }
}
const firstRow = async (page: Page) =>
  seen(page.getByRole('list', { name: 'Codes' }).getByRole('listitem').first())
const heading = (name: string) => async (page: Page) =>
  seen(page.getByRole('heading', { name, exact: true }).first())
/** Asks the page itself: a locator takes much of its time where tables are large. */
const tableRow = (name: string) => async (page: Page) => {
  const isSeen = `[...document.querySelectorAll('caption')].some(
    (caption) => caption.textContent.startsWith(${JSON.stringify(name)}) && caption.parentElement.tBodies[0]?.rows[0] !== undefined)`
  await until(name, () => page.evaluate<boolean>(isSeen))
}
/** Opens the finder with the keyboard and types the short code of a print. */
const findByShortCode = async (page: Page) => {
  await firstRow(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type(filledShortCode(12_345))
  await seen(page.getByRole('option', { name: filledShortCode(12_345) }).first())
}
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
