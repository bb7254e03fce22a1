import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import { startHostFront, someChanges } from '../../../../app/hosts/testing/host-fronts.ts'
import { insertArchivedCodes } from '../../../../catalogue/codes/archived-codes.ts'
import { listQrCodes } from '../../../../catalogue/codes/qr-code-lists.ts'
import { createQrCode, readQrCode, updateQrCode } from '../../../../catalogue/codes/qr-codes.ts'
import { applyLook } from '../../../../catalogue/domains/domain-proofs.ts'
import { createDomain, deleteDomain } from '../../../../catalogue/domains/domains.ts'
import { awaitedHosts, claimWaitingCodes } from '../../../../catalogue/waiting/claim-waiting-codes.ts'
import { listWaitingCodes } from '../../../../catalogue/waiting/waiting-codes.ts'
import { someOrganization, someOrigin, someQrCode } from '../../../../catalogue/testing/catalogue.ts'
import { inTransaction, type Database } from '../../../database.ts'
import { insertRows } from '../../../dialects/row-sets.ts'
import { openDatabase } from '../../../open-database.ts'
import { reserveShortCodes } from '../../../scans/reserved-codes.ts'
import { silentLog, testPostgres } from '../../../testing/databases.ts'
import { migrateDatabase, migrations } from '../../migrate.ts'
import { readStrangers } from '../../strangers.ts'

// The current code writes columns that later migrations add, so only those of waiting codes miss.
const missing = ['0063-waiting-codes', '0072-waiting-codes-of-moves']
const older = migrations.filter(({ name }) => !missing.includes(name))
const { change, lookOf } = someChanges()
const hostname = 'go.example.com'
const page = { page: 1, limit: 10 }

/** Creates a code as an import of an archive did: on a host name that nobody has to have proved. */
async function createAsBefore(
  db: Database,
  organizationId: string,
  { shortCode, domainId }: { shortCode: string; domainId: string },
): Promise<string> {
  const data = { url: `https://${organizationId.replaceAll('_', '-')}.example/${shortCode}` }
  const draft = await createQrCode(db, organizationId, someQrCode({ data, tags: ['b', 'a'] }))
  const id = `${draft.id.slice(0, -3)}${shortCode.slice(0, 3).toLowerCase()}`
  const key = codeKey({ shortCode, domain: hostname })
  await inTransaction(db, async (tx) => {
    const assigned = {
      organization_id: organizationId,
      qr_code_id: id,
      created_at_ms: 1,
      deleted_at_ms: null,
    }
    await insertRows(tx, 'short_codes', {
      rows: [{ canonical_code: key, short_code: shortCode, ...assigned }],
    })
    const row = { ...draft, id, shortCode, domainId, domain: hostname, codeKey: key }
    await insertArchivedCodes(tx, organizationId, { rows: [row], origin: someOrigin, nowMs: 1 })
  })
  await updateQrCode(db, { organizationId, id }, { name: 'Renamed', ...change() })
  return id
}

for (const databaseUrlOf of [async () => undefined, async () => (await testPostgres()).createDatabase()])
  test('codes on a name that their organization has not proved wait from the upgrade on, and free it', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'everscan-waiting-'))
    const db = await openDatabase({
      dataDir,
      databaseUrl: await databaseUrlOf(),
      role: 'writer',
      log: silentLog,
    })
    try {
      await migrateDatabase(db, older)
      const { id: owner } = await someOrganization(db, 'Owner')
      const { id: former } = await someOrganization(db, 'Former')
      const { id: stranger } = await someOrganization(db, 'Stranger')
      const claim = (organizationId: string) =>
        createDomain(db, organizationId, { hostname, fields: {}, ...change() })
      const had = await claim(former)
      await applyLook(db, hostname, lookOf(hostname, [had.proof]))
      const kept = await createAsBefore(db, former, { shortCode: 'FORM', domainId: had.id })
      const has = await claim(owner)
      await applyLook(db, hostname, lookOf(hostname, [has.proof]))
      await createAsBefore(db, owner, { shortCode: 'MENU', domainId: has.id })
      const wrong = await claim(stranger)
      const waiting = await createAsBefore(db, stranger, { shortCode: 'WINE', domainId: wrong.id })
      // One that was deleted still holds its short code.
      await db.kysely
        .insertInto('short_codes')
        .values({
          canonical_code: `${hostname}/GONE`,
          short_code: 'GONE',
          organization_id: stranger,
          qr_code_id: 'qr_gone',
          created_at_ms: 1,
          deleted_at_ms: 2,
        })
        .execute()
      // An archive fixed the form of a name that nobody has proved.
      await db.kysely
        .insertInto('domain_hosts')
        .values({ hostname: 'next.example.com', proved_at_ms: null, codes: 'exact' })
        .execute()

      const before = await readStrangers(db, missing)
      assert.deepEqual(before, [{ slug: 'stranger', hostname, codes: 1 }])
      await migrateDatabase(db)

      const list = await listWaitingCodes(db, stranger, page)
      assert.deepEqual(
        list.rows.map(({ id, shortCode, tags, name }) => [id, shortCode, tags, name]),
        [[waiting, 'WINE', ['b', 'a'], 'Renamed']],
      )
      assert.equal((await readQrCode(db, { organizationId: former, id: kept }))?.shortCode, 'FORM')
      const drafts = (await listQrCodes(db, stranger, page)).rows
      assert.deepEqual(
        drafts.map(({ domain }) => domain),
        [''],
      )
      const next = await createDomain(db, owner, {
        hostname: 'next.example.com',
        fields: { codes: 'canonical' },
        ...change(),
      })
      assert.equal(next.codes, 'canonical', 'no form of a stranger is left')

      // A journal may still have scans from before the upgrade.
      const scan = { organizationId: stranger, qrCodeId: waiting, shortCode: 'WINE', domain: hostname }
      assert.deepEqual(await reserveShortCodes(db, [scan]), [])
      const front = await startHostFront(db)
      const ask = async (code: string) => {
        await front.catchUp()
        return (await front.ask(`/${code}`, { host: hostname })).status
      }
      try {
        assert.deepEqual([await ask('MENU'), await ask('FORM'), await ask('WINE')], [302, 302, 404])
        for (const shortCode of ['GONE', 'WINE'])
          assert.equal(
            (await createQrCode(db, owner, someQrCode({ shortCode, domain: has }))).shortCode,
            shortCode,
          )

        // The name goes to the former stranger, whose code is lost: its owner took the short code.
        await applyLook(db, hostname, lookOf(hostname, [wrong.proof]))
        for (const host of await awaitedHosts(db, stranger))
          await inTransaction(db, (tx) =>
            claimWaitingCodes(tx, stranger, host, { origin: someOrigin, nowMs: 9, limit: 10 }),
          )
        const { rows } = await listWaitingCodes(db, stranger, page)
        assert.deepEqual(
          rows.map(({ shortCode, isLost }) => [shortCode, isLost]),
          [['WINE', true]],
        )
        assert.equal(await ask('WINE'), 302, 'that of the owner before')
      } finally {
        await front.close()
      }
      await deleteDomain(db, { organizationId: owner, id: next.id }, change())
    } finally {
      await db.close()
      rmSync(dataDir, { recursive: true })
    }
  })
