// Left to the soak: `web/src/words` has the words, `dashboard/widths` a language on every page.
// The dashboard in the languages of its users.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Request, Route } from 'playwright-core'
import { limits } from '@everscan/contract/schema/limits.ts'
import { accessibilityProblems, screenshotPath, testBrowser } from '../support/browser.ts'
import { openDashboard, password, type Dashboard } from '../support/dashboard.ts'
import { hangMs, until } from '../support/service.ts'

const scriptBytesMax = 200 * 1024
const widths = [390, 660, 744, 1280]
const isSoak = process.env['SOAK'] === '1'

/** The heading of each page, by language. */
const headings = {
  de: {
    codes: 'Codes',
    analytics: 'Statistik',
    imports: 'Import',
    moves: 'Von einem anderen Dienst umziehen',
    settings: 'Einstellungen',
    domains: 'Domains',
    editor: 'Neuer Code',
    developers: 'Entwickler',
    account: 'Ihr Konto',
    code: 'Sommerfest',
    menu: 'Neuer Code',
  },
  fr: {
    codes: 'Codes',
    analytics: 'Statistiques',
    imports: 'Import',
    moves: 'Transférer depuis un autre service',
    settings: 'Paramètres',
    domains: 'Domaines',
    editor: 'Nouveau code',
    developers: 'Développeurs',
    account: 'Votre compte',
    code: 'Sommerfest',
    menu: 'Nouveau code',
  },
  es: {
    codes: 'Códigos',
    analytics: 'Estadísticas',
    imports: 'Importar',
    moves: 'Trasladar desde otro servicio',
    settings: 'Ajustes',
    domains: 'Dominios',
    editor: 'Nuevo código',
    developers: 'Desarrollo',
    account: 'Su cuenta',
    code: 'Sommerfest',
    menu: 'Nuevo código',
  },
} as const

const signInTitles = { de: 'Anmelden', fr: 'Se connecter', es: 'Iniciar sesión' } as const

describe('the dashboard in languages', { concurrency: 1 }, () => {
  let dashboard: Dashboard
  let codeId: string

  before(async () => {
    dashboard = await openDashboard()
    const { client, orgId } = dashboard
    await client.folders.create(orgId, { name: 'Plakate' })
    const code = await client.qrCodes.create(orgId, {
      type: 'URL',
      name: 'Sommerfest',
      data: { url: 'https://example.com/sommer' },
      tags: ['Sommer'],
    })
    codeId = code.id
  })
  after(async () => dashboard.close())

  test('the language is switched in two steps, kept in the browser, and said to screen readers', async () => {
    const { page } = dashboard
    await dashboard.open('/codes')
    assert.equal(await page.evaluate('document.documentElement.lang'), 'en')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await page.getByRole('link', { name: 'Einstellungen' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.lang'), 'de')
    await page.getByText('1 Code', { exact: true }).first().waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Einstellungen' }).waitFor()
    await page.getByRole('button', { name: 'Ihr Konto' }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await page.getByRole('link', { name: 'Settings' }).waitFor()
    assert.deepEqual(dashboard.problems, [])
  })

  test('the account keeps the language that its user chooses, for mails; the switch needs no answer', async () => {
    const tab = await dashboard.openAs({ email: 'grace@languages.example.com', role: 'VIEWER' })
    const readLanguage = async () =>
      (
        (await (await tab.request.get(`${dashboard.service.baseUrl}/api/v1/users/me`)).json()) as {
          language: string | null
        }
      ).language
    const choose = async (account: string, language: string) => {
      await tab.getByRole('button', { name: account }).click()
      await tab.getByRole('menuitemradio', { name: language }).click()
    }
    await until('the account has that of the page', async () => (await readLanguage()) === 'en')
    await choose('Your account', 'Français')
    await tab.getByRole('link', { name: 'Paramètres' }).waitFor()
    await until('the account has its language', async () => (await readLanguage()) === 'fr')
    const put = async (change: (route: Route) => Promise<void>) =>
      tab.route('**/api/v1/users/me', async (route) =>
        route.request().method() === 'PUT' ? change(route) : route.continue(),
      )
    // The page is loaded anew before the request has left.
    const isFresh = Promise.withResolvers<void>()
    await put(async (route) => isFresh.promise.then(async () => route.continue()))
    await choose('Votre compte', 'Deutsch')
    await tab.getByRole('link', { name: 'Einstellungen' }).waitFor()
    isFresh.resolve()
    await until('the account has the other one', async () => (await readLanguage()) === 'de')
    await put(async (route) => route.abort())
    await choose('Ihr Konto', 'English')
    await tab.getByRole('link', { name: 'Settings' }).waitFor()
    assert.equal(await readLanguage(), 'de')
    await tab.context().close()
    assert.deepEqual(dashboard.problems, [])
  })

  test('the language of the page goes to an account that has none, and to what is mailed', async () => {
    const { service, client, orgId } = dashboard
    for (const name of ['zoe', 'noor']) {
      const person = { email: `${name}@example.com`, role: 'VIEWER' } as const
      const { acceptUrl } = await client.invitations.create(orgId, person)
      const token = new URL(acceptUrl).hash.slice(1)
      await service.client().invitations.accept({ token, name, password })
    }
    const signInIn = async (name: string, language?: string) => {
      const tab = await openIn('en-GB')
      const told: Request[] = []
      tab.on('request', (request) => {
        if (request.method() === 'PUT') told.push(request)
      })
      await tab.goto(`${service.baseUrl}/app`)
      const choice = tab.getByRole('combobox').first()
      await choice.waitFor()
      if (language !== undefined) {
        await choice.selectOption(language)
        await tab.locator(`html[lang=${language}]`).waitFor()
      }
      await tab.getByRole('textbox').first().fill(`${name}@example.com`)
      await tab.locator('input[type=password]').fill(password)
      const asked = tab.waitForRequest('**/api/v1/auth/sign-in')
      await tab.locator('form button[type=submit]').first().click()
      assert.equal((await (await asked).allHeaders())['accept-language'], language ?? 'en')
      await tab.getByRole('navigation').first().waitFor()
      await Promise.all(told.map(async (request) => request.response()))
      const answer = await tab.request.get(`${service.baseUrl}/api/v1/users/me`)
      const user = (await answer.json()) as { language: string | null }
      await tab.context().close()
      return [user.language, told.length]
    }
    assert.deepEqual(await signInIn('noor'), ['en', 1])
    assert.deepEqual(await signInIn('zoe', 'es'), ['es', 1])
    assert.deepEqual(await signInIn('zoe', 'de'), ['es', 0])
  })

  test('numbers and dates are those of the language', async () => {
    const tab = await openIn('de-AT')
    await signIn(tab, 'Anmelden', 'E-Mail-Adresse', 'Passwort')
    await tab.goto(`${dashboard.service.baseUrl}/app/${dashboard.orgId}/imports`)
    // As in Austria, not as in Germany: the browser names its region.
    const rows = new Intl.NumberFormat('de-AT').format(limits.importRowsMax)
    await tab.getByText(`Bis zu ${rows} Zeilen`).waitFor()
    await tab.goto(`${dashboard.service.baseUrl}/app/${dashboard.orgId}/codes/${codeId}`)
    await tab
      .getByText(/^(gerade eben|vor \d+ (Sekunde|Minute)n?)$/)
      .first()
      .waitFor()
    await tab.context().close()
  })

  test('frequent messages of the service are in the language, too', async () => {
    const tab = await openIn('de')
    await tab.goto(`${dashboard.service.baseUrl}/app`)
    await tab.getByLabel('E-Mail-Adresse').fill(dashboard.email)
    await tab.getByLabel('Passwort', { exact: true }).fill('not the password')
    await tab.getByRole('button', { name: 'Anmelden', exact: true }).click()
    await tab.getByText('Die E-Mail-Adresse oder das Passwort ist falsch.').waitFor()
    await tab.context().close()
  })

  test('problems of rows are in the language, below their values', async () => {
    const tab = await openIn('de')
    await signIn(tab, 'Anmelden', 'E-Mail-Adresse', 'Passwort')
    await tab.goto(`${dashboard.service.baseUrl}/app/${dashboard.orgId}/imports`)
    await tab.getByLabel('xlsx- oder CSV-Datei hier ablegen').setInputFiles({
      name: 'plakate.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('name,url,status\nPlakat,keine-Adresse,weg\n,https://example.com/,\n'),
    })
    await tab.getByText('Möglich sind: ACTIVE, ARCHIVED.').waitFor()
    await tab.getByText('Das ist keine Webadresse. Sie beginnt mit http:// oder https://.').waitFor()
    await tab.getByText('Dieses Feld ist erforderlich.').waitFor()
    await look(tab, 'de-repair')
    await tab.context().close()
  })

  // German, the longest, has all widths in widths.test.ts; the soak looks at every language.
  for (const [language, titles] of Object.entries(headings)) {
    if (!isSoak && language !== 'fr') continue
    test(`${language}: every page says what it is, without a violation of axe, and fits`, async (t) => {
      const tab = await openIn(language)
      await tab.goto(`${dashboard.service.baseUrl}/app`)
      const title = signInTitles[language as keyof typeof signInTitles]
      await tab.getByRole('heading', { name: title }).waitFor()
      await tab.waitForLoadState('networkidle')
      const scripts = await tab.evaluate<string[]>(
        `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))`,
      )
      const files = await Promise.all([...new Set(scripts)].map(async (one) => (await fetch(one)).bytes()))
      const bytes = files.reduce((sum, file) => sum + gzipSync(file).length, 0)
      t.diagnostic(`${language}: ${bytes} bytes of script on the first page, compressed`)
      assert.ok(bytes > 0 && bytes <= scriptBytesMax, `${bytes} bytes of script on the first page`)
      await look(tab, `${language}-sign-in`)
      await tab.getByRole('textbox').first().fill(dashboard.email)
      await tab.locator('input[type=password]').fill(password)
      await tab.locator('form button[type=submit]').first().click()
      await tab.getByRole('navigation').first().waitFor()
      const paths = {
        codes: '/codes',
        analytics: '/analytics',
        imports: '/imports',
        moves: '/imports/move?source=bitly',
        settings: '/settings',
        domains: '/settings/domains',
        editor: '/codes/new?type=URL',
        developers: '/developers',
        account: '/account',
        code: `/codes/${codeId}`,
        menu: '/codes/new?type=MENU',
      } as const
      for (const [name, path] of Object.entries(paths)) {
        await tab.goto(`${dashboard.service.baseUrl}/app/${dashboard.orgId}${path}`)
        await tab
          .getByRole('heading', { name: titles[name as keyof typeof titles], exact: true })
          .first()
          .waitFor()
        await until(
          'the page is loaded',
          async () => (await tab.locator('[role=status][aria-label]').count()) === 0,
        )
        await look(tab, `${language}-${name}`)
      }
      await tab.context().close()
      assert.deepEqual(dashboard.problems, [])
    })
  }

  async function openIn(locale: string) {
    const context = await (
      await testBrowser()
    ).newContext({ locale, viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
    context.setDefaultTimeout(hangMs)
    context.on('weberror', (error) => dashboard.problems.push(String(error.error())))
    return context.newPage()
  }

  async function signIn(
    tab: Awaited<ReturnType<typeof openIn>>,
    title: string,
    address: string,
    secret: string,
  ) {
    await tab.goto(`${dashboard.service.baseUrl}/app`)
    await tab.getByLabel(address).fill(dashboard.email)
    await tab.getByLabel(secret, { exact: true }).fill(password)
    await tab.getByRole('button', { name: title, exact: true }).click()
    await tab.getByRole('navigation').first().waitFor()
  }

  async function look(tab: Awaited<ReturnType<typeof openIn>>, name: string) {
    for (const width of isSoak ? widths : [390, 1280]) {
      await tab.setViewportSize({ width, height: width < 700 ? 844 : 800 })
      const wide = Number(await tab.evaluate('document.documentElement.scrollWidth'))
      assert.ok(wide <= width, `${name} at ${width} px: ${wide} px wide`)
      await tab.screenshot({ path: screenshotPath(`languages-${name}-${width}`) })
    }
    assert.deepEqual(await accessibilityProblems(tab), [], name)
  }
})
