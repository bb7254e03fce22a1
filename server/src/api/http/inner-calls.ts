import type { IncomingMessage } from 'node:http'
import type { Database } from '../../db/database.ts'
import type { Caller } from '../../catalogue/organizations/callers.ts'

/** A request that the service sends to its own API for a caller that the gate has admitted. */
export type InnerCall = {
  caller: Caller
  /** The catalogue as the endpoint uses it. */
  db: Database
}

/** The keys are the request objects themselves, so no request from outside can forge an entry. */
const calls = new WeakMap<IncomingMessage, InnerCall>()

export function noteInnerCall(raw: IncomingMessage, call: InnerCall): void {
  calls.set(raw, call)
}

/** Returns the call that a request belongs to. Undefined for every request from outside. */
export function innerCallOf({ raw }: { raw: IncomingMessage }): InnerCall | undefined {
  return calls.get(raw)
}
