// Signing in to a started service, as the dashboard does: raw headers, cookies, the operator's command.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { startService, type Service } from './service.ts'

const root = join(import.meta.dirname, '..', '..')
const email = 'ada@example.com'
const password = 'correct horse battery'

describe('the account of the settings', () => {
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
    return answer.headers.get('set-cookie') ?? ''
  }

  test('signs in; on plain http the cookie has no prefix and is not Secure', async () => {
    const [pair = '', ...attributes] = (await signIn()).split('; ')
    assert.match(pair, /^everscan_session=[\w-]{43}$/)
    assert.deepEqual(attributes.sort(), ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax'])
  })

  test('makes codes in its organization, which redirect at once, and none after it signed out', async () => {
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

  test('another site cannot use its session, and a key beside it is refused', async () => {
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

  test('whose password is forgotten gets another by the command of the operator, while the service runs', async () => {
    const reset = (...args: string[]) =>
      spawnSync(process.execPath, [join(root, 'server', 'src', 'main.ts'), 'reset-password', ...args], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], DATA_DIR: service.dataDir, PUBLIC_URL: service.baseUrl },
      })
    for (const [wrong, message] of [
      [['nobody@example.com'], /no account has the e-mail address/],
      [[], /expected one account: npm run reset-password/],
      [['--nonsense', email], /--nonsense/],
    ] as const) {
      const { status, stderr } = reset(...wrong)
      assert.equal(status, 1)
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
    // What the first start shows its operator has the password.
    const [, log = ''] = service.output().split('its short URL at "shortUrl".')
    assert.match(log, /"route":"\/api\/v1\/auth\/sign-in"/)
    for (const secret of [password, 'wrong wrong wrong', pair.split('=')[1] ?? ''])
      assert.ok(!log.includes(secret), secret)
  })
})
