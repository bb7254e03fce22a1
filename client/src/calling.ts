import { readJson, type Answer, type CallOptions, type Send, type SendStreamed } from './send.ts'

/** The service that a client calls. */
export type Service = { send: Send; sendStreamed: SendStreamed }

/**
 * With `ifMatch: etagOf(code)` the service makes the change only if the record hasn't changed since
 * it was read.
 */
export type ChangeOptions = CallOptions & { ifMatch?: string | undefined }

/** With an `idempotencyKey` the service creates once, even if the call comes again within 24 h. */
export type CreateOptions = CallOptions & { idempotencyKey?: string | undefined }

/** With a key, retries are safe. */
export function once(options: CreateOptions | undefined) {
  const key = options?.idempotencyKey
  return { headers: { 'idempotency-key': key }, idempotent: key !== undefined }
}

/** A conditional change fails if it is sent twice, so it is not idempotent. */
export function unlessChanged(options: ChangeOptions | undefined) {
  return { headers: { 'if-match': options?.ifMatch }, idempotent: options?.ifMatch === undefined }
}

const etags = new WeakMap<object, string>()

/** Returns the version of a record for `ifMatch`. Undefined for a record from a list. */
export function etagOf(record: object): string | undefined {
  return etags.get(record)
}

/** Returns the JSON of a response, and keeps its version. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- the caller names the type
export function readRecord<T extends object>(answer: Answer): T {
  const record = readJson<T>(answer)
  const etag = answer.headers.get('etag')
  if (etag !== null) etags.set(record, etag)
  return record
}

export function readText({ bytes }: Answer): string {
  return new TextDecoder().decode(bytes)
}

/** Returns a form with the fields that are not undefined: lists and objects as JSON. */
export function formOf(fields: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined)
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  return form
}

/** Returns an object without the fields that are undefined. */
export function given<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/** Makes the methods of an area. */
type Make = (service: Service) => object

/** Makes those methods of an area that are written by hand. */
type MakeOwn<Generated extends Make> = (calls: ReturnType<Generated>, service: Service) => object

/** The generated methods of an area; its own are added, or replace them. */
export type Composed<Generated extends Make, Own extends MakeOwn<Generated>> = Omit<
  ReturnType<Generated>,
  keyof ReturnType<Own>
> &
  ReturnType<Own>

export function composed<Generated extends Make, Own extends MakeOwn<Generated>>(
  generated: Generated,
  own: Own,
): (service: Service) => Composed<Generated, Own> {
  return (service) => {
    const calls = generated(service) as ReturnType<Generated>
    return { ...calls, ...own(calls, service) } as Composed<Generated, Own>
  }
}
