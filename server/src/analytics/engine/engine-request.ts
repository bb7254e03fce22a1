import type { RawInsertFormat, RawInsertParams } from 'chdb'
import { readMultipart, readParam, type ParamValue } from './engine-params.ts'

/** An HTTP request in the terms of the engine. */
export type EngineRequest = {
  sql: string
  /** Set if the data came separately from the statement. The engine gets it in place of `sql`. */
  insert: RawInsertParams | NativeInsert | undefined
  params: Record<string, ParamValue>
  settings: ReadonlyMap<string, string>
  /** The ClickHouse setting `priority`: requests with lower values run first. */
  priority: number
  database: string
  queryId: string | undefined
  /** The format of the response if the statement names none. */
  format: string
}

/** Columns in the Native format, which the engine accepts only from a file. */
export type NativeInsert = { format: 'Native'; table: string; columns: readonly string[]; values: Buffer }

/** Settings of ClickHouse's HTTP server, not of its engine. The result is the same without them. */
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

/** Names in the query string that are neither settings nor parameters. */
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

/** Text formats whose bytes the engine accepts separately from the statement. */
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

/**
 * Reads a request to ClickHouse's HTTP interface, with the statement in `?query=`, in the body, or
 * in both of them.
 */
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
  // The lane applies the priority. The engine runs one query per lane at a time and does not need
  // the setting, and each change of it would cost a statement.
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

/**
 * Reads `insert into table (columns) format Name` with separate data. Returns undefined for
 * anything else, which goes to the engine as one text.
 */
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
