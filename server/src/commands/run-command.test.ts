import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { listAuditLog } from '../catalogue/ledger/audit-log.ts'
import { listAccountLog } from '../catalogue/accounts/account-log.ts'
import { saveDemo } from '../catalogue/installation/demo-organizations.ts'
import { listAllOrganizations } from '../catalogue/installation/installation-lists.ts'
import { createApiKey, findApiKey } from '../catalogue/organizations/api-keys.ts'
import { someOrganization, someOrigin, someSource } from '../catalogue/testing/catalogue.ts'
import { createOrganization } from '../catalogue/organizations/organizations.ts'
import { usePasswordReset } from '../catalogue/organizations/password-resets.ts'
import { createSession, findSession } from '../catalogue/accounts/sessions.ts'
import { checkPassword } from '../catalogue/accounts/sign-in.ts'
import { createUser, findUserByEmail, saveMember } from '../catalogue/accounts/users.ts'
import { insertPasskeys } from '../catalogue/testing/passkeys.ts'
import { readConfig } from '../settings/config.ts'
import type { Database } from '../db/database.ts'
import { onEitherDatabase } from '../db/testing/databases.ts'
import { createId } from '../ids.ts'
import { zipOf } from '../api/testing/zip.ts'
import type { Move } from '@everscan/contract/moves/moves.ts'
import { commands } from './commands.ts'
import { runCommand } from './run-command.ts'

const nowMs = Date.parse('2026-11-23T12:00:00.000Z')
const scratch = mkdtempSync(join(tmpdir(), 'everscan-commands-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

/** `started` has an entry for each start of the service: whether it was with a demo. */
type Ran = { code: number | undefined; output: string; errors: string; started: boolean[] }

/** Runs a command with the environment of an operator; a word with spaces is one word. */
async function run(words: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const ran: Ran = { code: undefined, output: '', errors: '', started: [] }
  ran.code = await runCommand(words, {
    readConfig: () => readConfig(env),
    start: async ({ demo }) => void ran.started.push(demo),
    loadParts: async () => (await import('../doctor/parts.ts')).parts,
    output: { write: (text) => (ran.output += text) },
    errors: { write: (text) => (ran.errors += text) },
    clock: () => nowMs,
  })
  return ran
}

test('0: prints help for all commands, a group and one action, by three spellings', async () => {
  const all = await run(['help'])
  assert.equal(all.code, 0)
  for (const { name, summary } of commands) assert.match(all.output, new RegExp(`  ${name} +${summary}`))
  for (const words of [['--help'], ['-h']]) assert.deepEqual(await run(words), all)
  const group = await run(['users', '--help'])
  assert.match(group.output, /everscan users list .*everscan users create /s)
  assert.deepEqual(await run(['help', 'users']), group)
  const one = await run(['users', 'create', '--help'])
  assert.equal(one.code, 0)
  assert.match(one.output, /^Usage: everscan users create EMAIL .*\[--role ROLE\].*Examples:\n\n  # /s)
  assert.deepEqual(await run(['help', 'users', 'create']), one)
  assert.deepEqual(await run(['users', 'create', 'ada@example.com', '--help']), one)
})

test('every action has a summary, examples that call it, and help as one JSON document', async () => {
  for (const command of commands)
    for (const action of await command.load()) {
      const words = action.words.split(' ')
      assert.equal(words[0], command.name)
      assert.match(action.summary, /^[A-Z].*[^.]$/)
      assert.ok(action.examples.length > 0, action.words)
      for (const example of action.examples)
        assert.ok(example.command.includes(`./everscan ${action.words}`), example.command)
      const { code, output } = await run([...words, '--help', '--json'])
      assert.equal(code, 0)
      assert.match((JSON.parse(output) as { help: string }).help, /^Usage: everscan /)
    }
})

const manyAddresses = Array.from({ length: 51 }, (_, index) => `10.0.0.${index}`).join()

test('2: standard error names the wrong word, the nearest right word and the usage', async () => {
  const cases: [words: string[], message: RegExp][] = [
    [['user', 'list'], /unknown command "user"\. Did you mean "users"\?\nUsage: everscan COMMAND/],
    [['xyzzy'], /unknown command "xyzzy"\.\nUsage: everscan COMMAND/],
    [['users'], /"users" needs a word.*\nUsage: everscan users list\|create\|reset\|revoke/],
    [['users', 'lsit'], /unknown word "lsit" after "users"\. Did you mean "list"\?/],
    [
      ['users', 'create', '--nmae', 'x'],
      /unknown option "--nmae"\. Did you mean "--name"\?\nUsage: everscan users create EMAIL/,
    ],
    [['users', 'create'], /EMAIL is missing\.\nUsage: everscan users create EMAIL/],
    [['users', 'create', 'ada'], /EMAIL must be an e-mail address, got "ada"/],
    [['users', 'create', 'a@b.c', 'd@e.f'], /unexpected word "d@e\.f"/],
    [
      ['users', 'create', 'a@b.c', '--role', 'boss'],
      /--role must be one of ADMIN, EDITOR, VIEWER, got "boss"/,
    ],
    [['users', 'create', 'a@b.c', '--name'], /"--name" needs a value: --name NAME/],
    [['users', 'create', 'a@b.c', '--name', '--json'], /"--name" needs a value/],
    [['users', 'reset', 'a@b.c', '--remove-two-factor=yes'], /"--remove-two-factor" takes no value/],
    [['users', 'create', 'a@b.c', '--name', 'A', '--name', 'B'], /"--name" was given twice/],
    [['users', 'create', 'a@b.c', '--new-organization', 'N', '--role', 'ADMIN'], /cannot be combined with/],
    [['keys', 'create', 'Shop'], /"--role ROLE" is missing/],
    [['keys', 'create', 'Shop', '--role', 'VIEWER', '--expires', '2026-02-30'], /--expires must be a date/],
    [['keys', 'create', 'Shop', '--role', 'VIEWER', '--expires', '2026-11-22'], /must be in the future/],
    [['keys', 'create', 'Shop', '--role', 'VIEWER', '--scopes', 'codes'], /--scopes must be .*codes:read/],
    [['keys', 'create', 'Shop', '--role', 'VIEWER', '--scopes', 'admin,admin'], /must be different scopes/],
    [['keys', 'create', 'Shop', '--role', 'VIEWER', '--scopes', ''], /must be different scopes/],
    [['keys', 'create', 'Shop', '--role', 'VIEWER', '--networks', '10.0.0.1/8'], /as in 10\.0\.0\.0\/8/],
    [['keys', 'create', 'Shop', '--role', 'VIEWER', '--networks', manyAddresses], /at most 50 networks/],
    [['users', '-x'], /"users" needs a word/],
    [['users', 'list', '-x'], /unknown option "-x"/],
  ]
  for (const [words, message] of cases) {
    const { code, output, errors } = await run(words, { DATA_DIR: join(scratch, 'none') })
    assert.equal(code, 2, words.join(' '))
    if (!words.includes('--json')) assert.equal(output, '')
    assert.match(errors, message)
  }
})

test('1: without a catalogue a command says what is missing, as one document with --json, and creates nothing', async () => {
  const dataDir = join(scratch, 'never made')
  for (const words of [
    ['users', 'list'],
    ['keys', 'list'],
    ['organizations', 'list'],
    ['users', 'create', 'a@b.c'],
  ]) {
    const { code, output, errors } = await run([...words, '--json'], { DATA_DIR: dataDir })
    assert.equal(code, 1)
    const { error } = JSON.parse(output) as { error: { message: string } }
    assert.match(
      error.message,
      /there is no catalogue at .*Set DATA_DIR or DATABASE_URL .*\.\/everscan start/,
    )
    assert.equal(errors, `everscan: ${error.message}\n`)
    assert.ok(!existsSync(dataDir))
  }
})

test('1: the data directory of another user is not mistaken for an empty one', async (t) => {
  const dataDir = join(scratch, 'of another user')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'catalogue.sqlite'), '')
  chmodSync(dataDir, 0o000)
  // Root may read everything.
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  t.after(() => {
    if (isRoot) process.seteuid?.(0)
    chmodSync(dataDir, 0o700)
  })
  const { code, errors } = await run(['users', 'list'], { DATA_DIR: dataDir })
  assert.equal(code, 1)
  assert.match(
    errors,
    /this user cannot read .*catalogue\.sqlite: run the command as the user of the service/,
  )
})

test('1: the error names a wrong setting, and the cause when a database does not answer', async () => {
  const { code, errors } = await run(['users', 'list'], { DATABASE_URL: 'mysql://u:hunter2@h/' })
  assert.equal(code, 1)
  assert.match(errors, /DATABASE_URL: must be a URL that begins with postgres/)
  const refused = await run(['users', 'list'], { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/db' })
  assert.equal(refused.code, 1)
  assert.match(
    refused.errors,
    /PostgreSQL at 127\.0\.0\.1:1: connect ECONNREFUSED .*; start it, or correct DATABASE_URL/,
  )
  assert.ok(!refused.errors.includes('hunter2'))
})

test('start starts the service and returns no exit status; a wrong word after it starts nothing', async () => {
  assert.deepEqual(await run(['start']), { code: undefined, output: '', errors: '', started: [false] })
  assert.deepEqual((await run(['start', '--demo'])).started, [true])
  const wrong = await run(['start', 'now'])
  assert.deepEqual([wrong.code, wrong.started], [2, []])
})

onEitherDatabase('commands', (open) => {
  test('users create prints a link for the password; the audit log says that a command made the change', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const made = await jsonOf(
      db,
      'users',
      'create',
      'Ada@Example.com',
      '--name',
      'Ada Lovelace',
      '--role',
      'editor',
    )
    assert.deepEqual(
      [made.email, made.name, made.organizationId, made.role],
      ['ada@example.com', 'Ada Lovelace', organizationId, 'EDITOR'],
    )
    const token = tokenOf(made.url)
    const used = { token, newPassword: 'long enough', source: someSource, nowMs: nowMs + 1 }
    const ada = (await usePasswordReset(db, used))?.owner
    const { isRight } = await checkPassword(db, { email: 'ada@example.com', password: 'long enough' })
    assert.equal(isRight, true)
    assert.deepEqual(await accountLogOf(db, ada?.id), [
      ['password-reset.use', undefined],
      ['password-reset.create', 'Operator'],
      ['account.create', 'Operator'],
    ])
    assert.deepEqual(await logOf(db, organizationId), [['member.join', 'Ada Lovelace', 'command']])

    const again = await runOn(db, 'users', 'create', 'ada@example.com')
    assert.equal(again.code, 1)
    assert.match(again.errors, /ada@example\.com already has an account/)

    const { output } = await runOn(db, 'users', 'list')
    assert.match(output, /^E-MAIL +NAME +CONFIRMED +TWO-FACTOR +CREATED +ORGANIZATIONS\n/)
    assert.match(output, /ada@example\.com +Ada Lovelace +no +no +2026-11-23 +acme \(EDITOR\)\n$/)
    const [listed] = await jsonOf(db, 'users', 'list')
    assert.deepEqual(listed.organizations, [{ id: organizationId, slug: 'acme', role: 'EDITOR' }])
  })

  test('import archive lists what cannot be taken, then makes an organization with a new id', async () => {
    const db = await open()
    await jsonOf(db, 'users', 'create', 'lucia@example.com', '--new-organization', 'Da Lucia')
    const id = createId('org')
    const organization = { id, name: 'Bar', slug: 'bar', publicName: null, logo: null }
    const about = {
      format: 'everscan-organization',
      formatVersion: 2,
      exportedAt: '2026-11-01T00:00:00.000Z',
      publicUrl: 'https://qr.example.com',
      organization: { ...organization, createdAt: '2026-01-01T00:00:00.000Z' },
    }
    const files = { 'organization.json': JSON.stringify(about), 'folders.jsonl': '{"id":"fld_1"}\n' }
    const path = join(scratch, `${id}.zip`)
    writeFileSync(path, await zipOf(files))
    const words = ['import', 'archive', path, '--admin', 'lucia@example.com']
    const dry = await runOn(db, ...words, '--dry-run')
    assert.match(dry.output, /1 line cannot be taken:\n  folders\.jsonl:1 .*\nNothing was written\./s)
    const refused = await runOn(db, ...words)
    assert.equal(refused.code, 1)
    assert.match(refused.errors, /Nothing was written.*folders\.jsonl:1/s)
    const started = (await jsonOf(db, ...words, '--leave-out')) as { organizationId: string; status: string }
    assert.equal(started.status, 'PENDING')
    assert.notEqual(started.organizationId, id)
    const { output } = await runOn(db, 'users', 'list')
    assert.match(output, /bar \(ADMIN\)/)
    const neither = await runOn(db, 'import', 'archive', path)
    assert.match(neither.errors, /either --admin EMAIL.* or --organization/)
  })

  test('links of another product are handed to the service; a column that is missing is named', async () => {
    const db = await open()
    const { id } = await someOrganization(db)
    const path = join(scratch, `${id}.csv`)
    writeFileSync(path, 'keyword,url,clicks\nmenu,https://example.com,7\n')
    const { output } = await runOn(db, 'import', 'yourls', path, '--organization', id)
    assert.match(output, /^1 link in the file.*shortCode: keyword\n.*clicks: clicks\n.*Move: job_/s)
    const dry = (await jsonOf(db, 'import', 'csv', path, '--organization', id, '--dry-run')) as Partial<Move>
    assert.deepEqual([dry.status, dry.dryRun, dry.preview?.[0]?.scansBefore], ['PENDING', true, 7])
    const mapping = ['--mapping', '{"destination":["Target"]}', '--organization', id]
    const wrong = await runOn(db, 'import', 'csv', path, ...mapping)
    assert.equal(wrong.code, 1)
    assert.match(wrong.errors, /mapping\.destination.*"Target".*Columns of the file: keyword, url, clicks/)
    const host = await runOn(db, 'import', 'csv', path, '--domain', 'go.example.com', '--organization', id)
    assert.match(host.errors, /no domain "go\.example\.com"/)
    const chunks = await db.kysely.selectFrom('import_chunks').select('job_id').execute()
    assert.equal(chunks.length, 2, 'only of the two that were handed over')
  })

  test('visits come with the links; a file without their columns leaves nothing behind', async () => {
    const db = await open()
    const { id } = await someOrganization(db)
    const path = join(scratch, `${id}.csv`)
    writeFileSync(path, 'keyword,url,clicks\nmenu,https://example.com,7\n')
    const [good, bad] = ['log', 'other'].map((name) => join(scratch, `${id}-${name}.csv`))
    writeFileSync(good ?? '', 'click_time\tshorturl\n2024-05-06 07:08:09\tmenu\nnever\tmenu\n')
    writeFileSync(bad ?? '', 'a,b\n1,2\n')
    const words = ['import', 'yourls', path, '--organization', id, '--visits']
    const refused = await runOn(db, ...words, bad ?? '')
    assert.match(refused.errors, /visits: has no column with the short code.*its columns: a, b/)
    assert.deepEqual(await db.kysely.selectFrom('import_chunks').select('job_id').execute(), [])
    const move = (await jsonOf(db, ...words, good ?? '')) as Partial<Move>
    assert.deepEqual([move.totalVisits, move.processedVisits, move.skippedVisits], [2, 1, 1])
    assert.deepEqual(
      move.visitProblems?.map(({ line }) => line),
      [3],
    )
  })

  test('an account gets a new organization, then a second one, which is renamed', async () => {
    const db = await open()
    const own = await jsonOf(db, 'users', 'create', 'lucia@example.com', '--new-organization', 'Da Lucia')
    assert.equal(own.role, 'ADMIN')
    const words = ['organizations', 'create', 'Bar', 'Lucia', '--admin', 'lucia@example.com']
    const { id, slug } = await jsonOf(db, ...words)
    assert.equal(slug, 'bar-lucia')
    await jsonOf(db, 'organizations', 'rename', 'bar-lucia', 'Bar', 'Luigi')
    const listed = (await jsonOf(db, 'organizations', 'list')) as { name: string; members: number }[]
    assert.deepEqual(
      listed.map(({ name, members }) => [name, members]),
      [
        ['Da Lucia', 1],
        ['Bar Luigi', 1],
      ],
    )
    assert.deepEqual(await logOf(db, id), [
      ['member.join', 'lucia@example.com', 'command'],
      ['organization.update', 'Bar Luigi', 'command'],
    ])
    const nobody = await runOn(db, 'organizations', 'create', 'X', '--admin', 'nobody@example.com')
    assert.deepEqual([nobody.code, nobody.errors.includes('no account has the e-mail address')], [1, true])
  })

  test('users reset makes a link, voids earlier links, and removes the second factor only on request', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const { url: before } = await jsonOf(db, 'users', 'create', 'ada@example.com')
    const { userId } = await withTwoFactor(db)
    await insertPasskeys(db, userId, 2)
    const reset = await jsonOf(db, 'users', 'reset', 'ada@example.com')
    const { url } = reset
    assert.deepEqual([reset.twoFactorRemoved, reset.passkeysRemoved], [false, 0])
    assert.equal((await jsonOf(db, 'users', 'list'))[0].twoFactor, true)
    const use = (address: string) =>
      usePasswordReset(db, {
        token: tokenOf(address),
        newPassword: 'long enough',
        source: someSource,
        nowMs: nowMs + 1,
      })
    assert.equal(await use(before), undefined)
    assert.equal((await use(url))?.owner.id, userId)
    const { output } = await runOn(db, 'users', 'reset', 'ada@example.com', '--remove-two-factor')
    assert.match(
      output,
      /^Two-factor sign-in is off\.\nRemoved: 2 passkeys\.\nSet a new password here, once, within 1 h:\nhttps:\/\//,
    )
    assert.equal((await jsonOf(db, 'users', 'list'))[0].twoFactor, false)
    const { rows } = await listAuditLog(db, organizationId, { page: 1, limit: 10, targetId: userId })
    assert.deepEqual(
      rows.map(({ action, fields }) => [action, fields]),
      [
        ['member.reset-password', ['twoFactor', 'passkeys']],
        ['member.reset-password', []],
        ['member.join', []],
      ],
    )
    // Without a second factor there is nothing to remove, and nothing to tell.
    await jsonOf(db, 'users', 'reset', 'ada@example.com', '--remove-two-factor')
    assert.deepEqual((await accountLogOf(db, userId)).map(String).sort(), [
      'account.create,Operator',
      'passkey.remove,Operator',
      'password-reset.create,Operator',
      'password-reset.create,Operator',
      'password-reset.create,Operator',
      'password-reset.create,Operator',
      'password-reset.use,',
      'two-factor.off,Operator',
    ])
    await insertPasskeys(db, userId, 1)
    assert.equal((await jsonOf(db, 'users', 'list'))[0].twoFactor, true)
    const removed = await jsonOf(db, 'users', 'reset', 'ada@example.com', '--remove-two-factor')
    assert.deepEqual([removed.twoFactorRemoved, removed.passkeysRemoved], [true, 1])
    const withoutUrl = await run(['users', 'reset', 'ada@example.com'], { ...envOf(db), PUBLIC_URL: '' })
    assert.match(
      withoutUrl.output,
      /PUBLIC_URL is not set here: replace \S+ with the address of your service/,
    )
  })

  test('users revoke deletes the account, its sessions and its keys; the only ADMIN stays', async () => {
    const db = await open()
    const acme = await someOrganization(db)
    const other = await someOrganization(db, 'Other')
    const ada = (await createUser(db, { email: 'ada@example.com', name: 'Ada' })) ?? assert.fail()
    for (const { id } of [acme, other]) await saveMember(db, id, { userId: ada.id, role: 'ADMIN' })
    const { token } = await createSession(db, ada.id, { userAgent: null, nowMs })
    const made = { origin: someOrigin, nowMs: nowMs - 1 }
    const options = { name: 'Ada', role: 'ADMIN', userId: ada.id, ...made } as const
    const { value } = await createApiKey(db, acme.id, options)
    const replace = (slug: string) =>
      jsonOf(db, 'users', 'create', `grace@${slug}.example`, '--role', 'ADMIN', '--organization', slug)
    await replace('acme')
    const refused = await runOn(db, 'users', 'revoke', 'ada@example.com')
    assert.equal(refused.code, 1)
    assert.match(refused.errors, /the only ADMIN of the organization/)
    assert.equal((await findApiKey(db, value, { nowMs }))?.state, 'VALID', 'a refused revoke changes nothing')

    await replace('other')
    await jsonOf(db, 'users', 'revoke', 'ada@example.com', '--organization', 'other')
    assert.ok(await findSession(db, token, { nowMs }), 'the account still exists')
    assert.equal((await runOn(db, 'users', 'revoke', 'ada@example.com', '--organization', 'other')).code, 1)
    // A key in an organization that she left, as a release that did not revoke keys leaves it.
    const { value: stray } = await createApiKey(db, other.id, options)
    assert.equal((await jsonOf(db, 'users', 'revoke', 'ada@example.com')).deleted, true)
    assert.equal(await findSession(db, token, { nowMs }), undefined)
    for (const one of [value, stray]) assert.equal((await findApiKey(db, one, { nowMs }))?.state, 'REVOKED')
    const log = await logOf(db, acme.id)
    assert.deepEqual(log.slice(-2), [
      ['api-key.revoke', 'Ada', 'command'],
      ['member.remove', 'Ada', 'command'],
    ])
    assert.equal((await runOn(db, 'users', 'revoke', 'ada@example.com')).code, 1)
  })

  test('a key works after its creation, is listed without its value, and is revoked', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const words = ['keys', 'create', 'Print', 'shop', '--role', 'EDITOR', '--expires', '2026-12-31']
    const made = await jsonOf(db, ...words)
    assert.deepEqual(
      [made.name, made.role, made.expiresAt],
      ['Print shop', 'EDITOR', '2027-01-01T00:00:00.000Z'],
    )
    assert.equal((await findApiKey(db, made.key, { nowMs }))?.state, 'VALID')
    const list = await runOn(db, 'keys', 'list')
    assert.match(list.output, /Print shop +EDITOR +valid +evs_/)
    assert.ok(!list.output.includes(made.key))
    await jsonOf(db, 'keys', 'revoke', made.id)
    assert.equal((await findApiKey(db, made.key, { nowMs }))?.state, 'REVOKED')
    assert.match((await runOn(db, 'keys', 'list')).output, /Print shop +EDITOR +revoked/)
    const unknown = await runOn(db, 'keys', 'revoke', 'key_unknown')
    assert.deepEqual([unknown.code, /no key with the id key_unknown/.test(unknown.errors)], [1, true])
    assert.deepEqual(await logOf(db, organizationId), [
      ['api-key.create', 'Print shop', 'command'],
      ['api-key.revoke', 'Print shop', 'command'],
    ])
  })

  test('a key is limited to scopes and networks', async () => {
    const db = await open()
    await someOrganization(db)
    const words = ['keys', 'create', 'Report', '--role', 'VIEWER', '--scopes', 'analytics:read, codes:read']
    const made = await jsonOf(db, ...words, '--networks', '203.0.113.0/24,2001:DB8::1,203.0.113.0/24')
    const scopes = ['codes:read', 'analytics:read']
    const networks = ['203.0.113.0/24', '2001:db8::1/128']
    assert.deepEqual([made.scopes, made.networks], [scopes, networks])
    const found = await findApiKey(db, made.key, { nowMs, address: '203.0.113.7' })
    assert.deepEqual([found?.state, found?.key.scopes, found?.key.networks], ['VALID', scopes, networks])
    for (const address of ['203.0.114.7', undefined])
      assert.equal((await findApiKey(db, made.key, { nowMs, ...(address && { address }) }))?.state, 'OUTSIDE')
    const plain = await jsonOf(db, 'keys', 'create', 'Plain', '--role', 'VIEWER')
    assert.deepEqual([plain.scopes, plain.networks], [null, null])
    const { output } = await runOn(db, 'keys', 'list')
    assert.match(output, /Report .* codes:read, analytics:read +203\.0\.113\.0\/24, 2001:db8::1\/128 +key_/)
    assert.match(output, /Plain .* all +everywhere +key_/)
  })

  test('with several organizations, a command needs the slug or id of one', async () => {
    const db = await open()
    const none = await runOn(db, 'keys', 'list')
    assert.deepEqual([none.code, /there is no organization yet/.test(none.errors)], [1, true])
    const acme = await someOrganization(db)
    await someOrganization(db, 'Other')
    const unnamed = await runOn(db, 'keys', 'list')
    assert.equal(unnamed.code, 2)
    assert.match(unnamed.errors, /there are 2 organizations: choose one with --organization/)
    for (const name of ['acme', acme.id])
      assert.deepEqual(await jsonOf(db, 'keys', 'list', '--organization', name), [])
    assert.equal((await runOn(db, 'keys', 'list', '--organization', 'nobody')).code, 1)
  })

  test("operator shows the operator's organization, changes it, and refuses the demo", async () => {
    const db = await open()
    const own = await createOrganization(db, { name: 'Own' })
    const none = await runOn(db, 'operator')
    assert.deepEqual([none.code, /everscan operator ORG/.test(none.output)], [1, true])
    const json = { id: own.id, name: 'Own', slug: 'own' }
    assert.deepEqual(await jsonOf(db, 'operator', 'own'), json)
    const other = await createOrganization(db, { name: 'Other' })
    assert.deepEqual(await jsonOf(db, 'operator'), json)
    assert.equal((await runOn(db, 'operator', 'nobody')).code, 1)
    assert.match((await runOn(db, 'operator', other.id)).output, /Other/)
    await saveDemo(db, own.id, { plan: '{}' })
    const demo = await runOn(db, 'operator', 'own')
    assert.deepEqual([demo.code, /is the demo/.test(demo.errors)], [1, true])
    assert.deepEqual(await jsonOf(db, 'operator'), { id: other.id, name: 'Other', slug: 'other' })
  })

  test('demo remove deletes the demo and nothing else; without one it has nothing to do', async () => {
    const db = await open()
    const env = envOf(db)
    await createOrganization(db, { name: 'Own' })
    assert.deepEqual(JSON.parse((await run(['demo', 'remove', '--json'], env)).output).removed, false)
    const { id } = await createOrganization(db, { name: 'Made up' })
    await saveDemo(db, id, { plan: '{}' })
    const asked = await run(['demo', 'remove'], env)
    assert.deepEqual([asked.code, /"Made up".*add --yes/.test(asked.errors)], [1, true])
    const { code, output } = await run(['demo', 'remove', '--yes', '--json'], env)
    assert.deepEqual([code, JSON.parse(output)], [0, { removed: true, organizationId: id, codes: 0 }])
    assert.deepEqual(
      (await listAllOrganizations(db)).map(({ name }) => name),
      ['Own'],
    )
  })

  test('a catalogue of an older release, or of another program, is left as it is', async () => {
    const db = await open({ unshared: true })
    const last = await db.kysely
      .selectFrom('migrations')
      .select('name')
      .orderBy('name', 'desc')
      .executeTakeFirst()
    await db.kysely
      .deleteFrom('migrations')
      .where('name', '=', last?.name ?? '')
      .execute()
    const older = await runOn(db, 'users', 'list')
    assert.deepEqual([older.code, /of an older release.*\.\/everscan start/.test(older.errors)], [1, true])
    await db.kysely.schema.dropTable('migrations').execute()
    const foreign = await runOn(db, 'users', 'list')
    assert.deepEqual([foreign.code, /holds tables of another program/.test(foreign.errors)], [1, true])
  })
})

/** Returns the settings of a service with this catalogue. */
function envOf({ source }: Database): Record<string, string> {
  return {
    PUBLIC_URL: 'https://go.example.com',
    ...(source.dialect === 'sqlite'
      ? { DATA_DIR: dirname(source.file) }
      : { DATA_DIR: join(scratch, 'none'), DATABASE_URL: source.url }),
  }
}
async function runOn(db: Database, ...words: string[]): Promise<Ran> {
  return run(words, envOf(db))
}

/** Runs the command with `--json` and returns the document; fails unless the command succeeds. */
async function jsonOf(db: Database, ...words: string[]) {
  const { code, output, errors } = await runOn(db, ...words, '--json')
  assert.equal(code, 0, errors)
  return JSON.parse(output)
}

async function accountLogOf(db: Database, userId = ''): Promise<[string, string | undefined][]> {
  const { rows } = await listAccountLog(db, userId, { page: 1, limit: 20 })
  return rows.map(({ action, actor }) => [action, actor?.name])
}

async function logOf(db: Database, organizationId: string) {
  const { rows } = await listAuditLog(db, organizationId, { page: 1, limit: 50 })
  return rows.toReversed().map(({ action, target, origin }) => [action, target.name, origin.via])
}

function tokenOf(url: string): string {
  return url.split('https://go.example.com/app/reset-password#')[1] ?? ''
}

/** Adds a confirmed authenticator to Ada's account. */
async function withTwoFactor(db: Database): Promise<{ userId: string }> {
  const userId = (await findUserByEmail(db, 'ada@example.com'))?.id ?? ''
  const values = { user_id: userId, secret: 'sealed', last_step: 0, created_at_ms: 1, confirmed_at_ms: 2 }
  await db.kysely.insertInto('two_factors').values(values).execute()
  return { userId }
}
