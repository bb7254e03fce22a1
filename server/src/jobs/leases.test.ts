import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problem } from '@everscan/contract/problems/problem.ts'
import { sql } from 'kysely'
import {
  claimOrders,
  failOrder,
  postponeOrder,
  saveDnsOrder,
  storeCertificate,
  type OrderClaim,
} from '../catalogue/certificates/certificates.ts'
import {
  claimCertificateMail,
  endCertificateMail,
  renewCertificateMail,
  type CertificateMail,
} from '../catalogue/domains/certificate-mails.ts'
import { takeCertificateWarnings } from '../catalogue/domains/certificate-warnings.ts'
import { giveNotice } from '../catalogue/domains/domain-notices.ts'
import { createDomain } from '../catalogue/domains/domains.ts'
import { applyLook } from '../catalogue/domains/domain-proofs.ts'
import {
  claimNoticeMail,
  endNoticeMail,
  renewNoticeMail,
  type NoticeMail,
} from '../catalogue/domains/notice-mails.ts'
import { cancelImport, startImport } from '../catalogue/imports/imports.ts'
import { endTurn, keepTurn, takeTurn, type TakenTurn } from '../catalogue/installation/chore-turns.ts'
import {
  claimCopy,
  recordCopyFailed,
  recordCopyMade,
  recordCopyVerified,
  releaseCopy,
  renewCopy,
  type CopyClaim,
} from '../catalogue/installation/copies.ts'
import { afterOlderCatalogue } from '../catalogue/installation/older-catalogue.ts'
import { createAddressHash } from '../catalogue/mails/address-hash.ts'
import { someOrganization, someOrigin } from '../catalogue/testing/catalogue.ts'
import {
  beginViewMail,
  claimViewMail,
  endViewMail,
  leaveViewMail,
  recordViewMail,
  type ViewMailClaim,
} from '../catalogue/views/view-mails.ts'
import { createView, updateView } from '../catalogue/views/views.ts'
import { createWebhook } from '../catalogue/webhooks/webhooks.ts'
import { inTransaction, type Database } from '../db/database.ts'
import { insertEvents } from '../db/feeds/event-pages.ts'
import { LeaseLost, leases } from '../db/lease.ts'
import { forEachDatabase, type OpenTestDatabase } from '../db/testing/databases.ts'
import { proofName } from '../dns-looks.ts'
import { createId } from '../ids.ts'
import { createSecretBox } from '../secret-box.ts'
import { advanceJob, claimJob, endJob, holdJob, postponeJob, type Claim } from './queue.ts'
import {
  claimDeliveries,
  recordOutcomes,
  releaseDeliveries,
  renewDeliveries,
  waitingWebhooks,
  type DeliveryClaim,
} from './webhooks/delivery-claims.ts'
import { fanOut } from './webhooks/fan-out.ts'

const nowMs = Date.now()
const yearMs = 365 * 86_400_000
const terms = { nowMs, leaseMs: 60_000 }
const box = createSecretBox('a secret of tests', 'leases')
const change = { origin: someOrigin, nowMs }
const found = problem('receiverGone')
const hostname = 'go.example.com'

type Write<Claimed> = (db: Database, claim: Claimed) => Promise<unknown>

/** The work under one lease. */
type Work<Claimed> = {
  /** Makes a piece that is due. */
  start: (db: Database, organizationId: string) => Promise<unknown>
  claim: (db: Database, machine: string) => Promise<Claimed | undefined>
  /** Keeps the piece for longer. Undefined: a worker that needs longer loses it. */
  renew?: Write<Claimed>
  end: Write<Claimed>
  /** All other writes of its holder. */
  others: readonly Write<Claimed>[]
  /** Changes from outside, after which a worker must not go on. */
  revokes?: readonly ((db: Database, claim: Claimed) => Promise<unknown>)[]
}

const job: Work<Claim> = {
  start: (db, organizationId) => {
    const rows = { header: [], columns: [], totalRows: 1 }
    const input = { type: 'URL', dryRun: false, fileName: null, ...rows } as const
    return startImport(db, { organizationId, id: createId('job') }, { preset: 'import', input, ...change })
  },
  claim: (db) => claimJob(db, 'import', terms),
  end: (db, claim) => endJob(db, claim, { status: 'COMPLETED', progress: {}, nowMs }),
  others: [
    (db, claim) => holdJob(db, claim),
    (db, claim) => advanceJob(db, claim, { progress: { late: true }, nowMs }),
    (db, claim) => postponeJob(db, claim, { runAtMs: nowMs + 1, nowMs }),
  ],
  revokes: [(db, claim) => cancelImport(db, claim, { preset: 'import', ...change })],
}

const delivery: Work<DeliveryClaim> = {
  start: async (db, organizationId) => {
    const hook = { url: 'https://example.com/', events: ['*'], description: '', batch: false }
    await createWebhook(db, organizationId, { ...hook, secret: 'whsec_x', box, ...change })
    const event = { event: 'qr.created', atMs: nowMs, qrCodeId: 'qr_1', data: {} } as const
    await inTransaction(db, (tx) => insertEvents(tx, organizationId, { events: [event], nowMs }))
    await fanOut(db, nowMs)
  },
  claim: async (db) => {
    const [webhook] = await waitingWebhooks(db)
    return (await claimDeliveries(db, webhook?.id ?? '', { limit: 5, ...terms }))[0]
  },
  renew: (db, claim) => renewDeliveries(db, [claim], terms),
  end: (db, claim) => {
    const outcome = { succeeded: true, status: 204, durationMs: 1 }
    return recordOutcomes(db, [{ claim, outcome }], { nowMs, random: () => 0 })
  },
  others: [
    (db, claim) => releaseDeliveries(db, [claim]),
    (db, claim) => {
      const outcome = { succeeded: false, problem: found, durationMs: 1 }
      return recordOutcomes(db, [{ claim, outcome }], { nowMs, random: () => 0 })
    },
  ],
  revokes: [(db) => afterOlderCatalogue(db, { known: [], nowMs })],
}

const viewChange = { mailAtMs: () => nowMs, language: null, box, ...change }

const viewMail: Work<ViewMailClaim> = {
  start: (db, organizationId) => {
    const mail = { to: ['ada@example.com'], every: 'week' } as const
    return createView(db, organizationId, { name: 'A', query: {}, mail, ...viewChange })
  },
  claim: (db) => claimViewMail(db, { ...terms, nextAtMs: () => nowMs + yearMs }),
  renew: (db, claim) =>
    beginViewMail(db, claim, {
      mail: { address: 'ada@example.com', kind: 'view' },
      hash: createAddressHash('a secret of tests'),
      budgets: { mailsPerAccountPerDay: 10, mailsPerInstallationPerDay: 10 },
      ...terms,
    }),
  end: (db, claim) => endViewMail(db, claim, { problem: null }),
  others: [
    (db, claim) => recordViewMail(db, claim, { left: [], sentAtMs: 1 }),
    (db, claim) => endViewMail(db, claim, { problem: found, retryAtMs: nowMs + 1, left: ['late'] }),
  ],
  revokes: [
    (db, claim) =>
      updateView(db, claim, { ...viewChange, mail: { to: ['bob@example.com'], every: 'month' } }),
    (db, claim) => leaveViewMail(db, claim, { address: 'ada@example.com', nowMs }),
  ],
}

const certificateOrder: Work<OrderClaim> = {
  start: async () => undefined,
  claim: async (db) => (await claimOrders(db, { publicHost: hostname, ...terms, limit: 4 }))[0],
  end: (db, claim) => {
    const issued = { chain: 'a', privateKey: 'b', validFromMs: nowMs, expiresAtMs: nowMs + yearMs }
    return storeCertificate(db, claim, issued)
  },
  others: [
    (db, claim) => saveDnsOrder(db, claim, { orderUrl: 'https://ca.example/1', value: 'x', orderedAtMs: 1 }),
    (db, claim) => postponeOrder(db, claim, { nextOrderAtMs: nowMs + 1, problem: null }),
    (db, claim) =>
      failOrder(db, claim, { attempts: 9, nextOrderAtMs: nowMs + 1, problem: found, isOver: true }),
  ],
}

async function proveDomain(db: Database, organizationId: string): Promise<void> {
  const { proof } = await createDomain(db, organizationId, { hostname, fields: {}, ...change })
  const record = { type: 'TXT', name: proofName(hostname), value: proof }
  await applyLook(db, hostname, { look: { found: [record] }, nowMs })
}

const certificateMail: Work<CertificateMail> = {
  start: async (db, organizationId) => {
    await proveDomain(db, organizationId)
    const row = { hostname, attempts: 1, next_order_at_ms: nowMs + yearMs, problem: 'no answer' }
    await db.kysely
      .insertInto('certificates')
      .values({ ...row, expires_at_ms: nowMs + 1, mail_due_at_ms: nowMs })
      .execute()
  },
  claim: (db) => claimCertificateMail(db, terms),
  renew: (db, mail) => renewCertificateMail(db, mail, { left: ['ada@example.com'], ...terms }),
  end: (db, mail) => endCertificateMail(db, mail, { dueAtMs: null }),
  others: [],
  revokes: [
    (db) => takeCertificateWarnings(db, { publicHost: undefined, nowMs, isMailed: true }),
    async (db) => certificateOrder.end(db, { hostname, leaseNumber: 0 } as OrderClaim),
  ],
}

const noticeMail: Work<NoticeMail> = {
  start: async (db, organizationId) => {
    await proveDomain(db, organizationId)
    await proveDomain(db, (await someOrganization(db, 'The next owner')).id)
    await db.kysely
      .updateTable('domains')
      .set({ notice_mail_due_at_ms: nowMs })
      .where('organization_id', '=', organizationId)
      .execute()
  },
  claim: (db) => claimNoticeMail(db, terms),
  renew: (db, mail) => renewNoticeMail(db, mail, { left: ['ada@example.com'], ...terms }),
  end: (db, mail) => endNoticeMail(db, mail, { dueAtMs: null }),
  others: [],
  revokes: [
    async (db) => {
      const owner = await db.kysely
        .selectFrom('domains')
        .select(['organization_id as organizationId', 'id'])
        .where('status', '=', 'ACTIVE')
        .executeTakeFirstOrThrow()
      await giveNotice(db, owner, { ...change, isMailed: true })
    },
    async (db, { organizationId, domainId }) => {
      const { proof } = await db.kysely
        .selectFrom('domains')
        .select('proof')
        .where('organization_id', '=', organizationId)
        .where('id', '=', domainId)
        .executeTakeFirstOrThrow()
      const record = { type: 'TXT', name: proofName(hostname), value: proof }
      await applyLook(db, hostname, { look: { found: [record] }, nowMs })
    },
  ],
}

const made = { path: '/backup/a', bytes: 5, counts: { organizations: 1, codes: 2, scans: 3, frames: 4 } }

const copy: Work<CopyClaim> = {
  start: async () => undefined,
  claim: (db, machine) => {
    const task = { doing: 'make', keep: 1 } as const
    return claimCopy(db, {
      machine,
      dir: '/backup',
      ...terms,
      // Due again after it failed, and not after it was made.
      dueTask: ([last]) => (last?.state === 'CHECKED' ? undefined : task),
    })
  },
  renew: (db, claim) => renewCopy(db, claim, terms),
  end: (db, claim) => recordCopyMade(db, claim, { ...made, nowMs }),
  others: [
    (db, claim) =>
      recordCopyFailed(db, claim, { problem: problem('copyCommandFailed', { reason: 'late' }), nowMs }),
    (db, claim) => recordCopyVerified(db, claim, nowMs),
    (db, claim) => releaseCopy(db, claim),
  ],
}

const choreTurn: Work<TakenTurn> = {
  start: async () => undefined,
  claim: (db, machine) => takeTurn(db, { name: 'purge', machine }, { leaseMs: 60_000, leastMs: 30_000 }),
  renew: (db, turn) => keepTurn(db, turn, { leaseMs: 60_000 }),
  end: (db, turn) => endTurn(db, turn, { isDone: true }),
  others: [(db, turn) => endTurn(db, turn, { isDone: false })],
}

const all = {
  job,
  delivery,
  viewMail,
  certificateOrder,
  certificateMail,
  noticeMail,
  copy,
  choreTurn,
} satisfies Record<keyof typeof leases, unknown>

for (const [name, work] of Object.entries<unknown>(all) as [
  keyof typeof leases,
  Work<{ leaseNumber: number }>,
][]) {
  const { table, until } = leases[name]
  const rows = async (db: Database) =>
    (await sql`select * from ${sql.table(table)} order by 1, 2`.execute(db.kysely)).rows
  const moveEnd = (db: Database, ms: number) =>
    sql`update ${sql.table(table)} set ${sql.ref(until)} = ${sql.ref(until)} + ${sql.lit(ms)}`.execute(
      db.kysely,
    )
  const start = async (open: OpenTestDatabase) => {
    const db = await open()
    await work.start(db, (await someOrganization(db)).id)
    const claim = async (machine: string) => {
      const claimed = await work.claim(db, machine)
      assert.ok(claimed)
      return claimed
    }
    const isFree = async () => (await work.claim(db, 'c')) !== undefined
    return { db, claim, isFree }
  }
  /** Whatever a worker writes that does not hold the piece: nothing changes. */
  const writeLate = async (db: Database, claim: { leaseNumber: number }) => {
    const before = await rows(db)
    const { renew, end, others } = work
    for (const write of [...(renew === undefined ? [] : [renew]), end, ...others]) {
      await write(db, claim).catch((error: unknown) => assert.ok(error instanceof LeaseLost))
      assert.deepEqual(await rows(db), before)
    }
  }

  forEachDatabase(`the lease of a ${name}`, (open) => {
    test('one of several workers gets it', async () => {
      const { db, isFree } = await start(open)
      const workers = [db, await open({ same: db }), await open({ same: db }), db]
      const claims = await Promise.all(workers.map((one, i) => work.claim(one, `machine-${i}`)))
      assert.equal(claims.filter((claim) => claim !== undefined).length, 1)
      assert.equal(await isFree(), false)
    })

    test("a dead worker's is taken over, and what it writes late changes nothing", async () => {
      const { db, claim, isFree } = await start(open)
      const dead = await claim('a')
      assert.equal(await isFree(), false)
      await moveEnd(db, -60_001)
      const next = await claim('b')
      await writeLate(db, dead)
      const before = await rows(db)
      await work.end(db, next)
      assert.notDeepEqual(await rows(db), before, 'the next worker ends it')
      assert.equal(await isFree(), false, 'it is done')
    })

    test('it can be kept and ended late, as long as nobody has taken it over', async () => {
      const { db, claim, isFree } = await start(open)
      const slow = await claim('a')
      await moveEnd(db, -120_000)
      if (work.renew !== undefined) {
        await work.renew(db, slow)
        assert.equal(await isFree(), false)
      }
      const before = await rows(db)
      await work.end(db, slow)
      assert.notDeepEqual(await rows(db), before)
      assert.equal(await isFree(), false)
    })

    test('a worker that has ended it writes nothing more', async () => {
      const { db, claim } = await start(open)
      const done = await claim('a')
      await work.end(db, done)
      await writeLate(db, done)
    })

    for (const [number, revoke] of (work.revokes ?? []).entries())
      test(`a change from outside ends it: ${number + 1}`, async () => {
        const { db, claim } = await start(open)
        const held = await claim('a')
        await revoke(db, held)
        await writeLate(db, held)
      })

    test('one from a clock that was ahead blocks nothing', async () => {
      const { db, claim } = await start(open)
      const ahead = await claim('a')
      await moveEnd(db, yearMs)
      await claim('b')
      await writeLate(db, ahead)
    })
  })
}
