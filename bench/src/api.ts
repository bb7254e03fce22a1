import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@everscan/server/db/open-database.ts'
import { startPostgres } from '@everscan/server/db/testing/postgres.ts'
import { createLog } from '@everscan/server/log.ts'
import { startService, type Service } from '@everscan/server/test/support/service.ts'
import { sql } from 'kysely'
import { median, quantile, rounded } from './figures.ts'
import { fillCatalogue, filledQrCodeId, type Filled } from './fill-catalogue.ts'

const smallSize = 1_000
const largeSizes = { quick: 100_000, full: 1_000_000 } as const
/** Concurrent creates and reads. Lists run one after another, because their latency counts. */
const callers = 4

const log = createLog({ level: 'silent', role: 'bench' })

/** A service with an organization of `size` codes. */
type Subject = { service: Service; orgId: string; size: number; filled: Filled }

type Kind = 'create' | 'read' | 'firstPage' | 'filtered' | 'search'
const lists = ['firstPage', 'filtered', 'search'] as const

/** The results of one round: calls per second, and the time of each call. */
type Round = { perSecond: number; latenciesMs: number[] }

/**
 * Measures the API of two services on the same catalogue in turn, one with 1,000 codes and one with
 * 1,000,000 (`--quick`: 100,000): creates and reads of random codes per second with four callers,
 * list pages per second with one. Ratios are the small service's calls per second divided by the
 * large one's; 1 means that size costs nothing.
 */
export async function benchApi({ quick }: { quick: boolean }): Promise<object> {
  const size = quick ? largeSizes.quick : largeSizes.full
  const postgres = await startPostgres()
  try {
    const sqlite = await benchCatalogue('SQLite', { size, quick })
    const postgresql = await benchCatalogue('PostgreSQL', {
      size,
      quick,
      createDatabaseUrl: () => postgres.createDatabase(),
    })
    return { size, sqlite, postgresql }
  } finally {
    await postgres.remove()
  }
}

async function benchCatalogue(
  name: string,
  {
    size,
    quick,
    createDatabaseUrl,
  }: { size: number; quick: boolean; createDatabaseUrl?: () => Promise<string> },
): Promise<object> {
  const subjects: Subject[] = []
  try {
    for (const one of [smallSize, size]) subjects.push(await openSubject(one, await createDatabaseUrl?.()))
    const [small, large] = subjects as [Subject, Subject]
    const rounds = quick ? 3 : 5
    const kinds: Kind[] = ['create', 'read', ...lists]
    const figures: Record<string, object> = {}
    for (const kind of kinds) {
      const pairs: { small: Round; large: Round }[] = []
      for (let round = -1; round < rounds; round++) {
        const seconds = round < 0 ? 0.5 : quick ? 1 : 3
        const pair = {
          small: await measure(small, kind, seconds),
          large: await measure(large, kind, seconds),
        }
        if (round >= 0) pairs.push(pair)
      }
      const latenciesMs = pairs.flatMap((pair) => pair.large.latenciesMs)
      figures[kind] = {
        ratio: rounded(median(pairs.map((pair) => pair.small.perSecond / pair.large.perSecond))),
        smallPerSecond: Math.round(median(pairs.map((pair) => pair.small.perSecond))),
        perSecond: Math.round(median(pairs.map((pair) => pair.large.perSecond))),
        p95Ms: rounded(quantile(latenciesMs, 0.95)),
      }
      console.log(`${name.padEnd(10)} ${kind.padEnd(9)} ${JSON.stringify(figures[kind])}`)
    }
    return figures
  } finally {
    for (const { service } of subjects) await service.remove()
  }
}

async function openSubject(size: number, databaseUrl: string | undefined): Promise<Subject> {
  const service = await startService({
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_MINUTE: '0',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  })
  const [organization] = await service.client().organizations.listMine()
  const orgId = organization?.id ?? ''
  const fromMs = performance.now()
  const db = await openDatabase({ databaseUrl, dataDir: service.dataDir, role: 'writer', log })
  const filled = await fillCatalogue(db, orgId, { to: size })
  // A catalogue that grew to this size over years has statistics too.
  await sql`analyze`.execute(db.kysely)
  await db.close()
  // SQLite blocked this thread, which only now notices connections that the service closed.
  await sleep(1_000)
  console.log(`${size} codes were written in ${Math.round((performance.now() - fromMs) / 1000)} s`)
  return { service, orgId, size, filled }
}

async function measure(subject: Subject, kind: Kind, seconds: number): Promise<Round> {
  const latenciesMs: number[] = []
  const untilMs = performance.now() + seconds * 1000
  let calls = 0
  const run = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      const { path, body } = callOf(subject, kind, calls++)
      const fromMs = performance.now()
      const answer = await fetch(`${subject.service.baseUrl}/api/v1/organizations/${subject.orgId}${path}`, {
        headers: {
          'x-api-key': subject.service.apiKey,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      latenciesMs.push(performance.now() - fromMs)
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    }
  }
  const isList = lists.some((list) => list === kind)
  const fromMs = performance.now()
  await Promise.all(Array.from({ length: isList ? 1 : callers }, run))
  return { perSecond: latenciesMs.length / ((performance.now() - fromMs) / 1000), latenciesMs }
}

function callOf({ size, filled }: Subject, kind: Kind, turn: number): { path: string; body?: object } {
  switch (kind) {
    case 'create':
      return {
        path: '/qr-codes',
        body: {
          type: 'URL',
          name: `Bench ${turn}`,
          data: { url: `https://example.com/${turn}` },
          tags: ['bench'],
        },
      }
    case 'read':
      return { path: `/qr-codes/${filledQrCodeId(Math.floor(Math.random() * size))}` }
    case 'firstPage':
      return {
        path: `/qr-codes?${['', 'sort=updatedAt', 'sort=name&order=asc', 'sort=totalScans'][turn % 4]}`,
      }
    case 'filtered':
      return { path: `/qr-codes?${filters(filled, turn)}` }
    case 'search':
      return { path: `/qr-codes?search=${encodeURIComponent(searches(filled, turn))}` }
    default:
      return kind satisfies never
  }
}

function filters({ folderIds, tags }: Filled, turn: number): string {
  const folder = `folderId=${folderIds[turn % folderIds.length]}`
  const [common = '', ...others] = tags
  const tag = `tag=${others[turn % others.length]}`
  const all = [
    'type=URL',
    'type=WIFI',
    'status=ARCHIVED',
    folder,
    `tag=${common}`,
    tag,
    `${folder}&status=ACTIVE&sort=totalScans`,
    `type=URL&${tag}&sort=name&order=asc`,
  ]
  return all[turn % all.length] ?? ''
}

/** A frequent word, a rare number, two letters, an accented part in capitals, and no match. */
function searches({ words }: Filled, turn: number): string {
  const all = [
    words[turn % words.length],
    String(100_000 + ((turn * 7919) % 900_000)),
    'er',
    'ZÜRI',
    'nothing has this',
  ]
  return all[turn % all.length] ?? ''
}
