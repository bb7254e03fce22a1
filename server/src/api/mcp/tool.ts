import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { TObject } from 'typebox'
import type { Endpoint } from '@everscan/contract/endpoints/endpoint.ts'

/** A tool: what a program with a language model can ask the service to do, in one call. */
export type Tool = {
  name: string
  title: string
  description: string
  /** Its role and scope are those of the tool. */
  endpoint: Endpoint
  /** The fields that the tool takes, besides `dryRun`. */
  input: TObject
  /** Absent if the result is a picture. */
  output?: object
  /** Absent if the tool only reads. Such a tool has `dryRun`. */
  changes?: {
    /** Whether it can replace what was there, so that a program should ask a person first. */
    replaces: boolean
    /** Whether the same call again changes nothing more. */
    repeatable: boolean
    /** Whether the endpoint itself knows dry runs; otherwise its transaction is rolled back. */
    ownDryRun?: true
  }
  run: (call: ToolCall, input: Input) => Promise<ToolResult>
}

/** Matches the schema of the tool. */
export type Input = Readonly<Record<string, unknown>>

export type ToolCall = {
  dryRun: boolean
  /** Sends a request to the API. Throws the ApiError that the API answered with. */
  send: (endpoint: Endpoint, parts?: RequestParts) => Promise<Sent>
}

export type RequestParts = {
  params?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  form?: FormData
  /** For requests that create something: a repeat with the same key gets the first answer. */
  idempotencyKey?: unknown
}

/** A successful response of the API. */
export type Sent = { body: Buffer; json: () => Record<string, unknown> }

export type ToolResult = { content: CallToolResult['content'] } | { data: Record<string, unknown> }
