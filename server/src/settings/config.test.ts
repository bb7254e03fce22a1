import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { settings } from './settings.ts'

const smtp = { SMTP_URL: 'smtp://mail.example.com:587' }

test('SIGN_UP is off, open, or e-mail domains; domains need a mail server', () => {
  assert.equal(readConfig({}).signUp, 'off')
  assert.equal(readConfig({ SIGN_UP: 'open' }).signUp, 'open')
  assert.deepEqual(readConfig({ ...smtp, SIGN_UP: 'Example.com, example.org' }).signUp, [
    'example.com',
    'example.org',
  ])
  assert.throws(() => readConfig({ SIGN_UP: 'example.com' }), /SIGN_UP: needs SMTP_URL/)
  for (const wrong of ['yes', 'example', 'a@example.com', 'example.com,', '*.example.com'])
    assert.throws(() => readConfig({ ...smtp, SIGN_UP: wrong }), /SIGN_UP: must be off, open, or/)
})

test('JOURNAL_MAX_BYTES is 10 GiB, or at least 8 MiB for each front', () => {
  const mebibyte = 2 ** 20
  assert.equal(readConfig({}).journalBytesMax, 10 * 1024 * mebibyte)
  assert.equal(readConfig({ JOURNAL_MAX_BYTES: `${8 * mebibyte}` }).journalBytesMax, 8 * mebibyte)
  for (const wrong of ['1048576', '8388607', '8 MiB', '-1', '9007199254740993'])
    assert.throws(
      () => readConfig({ JOURNAL_MAX_BYTES: wrong }),
      /JOURNAL_MAX_BYTES: must be a whole number of bytes, at least 8388608 \(8 MiB for each of FRONT_PROCESSES\)/,
    )
  const fronts = { FRONT_PROCESSES: '4' }
  assert.equal(readConfig({ ...fronts, JOURNAL_MAX_BYTES: '33554432' }).journalBytesMax, 32 * mebibyte)
  assert.throws(() => readConfig({ ...fronts, JOURNAL_MAX_BYTES: '33554431' }), /at least 33554432/)
})

test('MAIL_FROM defaults to the host of PUBLIC_URL; the error for a wrong mail server withholds its password', () => {
  assert.equal(readConfig({ PUBLIC_URL: 'https://qr.example.com:8443' }).mailFrom, 'everscan@qr.example.com')
  assert.equal(readConfig({ MAIL_FROM: 'Codes <qr@example.com>' }).mailFrom, 'Codes <qr@example.com>')
  for (const wrong of ['nobody', 'a@example.com\r\nBcc: b@example.com'])
    assert.throws(() => readConfig({ MAIL_FROM: wrong }), /MAIL_FROM: must be an e-mail address/)
  for (const wrong of ['mail.example.com', 'http://u:hunter2@mail.example.com'])
    assert.throws(
      () => readConfig({ SMTP_URL: wrong }),
      (error: Error) =>
        error.message.startsWith('SMTP_URL: must be a URL') && !error.message.includes('hunter2'),
    )
})

test('METRICS_REQUIRE_TOKEN needs METRICS_TOKEN, which has a minimum length and stays out of messages', () => {
  assert.deepEqual([readConfig({}).metricsToken, readConfig({}).metricsRequireToken], [undefined, false])
  const env = { METRICS_TOKEN: 'abcdefghijklmnop', METRICS_REQUIRE_TOKEN: 'true' }
  assert.deepEqual(
    [readConfig(env).metricsToken, readConfig(env).metricsRequireToken],
    [env.METRICS_TOKEN, true],
  )
  assert.throws(
    () => readConfig({ METRICS_REQUIRE_TOKEN: 'true' }),
    /METRICS_REQUIRE_TOKEN: needs METRICS_TOKEN/,
  )
  assert.throws(
    () => readConfig({ METRICS_TOKEN: 'hunter2' }),
    (error: Error) =>
      error.message.startsWith('METRICS_TOKEN: must have') && !error.message.includes('hunter2'),
  )
})

test('a child reads its own settings; values settled by main are required, and reading any other setting throws', () => {
  const passed = {
    DATA_DIR: '/data',
    PUBLIC_URL: 'https://go.example.com',
    SECRET: 's'.repeat(32),
    VISITOR_KEY: 'v'.repeat(32),
    SPLIT_KEY: 's'.repeat(32),
  }
  const front = readConfig({ ...passed, PORT: '80', SMTP_URL: 'nonsense' }, 'front')
  assert.equal(front.port, 80)
  assert.equal(front.apiProcesses, 1)
  for (const key of ['smtpUrl', 'clickhouseUrl', 'bootstrapPassword', 'mailFrom', 'secret'] as const)
    assert.throws(() => front[key], /is not a setting of front/)
  // With a default, the child would seal with another key, or put another address into mails and
  // webhooks.
  for (const name of ['DATA_DIR', 'PUBLIC_URL', 'SECRET'])
    assert.throws(
      () => readConfig({ ...passed, [name]: '' }, 'api'),
      new RegExp(`^Error: ${name}: must be passed on`),
    )
  assert.equal(readConfig({ DATA_DIR: '/data' }, 'engine').dataDir, '/data')
  assert.throws(() => readConfig({ ...passed, SPLIT_KEY: '' }, 'front'), /SPLIT_KEY: must be passed on/)
  assert.throws(() => readConfig({ ...passed, VISITOR_KEY: '' }, 'api'), /VISITOR_KEY: must be passed on/)
  // `prepare` finds or makes the key if no setting has it, and a front that waits for it reads the
  // file.
  for (const role of ['prepare', 'front'] as const)
    assert.equal(readConfig({ ...passed, VISITOR_KEY: '' }, role).visitorKey, undefined)
  assert.throws(
    () => readConfig({ VISITOR_KEY: 'too short, and not shown' }),
    (error: Error) => error.message === 'VISITOR_KEY: must have at least 32 characters',
  )
})

/** A value that each secret accepts. */
const secretValues = {
  DATABASE_URL: 'postgres://everscan:hunter2@db.example/everscan',
  DATABASE_REPLICA_URL: 'postgres://everscan:hunter2@standby.example/everscan',
  CERTIFICATE_KEY: 'c'.repeat(40),
  CLICKHOUSE_URL: 'http://everscan:hunter2@store.example:8123/everscan',
  SECRET: 's'.repeat(32),
  VISITOR_KEY: 'v'.repeat(32),
  SPLIT_KEY: 'k'.repeat(32),
  BOOTSTRAP_API_KEY: 'a first key of thirty-two letters',
  BOOTSTRAP_PASSWORD: 'a first password',
  SMTP_URL: 'smtp://everscan:hunter2@mail.example',
  METRICS_TOKEN: 'a token of 16 characters',
  EVERSCAN_API_KEY: 'a key of a program',
}

test('every secret can be in a file instead; a child gets its value, not the file', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-secrets-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const names = Object.values(settings).flatMap(({ name, isSecret }) => (isSecret === true ? [name] : []))
  assert.deepEqual(names.sort(), Object.keys(secretValues).sort())
  const files: Record<string, string> = {}
  for (const [name, value] of Object.entries(secretValues)) {
    const path = join(dir, name)
    writeFileSync(path, `${value}\n`)
    files[`${name}_FILE`] = path
  }
  const { environment, ...read } = readConfig(files)
  const { environment: expected, ...given } = readConfig(secretValues)
  assert.deepEqual(read, given)
  assert.deepEqual(environment, expected)
  // The passphrase of copies is only ever in a file.
  assert.equal(settings.backupPassphraseFile.name, 'BACKUP_PASSPHRASE_FILE')
})

test('a file of a secret that cannot be used is refused by the name of its setting, without its content', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-secrets-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const write = (name: string, text: string): string => {
    const path = join(dir, name)
    writeFileSync(path, text)
    return path
  }
  const path = write('secret', 's'.repeat(32))
  assert.equal(
    messageOf({ SECRET: 'x'.repeat(32), SECRET_FILE: path }),
    'SECRET_FILE: SECRET is set, too; set one of them, and remove the other',
  )
  const missing = join(dir, 'missing')
  assert.equal(messageOf({ SECRET_FILE: missing }), `SECRET_FILE: cannot read "${missing}" (ENOENT)`)
  assert.equal(messageOf({ SECRET_FILE: dir }), `SECRET_FILE: cannot read "${dir}" (EISDIR)`)
  assert.match(messageOf({ SECRET_FILE: write('empty', ' \n') }), /^SECRET_FILE: .* is empty$/)
  assert.match(messageOf({ SECRET_FILE: write('short', 'hunter2') }), /^SECRET: must have at least 32/)
  const lines = messageOf({ SECRET_FILE: write('lines', `hunter2\n${'s'.repeat(32)}\n`) })
  assert.ok(lines.endsWith('must hold one line of text, the secret') && !lines.includes('hunter2'))
  // Compose files and charts leave unused variables empty.
  assert.equal(readConfig({ SECRET: '', SECRET_FILE: path }).secret, 's'.repeat(32))
  assert.equal(readConfig({ SECRET: 's'.repeat(32), SECRET_FILE: '' }).secret, 's'.repeat(32))
})

/** The message with which an environment is refused. */
function messageOf(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    return (error as Error).message
  }
  return assert.fail('it was accepted')
}

test('where the root leads, and a contact, are addresses', () => {
  assert.equal(readConfig({ ROOT_URL: 'https://example.com/' }).rootUrl, 'https://example.com/')
  assert.throws(() => readConfig({ ROOT_URL: 'example.com' }), /^Error: ROOT_URL: must be a URL/)
  for (const SECURITY_CONTACT of ['mailto:a@example.com', 'https://example.com/security'])
    assert.equal(readConfig({ SECURITY_CONTACT }).securityContact, SECURITY_CONTACT)
  for (const SECURITY_CONTACT of ['a@example.com', 'http://example.com', 'mailto:a'])
    assert.throws(() => readConfig({ SECURITY_CONTACT }), /^Error: SECURITY_CONTACT: must begin/)
})
