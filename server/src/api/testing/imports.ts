import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { ImportJob, ImportRowError } from '@everscan/contract/resources/bulk-imports.ts'
import type { Move } from '@everscan/contract/moves/moves.ts'
import type { LightMyRequestResponse } from 'fastify'
import type { Database } from '../../db/database.ts'
import { silentLog } from '../../db/testing/databases.ts'
import { lineOfVisit } from '../../ingest/visit-lines.ts'
import type { HitStore } from '../../jobs/imports/archive-job.ts'
import { importJobs, type ImportOptions } from '../../jobs/imports/import-job.ts'
import type { LookAt } from '../../jobs/imports/look-at-rows.ts'
import { claimJob } from '../../jobs/queue.ts'
import { type JobKind, type Jobs, startJobs } from '../../jobs/start-jobs.ts'
import { newCodeProblems } from '../../product/validation/new-code-problems.ts'
import { pictureOf } from '@everscan/qr/shapes/encodings.ts'
import { shortUrlOf } from '../../product/records/qr-code-records.ts'
import { publicUrl, type TestApi } from './api.ts'

type Means = { lookAt?: LookAt; hits?: HitStore }

const workers = new EventEmitter<{ stepped: [] }>()
const tell = () => workers.emit('stepped')

/** Starts a worker that imports, as app/worker.ts does. Visits need `hits`. */
export function startImportWorker(
  db: Database,
  { leaseMs, ...means }: Means & { leaseMs?: number } = {},
): Jobs {
  const kinds = Object.fromEntries(
    Object.entries(importKinds(means)).map(([name, kind]) => [name, withSteps(kind)]),
  )
  const options = { db, kinds, log: silentLog, pollMs: 5 }
  return startJobs({ ...options, ...(leaseMs !== undefined && { leaseMs }) })
}

function withSteps(kind: JobKind): JobKind {
  return {
    step: async (db, claim) => kind.step(db, claim).finally(tell),
    giveUp: async (db, claim) => kind.giveUp(db, claim).finally(tell),
  }
}

/** Reads an import after each step of a worker of this process, until it has ended. */
export async function readEnded<Job>(read: () => Promise<Job>, isEnded: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const stepped = once(workers, 'stepped')
    const job = await read()
    if (isEnded(job)) return job
    await stepped
  }
}

/** Does all that imports and moves have to do now, step by step, as a worker does. */
export async function runImports(db: Database, means: Means = {}): Promise<void> {
  for (const [name, { step }] of Object.entries(importKinds(means)))
    for (;;) {
      const claim = await claimJob(db, name, { nowMs: Date.now(), leaseMs: 60_000 })
      if (claim === undefined) break
      await step(db, claim)
    }
}

function importKinds({ lookAt, hits }: Means) {
  const making: ImportOptions = {
    check: (body) => newCodeProblems(body, publicUrl),
    draw: (code) => pictureOf(shortUrlOf(code, publicUrl), {}),
    publicHost: new URL(publicUrl).hostname,
    ...(lookAt !== undefined && { lookAt }),
  }
  const imports = importJobs({ ...making, ...(hits && { visits: { hits, lineOf: lineOfVisit } }) })
  return { import: imports, move: imports }
}

type Upload = {
  /** The file; undefined to send none. */
  file?: string | Buffer | undefined
  fields?: Readonly<Record<string, string>>
  fileName?: string
  mediaType?: string
  headers?: Readonly<Record<string, string>>
  key?: string
  /** Below the path of imports. */
  path?: '' | '/preview'
}

/** Starts an import as a browser or the client does. */
export async function upload(
  { call, orgId, keys }: TestApi,
  {
    file,
    fields = { type: 'URL' },
    fileName = 'codes.csv',
    mediaType = 'text/csv',
    headers,
    key,
    path = '',
  }: Upload,
): Promise<LightMyRequestResponse> {
  const form = await formOf({ file, fields, fileName, mediaType })
  return call('POST', `/organizations/${orgId}/qr-codes/bulk-import${path}`, {
    key: key ?? keys.EDITOR,
    payload: form.payload,
    headers: { ...form.headers, ...headers },
  })
}

/** A form as a browser sends it. */
export async function formOf({
  file,
  fields,
  fileName,
  mediaType,
  visits,
}: Required<Pick<Upload, 'fields' | 'fileName' | 'mediaType'>> &
  Pick<Upload, 'file'> & { visits?: string | undefined }) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file !== undefined)
    form.append('file', new File([new Uint8Array(Buffer.from(file))], fileName, { type: mediaType }))
  if (visits !== undefined) form.append('visits', new File([visits], 'visits.csv', { type: mediaType }))
  const request = new Response(form)
  const contentType = request.headers.get('content-type') ?? ''
  return { payload: Buffer.from(await request.arrayBuffer()), headers: { 'content-type': contentType } }
}

/** The job of an accepted upload, once it has ended. */
export async function ended(api: TestApi, answer: LightMyRequestResponse): Promise<ImportJob> {
  const { id } = answer.json<ImportJob>()
  const job = await readEnded(
    () => readJob(api, id),
    ({ completedAt }) => completedAt !== null,
  )
  requireNamed(job.errors)
  return job
}

/** The move of an accepted file, once it has ended. */
export async function endedMove(api: TestApi, answer: LightMyRequestResponse): Promise<Move> {
  assert.equal(answer.statusCode, 202, answer.body)
  const { id } = answer.json<Move>()
  const path = `/organizations/${api.orgId}/moves/${id}`
  const move = await readEnded(
    async () => (await api.call('GET', path, { key: api.keys.VIEWER })).json<Move>(),
    ({ completedAt }) => completedAt !== null,
  )
  requireNamed(move.errors)
  return move
}

/** Every row says by name what its sentence says, column by column. */
export function requireNamed(errors: readonly ImportRowError[]): void {
  for (const { error, details } of errors) {
    const told = details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    assert.equal(told.join('; '), error.replace(/^The row /, ''))
  }
}

export async function readJob({ call, orgId, keys }: TestApi, id: string): Promise<ImportJob> {
  const answer = await call('GET', `/organizations/${orgId}/qr-codes/bulk-import/${id}`, { key: keys.VIEWER })
  return answer.json<ImportJob>()
}
