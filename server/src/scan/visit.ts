import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Host } from './hosts/hosts.ts'
import type { IdentifiedVisitor } from './visitors/identified-visitor.ts'

/** The requested resource of a code: its short URL, or the contact that it contains as a file. */
export type Asked = 'scan' | 'contact'

/** A request for a short URL, its response, when it began, and its visitor once known. */
export type Visit = {
  request: IncomingMessage
  response: ServerResponse
  fromMs: number
  asked: Asked
  /** Undefined below PUBLIC_URL. */
  host: Host | undefined
  identified: IdentifiedVisitor | undefined
}
