import {
  documentedOperations,
  requestOf,
  withValue,
  type Operation,
  type Place,
} from '../../src/api/testing/operations.ts'
import type { Service } from '../support/service.ts'
import { fromPage, send, type Answer, type Stranger } from './callers.ts'
import { foreignFiles } from './foreign-files.ts'
import type { Victim } from './victim.ts'

/** Calls by the first digit of their answer, and those that a limit refused. */
export type Calls = { 2: number; 4: number; 5: number; limited: number; failures: string[] }

type Attack = { service: Service; stranger: Stranger; own: readonly string[]; victim: Victim }

/**
 * Sends every operation of the OpenAPI document as a stranger who is ADMIN of an organization: with
 * each id of the victim in each place of an id, with each of its words in each place of a text, and
 * every file. New operations need no entry here; one that takes a file needs one in
 * `foreign-files.ts`.
 */
export async function openEveryDoor(attack: Attack): Promise<Calls> {
  const calls: Calls = { 2: 0, 4: 0, 5: 0, limited: 0, failures: [] }
  const caller = new Caller(attack, calls)
  // Operations that delete come last: they would take away what the others need.
  const operations = documentedOperations().toSorted(
    (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
  )
  for (const operation of operations)
    for (const { path, payload } of requestsOf(operation, attack))
      await caller.call(operation, { path, payload })
  for (const { operationId, path, form, bySession } of await foreignFiles(attack.victim, attack.stranger)) {
    const operation = operations.find(({ id }) => id === operationId)
    if (operation === undefined) throw new Error(`there is no operation ${operationId}`)
    const request = new Response(form)
    const payload = Buffer.from(await request.arrayBuffer())
    const type = request.headers.get('content-type') ?? ''
    await caller.call(bySession ? { ...operation, role: 'session' } : operation, { path, payload, type })
  }
  return calls
}

/** Operations that mail an address because somebody asks for it, who need not be its owner. */
const mailsOnRequest = new Set(['requestPasswordReset', 'signUp', 'createInvitation'])

type Sent = { path: string; payload?: object | Buffer | undefined; type?: string }

class Caller {
  readonly #attack: Attack
  readonly #calls: Calls
  #cookie: string | undefined
  #networks = 0

  constructor(attack: Attack, calls: Calls) {
    this.#attack = attack
    this.#calls = calls
  }

  async call(operation: Operation, { path, payload, type }: Sent): Promise<void> {
    const headers = {
      ...(await this.#credentials(operation)),
      ...(type === undefined ? {} : { 'content-type': type }),
      // Every network has limits of its own.
      'x-forwarded-for': `198.18.${this.#networks >> 8}.${this.#networks++ & 255}`,
    }
    this.#networks &= 65_535
    const request = { headers, ...(payload === undefined ? {} : { payload }) }
    const answer = await send(this.#attack.service, operation.method, `/api/v1${path}`, request)
    this.#count(operation, answer)
  }

  /** A key where keys may call, so that nothing is refused for being one; else a session. */
  async #credentials({ role }: Operation): Promise<Record<string, string>> {
    if (role !== 'session') return { 'x-api-key': this.#attack.stranger.key }
    this.#cookie ??= await this.#attack.stranger.signIn()
    return { cookie: this.#cookie, ...fromPage }
  }

  #count({ id, role }: Operation, { status, body }: Answer): void {
    if (status === 401 && role === 'session') this.#cookie = undefined
    if (status === 429) this.#calls.limited++
    else if (status < 300) this.#calls[2]++
    else if (status < 500) this.#calls[4]++
    else {
      this.#calls[5]++
      this.#calls.failures.push(`${id} ${status} ${body.toString().slice(0, 300)}`)
    }
  }
}

function* requestsOf(operation: Operation, { stranger, own, victim }: Attack): Generator<Sent> {
  const inPath = operation.idPlaces.filter((place) => place.in === 'path')
  const withIds = (path: readonly string[], values: { place: Place; value: string }[] = []) =>
    requestOf(operation, stranger.orgId, [
      ...inPath.map((place, at) => ({ place, value: path[at] ?? '' })),
      ...values,
    ])
  for (const place of operation.idPlaces)
    for (const value of victim.ids)
      yield withIds(
        inPath.map(() => value),
        [{ place, value }],
      )
  // Words go to things of the stranger, since those of others are refused before anything is read.
  const paths =
    inPath.length === 0 || operation.method === 'DELETE' ? [[]] : own.map((id) => inPath.map(() => id))
  for (const place of textPlaces(operation))
    for (const value of victim.words.filter(
      (word) => word !== victim.email || !mailsOnRequest.has(operation.id),
    ))
      for (const path of paths)
        yield place.in === 'body'
          ? { ...withIds(path), payload: withValue(operation.body, place.path, value) as object }
          : withIds(path, [{ place, value }])
  for (const path of paths) yield withIds(path)
}

/** Every place of a request that holds a text which is no id. */
function textPlaces({ body, parameters, idPlaces }: Operation): Place[] {
  const ids = new Set(idPlaces.map(({ name, path }) => JSON.stringify([name, path])))
  const inQuery = parameters
    .filter(
      ({ in: place, schema }) =>
        place === 'query' && schema['type'] === 'string' && schema['enum'] === undefined,
    )
    .map(({ name }): Place => ({ in: 'query', name, path: [] }))
  return [...inQuery, ...textsIn(body, [])].filter(({ name, path }) => !ids.has(JSON.stringify([name, path])))
}

function textsIn(value: unknown, path: readonly (string | number)[]): Place[] {
  if (typeof value === 'string') return [{ in: 'body', name: String(path.at(-1)), path }]
  if (Array.isArray(value)) return textsIn(value[0], [...path, 0])
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]))
}
