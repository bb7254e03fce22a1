import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { problem, type ProblemName } from '@everscan/contract/problems/problem.ts'
import type { Installation } from '@everscan/contract/resources/installation.ts'
import { onSqlite } from '../db/testing/databases.ts'
import { openTestApi } from '../api/testing/api.ts'
import { contextFor, findingOf } from '../doctor/testing/doctor.ts'
import { readinessOf, healthPaths } from '../processes/health.ts'
import type { ProcessReport } from '../processes/messages.ts'
import { createProbe } from '../processes/probe.ts'
import type { Facts, PartKind } from './facts.ts'
import { judgePart, presentProblems } from './parts.ts'
import { problemTable } from './problem-table.ts'

const dayMs = 86_400_000
const nowMs = Date.UTC(2026, 10, 28)

/** Nothing is wrong with a part of these facts. */
const sound: Facts = {
  process: { isReady: true, answers: true, silentMs: 0 },
  nativePackages: { ofApi: undefined, ofEngine: undefined },
  catalogueUpgrade: { told: undefined },
  catalogue: { answers: true },
  scanStore: { answers: true, told: undefined },
  scanStoreUpgrade: { rows: 9, rowsLeft: 0, endsAtMs: undefined, problem: '', nowMs },
  scanParts: { detached: [], broken: [] },
  lostScans: { lost: undefined },
  journal: { isDegraded: false, bytes: 1, bytesMax: 100 },
  disk: { isNearlyFull: false, freeBytes: 5, sizeBytes: 9 },
  scanLimits: { isUnknown: false, open: 0, closed: 0 },
  ingest: { isStarted: true, told: undefined, lateMs: 0, lateBytes: 0, isCountingRestored: false },
  geography: { told: undefined, builtMs: nowMs - dayMs, nowMs },
  certificates: { failing: [] },
  copies: {
    isScheduled: true,
    told: undefined,
    failed: undefined,
    hasCopy: true,
    ageMs: 0,
    everyMs: dayMs,
    unverifiedMs: 0,
    unverifiedMsMax: 2 * dayMs,
    fewer: undefined,
  },
  machines: { told: undefined, silent: undefined },
}

const lastFailed = { last: 'copyCommandFailed', reason: 'no room' }
const differing = { setting: 'SECRET', settings: 'a\nb', machines: 'one\ntwo' }
const lacking = { hits: 3, firstDay: '2026-03-01', lastDay: '2026-03-01', writer: 'w' }
const lacks = { ...lacking, scans: 0, machines: '', damagedBytes: 0 }
const owners = { owner: 'ins_a', installation: 'ins_b' }
const cityFile = { family: 'v4', path: '/v4.mmdb', code: 'ENOENT' }
const part = { table: 'scans', part: 'all_1_1_0', why: 'broken-on-start' }

/** Facts that bring each problem about, by parts of the table, where they are not sound ones. */
const causes: { readonly [Kind in PartKind]: Partial<Record<ProblemName, Partial<Facts[Kind]>>> } = {
  process: {
    processDown: { isReady: false },
    processSilent: { answers: false, silentMs: 7_000 },
    processMute: { answers: false },
  },
  nativePackages: {
    apiCannotRun: { ofApi: { package: 'sharp', needs: 'x86-64-v2', reason: 'SIGILL' } },
    figuresCannotRun: { ofEngine: { package: '@duckdb/node-api', needs: 'x86-64', reason: 'SIGILL' } },
  },
  catalogueUpgrade: {
    catalogueUpgradeBegins: { told: problem('catalogueUpgradeBegins') },
    catalogueCopied: { told: problem('catalogueCopied') },
    catalogueUpgrading: { told: problem('catalogueUpgrading', { done: 1, all: 2, migration: '0002' }) },
    catalogueUpgradedElsewhere: { told: problem('catalogueUpgradedElsewhere') },
  },
  catalogue: { catalogueSilent: { answers: false } },
  scanStore: {
    scanStoreUpgrading: { told: problem('scanStoreUpgrading') },
    scanStoreLater: { told: problem('scanStoreLater', { schema: 9, known: 8 }) },
    scanServerTooOld: { told: problem('scanServerTooOld', { min: '25.3', version: '24.8' }) },
    scanStoreForeign: { told: problem('scanStoreForeign', { ...owners, dir: '/data/scans' }) },
    scanServerForeign: { told: problem('scanServerForeign', owners) },
    scanStoreOther: { told: problem('scanStoreOther') },
    scanStoreEmpty: { told: problem('scanStoreEmpty') },
    scanStoreSecond: { told: problem('scanStoreSecond') },
    scanStoreOld: { told: problem('scanStoreOld') },
    // A refusal that has no name of its own.
    scanStoreRefused: { told: problem('nothingHere') },
    scanStoreSilent: { answers: false },
  },
  scanStoreUpgrade: {
    rewriteStuck: { rowsLeft: 3, problem: 'no space left' },
    rewriteUnderWay: { rowsLeft: 3 },
  },
  scanParts: { scanPartsTroubled: { detached: [part] } },
  lostScans: { hitsLost: { lost: { hits: 3, firstDay: '2026-03-01', lastDay: '2026-03-02' } } },
  journal: {
    scansUnrecorded: { isDegraded: true },
    journalNearlyFull: { bytes: 91 },
    journalFilling: { bytes: 81 },
  },
  disk: { diskNearlyFull: { isNearlyFull: true } },
  scanLimits: { limitsUncounted: { isUnknown: true, open: 3, closed: 1 } },
  ingest: {
    ingestWaits: { isStarted: false },
    ingestStoreSilent: { told: problem('ingestStoreSilent') },
    ingestStoreRefused: { told: problem('ingestStoreRefused', { code: 'FILE_DOESNT_EXIST' }) },
    ingestFileFailed: { told: problem('ingestFileFailed', { code: 'EIO' }) },
    ingestCatalogueSilent: { told: problem('ingestCatalogueSilent') },
    ingestFailing: { told: problem('ingestFailing') },
    journalForeign: { told: problem('journalForeign', { dir: '/journal/front-1', owner: 'ins_a' }) },
    ingestLate: { lateMs: 61_000, lateBytes: 5 },
    restoredUncounted: { isCountingRestored: true },
  },
  geography: {
    geographyUnreadable: { told: problem('geographyUnreadable', cityFile) },
    geographyKept: { told: problem('geographyKept', cityFile) },
    geographyOld: { builtMs: nowMs - 61 * dayMs },
  },
  certificates: {
    certificatesFailing: {
      failing: [{ hostname: 'go.example.com', expiresAtMs: nowMs, found: problem('authorityBusy') }],
    },
  },
  copies: {
    copiesNotScheduled: { isScheduled: false },
    backupDirMissing: { told: problem('backupDirMissing', { dir: '/b' }) },
    backupDirNoFolder: { told: problem('backupDirNoFolder', { dir: '/b' }) },
    backupDirUnwritable: { told: problem('backupDirUnwritable', { dir: '/b' }) },
    passphraseFileUnreadable: { told: problem('passphraseFileUnreadable', { path: '/p' }) },
    copyNotMade: { failed: problem('copyNotMade', lastFailed) },
    copyNotVerified: { failed: problem('copyNotVerified', { ...lastFailed, copy: '/b/1.copy' }) },
    copyAbandoned: { failed: problem('copyAbandoned', { machine: 'one' }) },
    copyCommandFailed: { failed: problem('copyCommandFailed', { reason: 'no room' }) },
    copyLacksScans: { failed: problem('copyLacksScans', lacks) },
    copyFailed: { failed: problem('copyFailed') },
    copyMissing: { hasCopy: false, ageMs: 3 * dayMs },
    copyOld: { ageMs: 3 * dayMs },
    copyUnverified: { unverifiedMs: 3 * dayMs },
    copyHasFewer: { fewer: { hits: 3, before: 'everscan-1.copy' } },
  },
  machines: {
    settingDiffers: { told: problem('settingDiffers', differing) },
    secretDiffers: { told: problem('secretDiffers', differing) },
    machineSilent: { silent: { name: 'web-2:/data', seenAtMs: nowMs } },
  },
}

const kinds = Object.keys(problemTable) as PartKind[]
const docs = join(import.meta.dirname, '..', '..', '..', 'docs')

const reportsOf = (found: ReturnType<typeof judgePart>): ProcessReport[] => [
  { process: 'worker-0', report: { parts: [found], metrics: [] } },
]

/** Reads `/metrics` of a service with these reports. */
async function metricsOf(reports: ProcessReport[]): Promise<string> {
  const paths = healthPaths({
    child: { allReports: async () => ({ reports, started: true }), isStarted: () => true },
    ownReport: async () => reports[0] ?? assert.fail(),
    access: { token: undefined, requireToken: false },
    probe: createProbe('s'.repeat(32)),
  })
  let text = ''
  const request = { headers: {}, socket: { remoteAddress: '127.0.0.1' } }
  const response = { writeHead: () => undefined, end: (body: Buffer) => (text = String(body)) }
  await paths['/metrics']?.(request as never, response as never)
  return text
}

test('nothing is wrong with sound facts', () => {
  for (const kind of kinds) assert.deepEqual(judgePart(kind, sound[kind]), { name: kind, ok: true })
})

test('the table has each cause and no other, and each has a metric and a place in the documents', () => {
  const listed = new Set(
    Array.from(
      readFileSync(join(docs, 'operations.md'), 'utf8').matchAll(/`everscan_(\w+)`/g),
      ([, name]) => name,
    ),
  )
  for (const kind of kinds) {
    const names = problemTable[kind].map(({ name }) => name)
    assert.deepEqual(names.toSorted(), Object.keys(causes[kind]).toSorted(), kind)
    for (const { name, metric, docs: place } of problemTable[kind]) {
      assert.ok(listed.has(metric), `${name}: ${metric} stands in docs/operations.md`)
      const [page = '', anchor = ''] = place.split('#')
      assert.ok(existsSync(join(docs, page)), `${name}: ${page}`)
      const headings = readFileSync(join(docs, page), 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('#'))
      const anchors = headings.map((line) => line.replace(/^#+ /, '').toLowerCase().replaceAll(' ', '-'))
      assert.ok(anchors.includes(anchor), `${name}: ${place}`)
    }
  }
})

onSqlite('every reader', (open) => {
  for (const kind of kinds)
    test(`tells every problem of the part ${kind}, by the same name`, async () => {
      let reports: ProcessReport[] = []
      const readProblems = async () => presentProblems(readinessOf(reports, true).parts)
      const api = await openTestApi(await open(), { readProblems })
      for (const { name, severity } of problemTable[kind]) {
        const judged = judgePart(kind, { ...sound[kind], ...causes[kind][name] })
        reports = reportsOf(judged)

        const readiness = readinessOf(reports, true)
        const { ok, detail = '', problem: told, values } = readiness.parts[kind] ?? assert.fail()
        assert.deepEqual([told, ok], [name, severity === 'notice'], '/readyz')
        assert.equal(readiness.status, ok ? 'ready' : 'degraded')

        const sample = `everscan_problem{name="${name}",part="${kind}",severity="${severity}"} 1`
        assert.ok((await metricsOf(reports)).split('\n').includes(sample), sample)

        const path = `/organizations/${api.orgId}/installation`
        const answer = await api.call('GET', path, { key: api.keys.ADMIN })
        const onPage = { part: kind, severity, problem: name, values, message: detail }
        assert.deepEqual(answer.json<Installation>().problems, [onPage])

        const context = contextFor({}, { readiness: async () => readiness })
        const finding = await findingOf('service.parts', context)
        assert.deepEqual(finding.problems, [{ problem: name, values }], 'doctor')
        assert.ok(finding.says.includes(detail), finding.says)
      }
    })
})
