import { setTimeout as sleep } from 'node:timers/promises'
import { createAccountTools } from '../product/accounts/account-tools.ts'
import { failuresFlushMs } from '../product/accounts/failure-log.ts'
import { createApi } from '../api/create-api.ts'
import { eventRecord } from '../product/records/event-records.ts'
import { createViewTools } from '../product/views/view-tools.ts'
import { StyleQueue } from '../product/styles/style-queue.ts'
import { StyleThread } from '../product/styles/style-thread.ts'
import { LimitSharing } from '../limits/shared/limit-sharing.ts'
import { sharedLimiters } from '../limits/shared/shared-limiters.ts'
import { EventStreamHub } from '../product/events/event-stream-hub.ts'
import type { Mailer } from '../product/mails/mailer.ts'
import { createDomainLook } from '../product/domains/domain-look.ts'
import { createRuleTools } from '../product/codes/create-rule-tools.ts'
import { openStore } from '../product/installation/open-store.ts'
import { ownTurns } from '../turns/own-turns.ts'
import { turnFigures } from '../turns/turn-figures.ts'
import type { Config } from '../settings/settings.ts'
import { isShared, type Database } from '../db/database.ts'
import { databaseReady } from '../db/database-ready.ts'
import { openDatabase } from '../db/open-database.ts'
import { Replica } from '../db/replica.ts'
import type { Log } from '../log.ts'
import { joinMain } from '../processes/child.ts'
import { giveBackIdleMemory } from '../processes/memory/idle-memory.ts'
import { createMetrics, type OwnMetrics } from '../processes/metrics.ts'
import { closeServer, listenOnSocket, socketPath } from '../processes/listening.ts'
import { judgePart, presentProblems, type Part, type PresentProblem } from '../problems/parts.ts'
import { collectReports, readinessOf } from '../processes/health.ts'
import type { ScanStore } from '../analytics/scan-store.ts'
import type { Report } from '../processes/messages.ts'
import { readIdentity } from '../processes/identity-file.ts'
import { createSecretBox, derivedKey } from '../secret-box.ts'

const partMs = 1_000

/** Runs `api`: the REST API and the dashboard, on a socket to which `front` forwards requests. */
export async function runApi(config: Config, index: number, log: Log): Promise<void> {
  const { dataDir, databaseUrl, databaseConnections: connectionsMax } = config
  const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', connectionsMax, log })
  const store = openStore(config)
  const { databaseReplicaUrl: url } = config
  const replica = url === undefined ? undefined : new Replica({ url, primary: db, log })
  const metrics = createMetrics(`api-${index}`)
  const { secret = '', signUp } = config
  const sharing = openSharing(config, { db, index, log })
  const limiters = sharing && sharedLimiters(sharing)
  const accounts = createAccountTools({ secret, signUp, mailer: await openMailer(config, log), limiters })
  const streams = new EventStreamHub({
    db,
    recordOf: (event, place) => eventRecord(event, place, config.publicUrl),
    log,
    limiters,
  })
  const box = createSecretBox(secret, 'webhook secrets')
  const views = createViewTools(secret, limiters)
  const observe = metrics.requestDurations()
  const styleThread = new StyleThread(log)
  const styleWorkers = new StyleQueue(styleThread.run)
  const rules = createRuleTools(config, log)
  const lookAtDns = createDomainLook(config)
  const tools = { accounts, box, streams, views, rules, lookAtDns, styleWorkers }
  const report = async (): Promise<Report> => ({
    parts: await readParts(db, store),
    metrics: await metrics.collect(),
  })
  const ownReport = async () => ({ process: `api-${index}`, report: await report() })
  const readProblems = () => readPresentProblems({ child, ownReport })
  const api = createApi({ db, replica, store, config, ...tools, limiters, log, observe, readProblems })
  metrics.figures({
    event_readers: ['Open event streams', () => streams.stats().readers],
  })
  metrics.labelled(turnFigures([...Object.values(ownTurns), styleWorkers.turns]))
  addReplicaMetrics(metrics, () => replica?.stats() ?? { replica: 0, primary: 0 })
  const flush = setInterval(() => void accounts.failures.flush(db), failuresFlushMs)
  const child = joinMain('api', log, {
    report,
    stop: async () => {
      streams.close()
      await closeServer(api.server)
      await api.close()
      clearInterval(flush)
      await accounts.failures.flush(db)
      await sharing?.stop().catch((error: unknown) => log.debug({ err: error }, 'leaving the limits'))
      await styleThread.close()
      await store.close()
      await replica?.close()
      await db.close()
    },
  })
  // Not awaited: a catalogue that does not answer must not hold up the start.
  void sharing?.start()
  await api.ready()
  await listenOnSocket(api.server, socketPath(dataDir, `api-${index}`))
  child.ready()
  giveBackIdleMemory()
}

/**
 * Returns how this process counts limits with others, if there are any: those of other machines, or
 * those of API_PROCESSES.
 */
function openSharing(
  { dataDir, apiProcesses, secret = '' }: Config,
  { db, index, log }: { db: Database; index: number; log: Log },
): LimitSharing | undefined {
  if (!isShared(db) && apiProcesses === 1) return undefined
  const machine = readIdentity(dataDir)?.machine ?? ''
  return new LimitSharing({ db, name: `${machine} api-${index}`, key: derivedKey(secret, 'limits'), log })
}

function addReplicaMetrics(metrics: OwnMetrics, stats: Replica['stats']): void {
  metrics.labelled({
    replica_reads_total: [
      'Lists and analytics with DATABASE_REPLICA_URL, by the server that was read',
      () => Object.entries(stats()).map(([server, count]) => [{ server }, count]),
    ],
  })
}

async function openMailer({ smtpUrl, mailFrom: from }: Config, log: Log): Promise<Mailer | undefined> {
  return smtpUrl === undefined
    ? undefined
    : (await import('../product/mails/mailer.ts')).createMailer({ smtpUrl, from, log })
}

/** Returns the stores, down unless they answer in time: the report must not be late. */
async function readParts(db: Database, store: Pick<ScanStore, 'ping'>): Promise<Part[]> {
  const [ofCatalogue, ofStore] = await Promise.all([inTime(databaseReady(db)), inTime(store.ping())])
  return [
    judgePart('catalogue', { answers: ofCatalogue }),
    judgePart('scanStore', { answers: ofStore, told: undefined }),
  ]
}

function inTime(answer: Promise<boolean>): Promise<boolean> {
  return Promise.race([answer, sleep(partMs, false, { ref: false })])
}

/** Returns what is wrong with this machine, as a front tells it in `/readyz`. */
async function readPresentProblems(sources: Parameters<typeof collectReports>[0]): Promise<PresentProblem[]> {
  const { reports, started } = await collectReports(sources)
  return presentProblems(readinessOf(reports, started).parts)
}
