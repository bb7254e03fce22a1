import {
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

// Data directories as earlier releases left them, with the state that each release reported:
// server/testdata/data-VERSION.br and .json, and copies of them as data-VERSION.copy.
// scripts/data-fixture.ts creates them.

export const fixturesDir = join(import.meta.dirname, '..', '..', 'testdata')

/** The figures are read for these days, in which the scans were made. */
export type Fixture = {
  version: string
  startDate: string
  endDate: string
  secret: string
  organizations: readonly { id: string; apiKey: string }[]
  /** Short codes that redirect or are deleted, with their expected responses. */
  shortCodes: readonly string[]
  /**
   * Scans by people over all codes, and how many of them were not ingested when the service was
   * killed.
   */
  totalScans: number
  waitingScans: number
  state: DataState
}

/** The state of all records, as the API returns it. */
export type DataState = {
  organizations: unknown[]
  answers: Record<string, [status: number, location: string]>
}

/** Versions of the existing fixtures. */
export function fixtureNames(): string[] {
  return globSync('data-*.json', { cwd: fixturesDir }).map((name) => basename(name, '.json'))
}

export function readFixture(name: string): Fixture {
  return JSON.parse(readFileSync(join(fixturesDir, `${name}.json`), 'utf8')) as Fixture
}

type Entry = { path: string; bytes?: number; link?: string }

/**
 * Packs every file and link of a directory into one file: a JSON line that lists them, then their
 * bytes, compressed.
 */
export function packDirectory(dir: string, file: string): void {
  const entries: Entry[] = []
  const contents: Buffer[] = []
  for (const path of globSync('**', { cwd: dir }).sort()) {
    const stats = lstatSync(join(dir, path))
    if (stats.isSymbolicLink()) entries.push({ path, link: readlinkSync(join(dir, path)) })
    if (!stats.isFile()) continue
    const content = readFileSync(join(dir, path))
    entries.push({ path, bytes: content.length })
    contents.push(content)
  }
  const packed = Buffer.concat([Buffer.from(`${JSON.stringify(entries)}\n`), ...contents])
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: packed.length,
  }
  writeFileSync(file, brotliCompressSync(packed, { params }))
}

export function unpackDirectory(name: string, dir: string): void {
  const unpacked = brotliDecompressSync(readFileSync(join(fixturesDir, `${name}.br`)))
  const lineEnd = unpacked.indexOf('\n')
  let offset = lineEnd + 1
  for (const { path, bytes = 0, link } of JSON.parse(unpacked.toString('utf8', 0, lineEnd)) as Entry[]) {
    const target = join(dir, path)
    mkdirSync(dirname(target), { recursive: true })
    if (link !== undefined) symlinkSync(link, target)
    else writeFileSync(target, unpacked.subarray(offset, offset + bytes), { mode: 0o600 })
    offset += bytes
  }
}

/** Reads the state of a started service through its API, which every release has. */
export async function readState(
  baseUrl: string,
  { organizations, shortCodes, startDate, endDate }: Omit<Fixture, 'state' | 'totalScans' | 'waitingScans'>,
): Promise<DataState> {
  const states: unknown[] = []
  for (const { id, apiKey } of organizations) {
    const read = async (path: string): Promise<unknown> => {
      const answer = await fetch(`${baseUrl}/api/v1/organizations/${id}${path}`, {
        headers: { 'x-api-key': apiKey },
      })
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return answer.json()
    }
    const period = `startDate=${startDate}&endDate=${endDate}`
    const { data } = (await read('/qr-codes?limit=100&sort=createdAt&order=asc')) as {
      data: { id: string }[]
    }
    const codes: unknown[] = []
    for (const code of data)
      codes.push({
        code,
        analytics: await read(`/qr-codes/${code.id}/analytics?${period}`),
        history: await read(`/qr-codes/${code.id}/history`),
      })
    states.push({
      codes,
      analytics: await read(`/qr-codes/analytics?${period}`),
      folders: await read('/folders'),
      tags: await read('/tags'),
      webhooks: withoutDeliveries(await read('/webhooks')),
      auditLog: ((await read('/audit-log?limit=1')) as { pagination: { total: number } }).pagination.total,
    })
  }
  const answers: DataState['answers'] = {}
  for (const shortCode of shortCodes) {
    // HEAD is not a scan.
    const answer = await fetch(`${baseUrl}/${shortCode}`, { method: 'HEAD', redirect: 'manual' })
    answers[shortCode] = [answer.status, answer.headers.get('location') ?? '']
  }
  return { organizations: states, answers }
}

/** Without deliveries, because the worker continues them meanwhile. */
function withoutDeliveries(page: unknown): unknown {
  const { data } = page as { data: Record<string, unknown>[] }
  return data.map(({ id, url, events, description, createdAt }) => ({
    id,
    url,
    events,
    description,
    createdAt,
  }))
}

/** Scans by people over all codes, as their records count them. */
export function scansIn(state: DataState): number {
  const organizations = state.organizations as { codes: { code: { totalScans: number } }[] }[]
  const counts = organizations.flatMap(({ codes }) => codes.map(({ code }) => code.totalScans))
  return counts.reduce((sum, count) => sum + count, 0)
}
