// Signing in to a started service like the dashboard: raw headers, cookies, the operator's command.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { testBrowser } from '../support/browser.ts'
import { inherited, startService, type Service } from '../support/service.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const email = 'ada@example.com'
const password = 'correct horse battery'

describe('the account from the settings', () => {
  let service: Service
  before(async () => {
    service = await startService({ BOOTSTRAP_EMAIL: email, BOOTSTRAP_PASSWORD: password })
  })
  after(() => service.remove())

  const send = (method: string, path: string, { cookie, body }: { cookie?: string; body?: object } = {}) =>
    fetch(`${service.baseUrl}/api/v1${path}`, {
      method,
      headers: {
        origin: service.baseUrl,
        ...(cookie === undefined ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const signIn = async (): Promise<string> => {
    const answer = await send('POST', '/auth/sign-in', { body: { email, password } })
    assert.equal(answer.status, 200)
    return answer.headers.getSetCookie()[0] ?? ''
  }

  test('signs in; on plain http the cookie has no prefix and is not Secure', async () => {
    const [pair = '', ...attributes] = (await signIn()).split('; ')
    assert.match(pair, /^everscan_session=[\w-]{43}$/)
    assert.deepEqual(attributes.sort(), ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax'])
  })

  test('creates codes in its organization, which redirect at once, and none after signing out', async () => {
    const [cookie = ''] = (await signIn()).split(';')
    const mine = await send('GET', '/users/me/organizations', { cookie })
    const { organizations } = (await mine.json()) as { organizations: { id: string; role: string }[] }
    assert.equal(organizations[0]?.role, 'ADMIN')
    const body = { type: 'URL', name: 'Menu', data: { url: 'https://example.com/' } }
    const made = await send('POST', `/organizations/${organizations[0]?.id}/qr-codes`, { cookie, body })
    assert.equal(made.status, 201)
    const { shortCode } = (await made.json()) as { shortCode: string }
    const scan = await fetch(`${service.baseUrl}/${shortCode}`, { redirect: 'manual' })
    assert.equal(scan.headers.get('location'), 'https://example.com/')
    const out = await send('POST', '/auth/sign-out', { cookie })
    assert.match(out.headers.get('set-cookie') ?? '', /^everscan_session=; Max-Age=0; /)
    assert.equal((await send('GET', '/users/me', { cookie })).status, 401)
  })

  test('another site cannot use its session, and an additional key is rejected', async () => {
    const [cookie = ''] = (await signIn()).split(';')
    const url = `${service.baseUrl}/api/v1/users/me/sessions`
    const foreign = await fetch(url, {
      method: 'DELETE',
      headers: { cookie, origin: 'https://evil.example' },
    })
    assert.equal(foreign.status, 403)
    const both = await fetch(url, { headers: { cookie, 'x-api-key': service.apiKey } })
    assert.equal(both.status, 400)
    assert.equal((await fetch(url, { headers: { cookie } })).status, 200)
  })

  test('in a browser: pages of this site have its session but cannot read it; other pages cannot use it', async (t) => {
    const context = await (await testBrowser()).newContext()
    t.after(() => context.close())
    const ownPage = await context.newPage()
    await ownPage.goto(`${service.baseUrl}/docs`)
    const asked = (method: string, path: string, body?: object) =>
      ownPage.evaluate<{ status: number; text: string }>(`fetch('/api/v1${path}', {
        method: '${method}',
        headers: ${body === undefined ? '{}' : "{ 'content-type': 'application/json' }"},
        body: ${body === undefined ? 'undefined' : `'${JSON.stringify(body)}'`},
      }).then(async (answer) => ({ status: answer.status, text: await answer.text() }))`)
    assert.equal((await asked('POST', '/auth/sign-in', { email, password })).status, 200)
    assert.equal(await ownPage.evaluate('document.cookie'), '')
    assert.equal((await asked('POST', '/organizations', { name: 'Second' })).status, 201)

    const other = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Other</title>')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    t.after(() => other.close())
    const { port } = other.address() as { port: number }
    // Another site, and another port of the same host, which receives the cookie.
    for (const host of ['localhost', '127.0.0.1']) {
      const foreign = await context.newPage()
      await foreign.goto(`http://${host}:${port}/`)
      const api = `${service.baseUrl}/api/v1`
      const tried = await foreign.evaluate<string[]>(`Promise.all([
        fetch('${api}/users/me', { credentials: 'include' }),
        fetch('${api}/users/me/sessions', { method: 'DELETE', credentials: 'include' }),
        fetch('${api}/auth/sign-out', { method: 'POST', mode: 'no-cors', credentials: 'include' }),
        fetch('${api}/organizations', {
          method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"name":"Evil"}',
        }),
      ].map((sent) => sent.then((answer) => answer.type, () => 'blocked')))`)
      // Even responses that a page could not read anyway: `Cross-Origin-Resource-Policy`.
      assert.deepEqual(new Set(tried), new Set(['blocked']))
      const submitted = foreign.waitForResponse(`${api}/auth/sign-out`)
      await foreign.evaluate(`{
        const form = document.createElement('form')
        form.method = 'POST'
        form.action = '${api}/auth/sign-out'
        document.body.append(form)
        form.submit()
      }`)
      assert.equal((await submitted).status(), 403)
    }
    const mine = await asked('GET', '/users/me/organizations')
    assert.equal(mine.status, 200)
    assert.ok(mine.text.includes('Second') && !mine.text.includes('Evil'))
    assert.equal((await asked('POST', '/auth/sign-out')).status, 200)
    assert.equal((await asked('GET', '/users/me')).status, 401)
  })

  test("can get a new password with the operator's command while the service runs", async () => {
    const reset = (...args: string[]) =>
      spawnSync(process.execPath, [join(root, 'server', 'src', 'main.mjs'), 'users', 'reset', ...args], {
        encoding: 'utf8',
        env: { ...inherited(), DATA_DIR: service.dataDir, PUBLIC_URL: service.baseUrl },
      })
    for (const [wrong, exitCode, message] of [
      [['nobody@example.com'], 1, /no account has the e-mail address/],
      [[], 2, /EMAIL is missing.*Usage: everscan users reset EMAIL/s],
      [['--nonsense', email], 2, /unknown option "--nonsense"/],
    ] as const) {
      const { status, stderr } = reset(...wrong)
      assert.equal(status, exitCode)
      assert.match(stderr, message)
    }
    const [cookie = ''] = (await signIn()).split(';')
    const { status, stdout, stderr } = reset('--remove-two-factor', email)
    assert.equal(status, 0, stderr)
    const token = stdout.split(`${service.baseUrl}/app/reset-password#`)[1]?.trim() ?? ''
    const confirm = (body: object) => send('POST', '/auth/password-reset/confirm', { body })
    assert.equal((await confirm({ token, newPassword: password })).status, 200)
    assert.equal((await confirm({ token, newPassword: password })).status, 404)
    assert.equal((await send('GET', '/users/me', { cookie })).status, 401)
    await signIn()
  })

  test('neither its password nor a session is in the log', async () => {
    const [pair = ''] = (await signIn()).split(';')
    await send('POST', '/auth/sign-in', { body: { email, password: 'wrong wrong wrong' } })
    // Nor in the output of the first start, because the operator set the password.
    const log = service.output()
    assert.match(log, /"route":"\/api\/v1\/auth\/sign-in"/)
    for (const secret of [password, 'wrong wrong wrong', pair.split('=')[1] ?? ''])
      assert.ok(!log.includes(secret), secret)
  })
})
