import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { startHostFront, someChanges } from './testing/host-fronts.ts'
import { deleteQrCode } from '../../catalogue/codes/qr-code-deletion.ts'
import { createQrCode, updateQrCode } from '../../catalogue/codes/qr-codes.ts'
import { restoreQrCodes } from '../../catalogue/codes/bin.ts'
import { applyLook } from '../../catalogue/domains/domain-proofs.ts'
import { createDomain, deleteDomain, listDomains } from '../../catalogue/domains/domains.ts'
import { listAuditLog } from '../../catalogue/ledger/audit-log.ts'
import { someOrganization, someOrigin, someQrCode } from '../../catalogue/testing/catalogue.ts'
import { readConfig } from '../../settings/config.ts'
import type { Database } from '../../db/database.ts'
import { reserveShortCodes } from '../../db/scans/reserved-codes.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { runCommand } from '../../commands/run-command.ts'

const { change, lookOf } = someChanges()
const hostname = 'old.example.com'
const nowMs = Date.parse('2026-11-25T12:00:00.000Z')

async function run(db: Database, ...words: string[]) {
  const ran = { code: undefined as number | undefined, output: '', errors: '' }
  const { source } = db
  const env = {
    PUBLIC_URL: 'https://qr.example.com',
    ...(source.dialect === 'sqlite'
      ? { DATA_DIR: dirname(source.file) }
      : { DATA_DIR: '/nonexistent', DATABASE_URL: source.url }),
  }
  ran.code = await runCommand(['domains', 'adopt', ...words], {
    readConfig: () => readConfig(env),
    start: async () => undefined,
    loadParts: async () => (await import('../../doctor/parts.ts')).parts,
    output: { write: (text) => (ran.output += text) },
    errors: { write: (text) => (ran.errors += text) },
    clock: () => nowMs,
  })
  return ran
}

/** A host that passed from one organization with codes in every state to another. */
async function passedHost(db: Database) {
  const { id: first } = await someOrganization(db, 'First')
  const { id: second } = await someOrganization(db, 'Second')
  const prove = async (organizationId: string) => {
    const domain = await createDomain(db, organizationId, { hostname, fields: {}, ...change() })
    await applyLook(db, hostname, lookOf(hostname, [domain.proof]))
    return domain
  }
  const domain = await prove(first)
  const codes = ['GONE', 'AWAY', 'BINN', 'ENDED', 'LIVE'] as const
  const ids = new Map<string, string>()
  for (const shortCode of codes) {
    const data = { url: `https://example.com/first/${shortCode}` }
    const { id } = await createQrCode(db, first, someQrCode({ shortCode, domain, data }))
    ids.set(shortCode, id)
  }
  const key = (shortCode: string) => ({ organizationId: first, id: ids.get(shortCode) ?? '' })
  for (const shortCode of ['GONE', 'AWAY']) await deleteQrCode(db, key(shortCode), change())
  const until = { restorableUntilMs: Date.now() + 1e9 }
  await deleteQrCode(db, key('BINN'), { ...change(), ...until })
  await updateQrCode(db, key('ENDED'), { status: 'ARCHIVED', ...change() })
  // As after an older copy of the catalogue was put back.
  await reserveShortCodes(db, [
    { organizationId: first, qrCodeId: 'qr_lost', shortCode: 'FOUND', domain: hostname },
  ])
  await reserveShortCodes(db, [
    { organizationId: first, qrCodeId: 'qr_x', shortCode: 'FOUND', domain: 'x.example' },
  ])
  return { first, second, ids, domain: await prove(second) }
}

onEitherDatabase('domains adopt', (open) => {
  test('reserved short codes go to the organization that has the host; what answers scans stays', async () => {
    const db = await open()
    const { first, second, ids, domain } = await passedHost(db)
    const front = await startHostFront(db)
    const ask = async (code: string) => {
      await front.catchUp()
      const { status, location } = await front.ask(`/${code}`, { host: hostname })
      return location ?? status
    }
    const take = async (shortCode: string, organizationId = second) => {
      const data = { url: `https://example.com/second/${shortCode}` }
      return createQrCode(db, organizationId, someQrCode({ shortCode, domain, data }))
    }
    try {
      assert.match((await run(db, 'unknown.example.com')).errors, /no organization has proved the domain/)
      const asked = await run(db, hostname)
      assert.equal(asked.code, 1)
      assert.match(
        asked.errors,
        /hands 3 reserved short codes on old\.example\.com over to "Second".*add --yes/,
      )
      await assert.rejects(take('GONE'), { status: 409 }, 'before it is confirmed')

      const done = await run(db, hostname, '--yes')
      assert.equal(done.code, 0, done.errors)
      assert.match(done.output, /^3 short codes handed over: second can create codes/)
      assert.match(done.output, /1 active code of other organizations on it: they go on/)
      assert.match(done.output, /1 archived code .*see --with-archived/)
      assert.equal(await ask('GONE'), 410, 'until there is a new code')
      assert.equal((await take('GONE')).shortCode, 'GONE')
      assert.equal((await take('FOUND')).shortCode, 'FOUND')
      assert.equal(await ask('GONE'), 'https://example.com/second/GONE')
      assert.equal(await ask('LIVE'), 'https://example.com/first/LIVE')
      for (const shortCode of ['GONE', 'BINN', 'ENDED', 'LIVE'])
        await assert.rejects(take(shortCode), { status: 409 }, shortCode)
      await assert.rejects(take('AWAY', first), /domainId/, 'nobody else can use them')
      const restored = await restoreQrCodes(db, first, { ids: [ids.get('BINN') ?? ''], ...change() })
      assert.equal(restored.size, 1)
      assert.match((await run(db, hostname)).output, /^There is nothing to hand over to second\./)

      const { rows } = await listAuditLog(db, second, { page: 1, limit: 10 })
      assert.deepEqual(
        rows
          .filter(({ action }) => action === 'domain.adopt')
          .map(({ origin, target }) => [origin.actor.name, target.name]),
        [['Operator', hostname]],
      )
      // A late scan of the former code changes nothing.
      await reserveShortCodes(db, [
        { organizationId: first, qrCodeId: ids.get('AWAY') ?? '', shortCode: 'AWAY', domain: hostname },
      ])
      assert.equal((await take('AWAY')).shortCode, 'AWAY')
    } finally {
      await front.close()
    }
  })

  test('--with-archived also takes what others archived or can restore, and says so before', async () => {
    const db = await open()
    const { second, domain, first } = await passedHost(db)
    assert.match(
      (await run(db, hostname, '--with-archived')).errors,
      /deletes 1 archived code of other organizations, and 1 code in their bins, for good/,
    )
    const { output } = await run(db, hostname, '--with-archived', '--yes', '--json')
    assert.deepEqual(JSON.parse(output), {
      hostname,
      organization: 'second',
      adopted: 5,
      active: 1,
      over: 0,
      archived: 0,
      binned: 0,
    })
    for (const shortCode of ['ENDED', 'BINN'])
      await createQrCode(db, second, someQrCode({ shortCode, domain, origin: someOrigin }))
    await assert.rejects(createQrCode(db, second, someQrCode({ shortCode: 'LIVE', domain })), { status: 409 })
    const { rows } = await listAuditLog(db, first, { page: 1, limit: 10 })
    assert.ok(
      rows.some(({ action, origin }) => action === 'qr-code.delete' && origin.actor.name === 'Operator'),
    )
    assert.ok(
      rows.some(({ action, origin }) => action === 'qr-code.purge' && origin.actor.name === 'Operator'),
    )
  })

  test('codes that a removed owner left active answer 410, which the command says', async () => {
    const db = await open()
    const { first, ids } = await passedHost(db)
    await updateQrCode(
      db,
      { organizationId: first, id: ids.get('LIVE') ?? '' },
      { status: 'ARCHIVED', ...change() },
    )
    const { rows } = await listDomains(db, first, { page: 1, limit: 1 })
    await deleteDomain(db, { organizationId: first, id: rows[0]?.id ?? '' }, change())
    await updateQrCode(
      db,
      { organizationId: first, id: ids.get('LIVE') ?? '' },
      { status: 'ACTIVE', ...change() },
    )
    const front = await startHostFront(db)
    try {
      assert.equal((await front.ask('/LIVE', { host: hostname })).status, 410)
    } finally {
      await front.close()
    }
    const { output } = await run(db, hostname, '--yes')
    assert.match(output, /1 code on it that other organizations left active: they answer 410/)
    assert.doesNotMatch(output, /go on answering/)
  })
})
