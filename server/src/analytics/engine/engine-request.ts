import type { RawInsertFormat, RawInsertParams } from 'chdb'
import { readMultipart, readParam, type ParamValue } from './engine-params.ts'

/** What one HTTP request asks of the engine, in the engine's own terms. */
export type EngineRequest = {
  sql: string
  /** Set when the data came apart from its statement; handed to the engine in place of `sql`. */
  insert: RawInsertParams | NativeInsert | undefined
  params: Record<string, ParamValue>
  settings: ReadonlyMap<string, string>
  /** A setting of ClickHouse's: those with less go first. */
  priority: number
  database: string
  queryId: string | undefined
  /** The format of the answer when the statement names none. */
  format: string
}

/** Columns in the Native format, which the engine takes from a file only. */
export type NativeInsert = { format: 'Native'; table: string; columns: readonly string[]; values: Buffer }

/** Of ClickHouse's HTTP server, not of its engine: the answer is the same without them. */
const httpOnlySettings = new Set([
  'wait_end_of_query',
  'send_progress_in_http_headers',
  'http_response_buffer_size',
  'http_headers_progress_interval_ms',
  'http_write_exception_in_output_format',
  'buffer_size',
  'enable_http_compression',
  'output_format_json_quote_64bit_integers_legacy',
])

/** Names of the query string that are neither settings nor parameters. */
const reserved = new Set([
  'query',
  'database',
  'query_id',
  'default_format',
  'session_id',
  'user',
  'password',
  'role',
])

/** Text formats that the engine takes as bytes apart from the statement. */
const byteFormats: Record<string, RawInsertFormat> = {
  tabseparated: 'TabSeparated',
  tsv: 'TabSeparated',
  tabseparatedwithnames: 'TabSeparatedWithNames',
  tsvwithnames: 'TabSeparatedWithNames',
  csv: 'CSV',
  csvwithnames: 'CSVWithNames',
  jsoneachrow: 'JSONEachRow',
  jsoncompacteachrow: 'JSONCompactEachRow',
}

/** Reads a request as ClickHouse's HTTP interface defines it: the statement in `?query=`, in the body, or in both. */
export function readEngineRequest(url: URL, contentType: string | undefined, body: Buffer): EngineRequest {
  const form = readMultipart(contentType, body)
  const fields = new Map([...url.searchParams, ...(form ?? [])])
  const statement = fields.get('query') ?? ''
  const data = form === undefined ? body : Buffer.alloc(0)
  const insert = statement === '' || data.length === 0 ? undefined : readInsert(statement, data)
  const sql = insert === undefined ? [statement, data.toString()].filter(Boolean).join('\n') : statement

  const settings = new Map<string, string>()
  const params: Record<string, ParamValue> = {}
  for (const [name, value] of fields)
    if (name.startsWith('param_')) params[name.slice(6)] = readParam(sql, name.slice(6), value)
    else if (!reserved.has(name) && !httpOnlySettings.has(name)) settings.set(name, value)
  const priority = Number(settings.get('priority') ?? 0)
  // The lane goes by it, not the engine, which has one query at a time: else it would be told of each that changes it.
  settings.delete('priority')
  return {
    sql,
    insert,
    params,
    settings,
    priority,
    database: fields.get('database') ?? 'default',
    queryId: fields.get('query_id'),
    format: fields.get('default_format') ?? 'TabSeparated',
  }
}

/** `insert into table (columns) format Name` with data beside it; anything else goes to the engine as one text. */
function readInsert(statement: string, values: Buffer): RawInsertParams | NativeInsert | undefined {
  const match =
    /^\s*(?:\/\*.*?\*\/\s*)*insert\s+into\s+([\w.`]+)\s*(?:\(([\w\s,`]*)\))?\s+format\s+(\w+)\s*$/is.exec(
      statement,
    )
  if (match?.[1] === undefined) return undefined
  const table = match[1].replaceAll('`', '')
  const columns = match[2]?.split(',').map((name) => name.replaceAll('`', '').trim())
  const name = match[3]?.toLowerCase() ?? ''
  if (name === 'native' && columns !== undefined) return { format: 'Native', table, columns, values }
  const format = byteFormats[name]
  return format && { table, values, format, ...(columns && { columns }) }
}
