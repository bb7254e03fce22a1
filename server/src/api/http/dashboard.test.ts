import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fastify } from 'fastify'
import { addDashboard } from './dashboard.ts'
import { addSiteFiles } from './site-files.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-dashboard-'))
const files = join(root, 'dist')
mkdirSync(join(files, 'assets'), { recursive: true })
writeFileSync(join(root, 'secret.css'), 'outside')
writeFileSync(join(files, 'index.html'), '<!doctype html><title>Dashboard</title>')
writeFileSync(join(files, 'share.html'), '<!doctype html><title>Shared</title>')
writeFileSync(join(files, 'assets', 'a.js'), 'let inside')
writeFileSync(join(files, 'assets', 'a.js.map'), 'sources')
writeFileSync(join(files, '.env'), 'SECRET=x')
const app = fastify()
addDashboard(app, { files })
after(async () => {
  await app.close()
  rmSync(root, { recursive: true })
})

test('the page runs only scripts of this site, no page frames it, and forms lead nowhere else', async () => {
  const { statusCode, headers } = await app.inject('/app/org_1/codes')
  assert.equal(statusCode, 200)
  const policy = String(headers['content-security-policy']).split('; ')
  for (const directive of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ])
    assert.ok(policy.includes(directive), directive)
  assert.ok(!policy.some((directive) => /^script-src .*unsafe|^object-src/.test(directive)))
})

test('the page may use only the camera of a device, and no frame in it', async () => {
  const { headers } = await app.inject('/app')
  const policy = String(headers['permissions-policy']).split(', ')
  assert.deepEqual(policy, ['camera=(self)', 'microphone=()', 'geolocation=()', 'display-capture=()'])
})

test('pages of links with a secret are their own, never stored, and tell no other site', async () => {
  for (const path of ['/app/share/abc', '/app/share/a/b', '/app/leave-mail']) {
    const { body, headers } = await app.inject(path)
    assert.match(body, /<title>Shared/, path)
    assert.equal(headers['cache-control'], 'private, no-store')
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/)
  }
})

test('no path leads to a directory, or to a file that is not part of the dashboard', async () => {
  assert.equal((await app.inject('/app/assets/a.js')).body, 'let inside')
  for (const path of [
    '/app/assets/',
    '/app/assets/a.js.map',
    '/app/.env',
    '/app/.git/config',
    '/app/../secret.css',
    '/app/%2e%2e/secret.css',
    '/app/assets/%252e%252e%252f%252e%252e%252fsecret.css',
    '/app/assets/..%2f..%2f..%2fsecret.css',
    '/app/assets/..%5c..%5c..%5csecret.css',
    `/app/assets/${encodeURIComponent(join(root, 'secret.css'))}`,
  ]) {
    const { body } = await app.inject(path)
    assert.doesNotMatch(body, /outside|sources|SECRET|a\.js/, path)
  }
})

test('the address without a short code leads where the operator says, and a contact is told', async () => {
  const site = fastify()
  addSiteFiles(site, {
    rootUrl: 'https://example.com/',
    securityContact: 'mailto:security@example.com',
    publicUrl: 'https://qr.example.com',
  })
  const answer = await site.inject('/')
  assert.deepEqual([answer.statusCode, answer.headers.location], [302, 'https://example.com/'])
  const { body } = await site.inject('/.well-known/security.txt')
  const [, expires = ''] = /^Contact: mailto:security@example\.com\nExpires: (\S+)\n/.exec(body) ?? []
  const days = (Date.parse(expires) - Date.now()) / 86_400_000
  // RFC 9116: less than a year.
  assert.ok(days > 30 && days < 365, body)
  await site.close()
})
