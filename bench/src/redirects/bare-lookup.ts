// The baseline of `redirect --cold`: Node's own HTTP server. It reads a code's row by its index
// with a prepared statement and the same driver, and sends a 302 to the link in it. It caches and
// records nothing.
import { createServer, type ServerResponse } from 'node:http'
import { keepTick } from '@everscan/server/scan/internals/kept-tick.ts'
import Sqlite from 'better-sqlite3'
import { Pool } from 'pg'

const [source = ''] = process.argv.slice(2)
const read = source.startsWith('postgres') ? postgresReader(source) : sqliteReader(source)

function sqliteReader(file: string): (code: string) => string {
  const db = new Sqlite(file, { readonly: true })
  const statement = db.prepare<[string], string>('select data from qr_codes where canonical_code = ?').pluck()
  return (code) => statement.get(code) ?? '{}'
}

function postgresReader(url: string): (code: string) => Promise<string> {
  // The same number of connections as a front.
  const pool = new Pool({ connectionString: url, max: 4 })
  const text = 'select data from qr_codes where canonical_code = $1'
  return async (code) => {
    const { rows } = await pool.query<{ data: string }>({ name: 'bare', text, values: [code] })
    return rows[0]?.data ?? '{}'
  }
}

function send(response: ServerResponse, data: string): void {
  const { url } = JSON.parse(data) as { url: string }
  response.writeHead(302, { Location: url, 'Cache-Control': 'private, no-store', 'Content-Length': '0' })
  response.end()
}

keepTick()
const server = createServer({ keepAliveTimeout: 65_000, noDelay: true }, (request, response) => {
  const data = read(request.url?.slice(1) ?? '')
  if (typeof data === 'string') return send(response, data)
  data.then(
    (found) => send(response, found),
    () => response.destroy(),
  )
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
process.on('disconnect', () => process.exit(0))
