// Imports the codes of a CSV file: node import-csv.mjs codes.csv
// Rows that fail are saved beside it with their reasons, to be corrected and imported again.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { createClient } from '@everscan/client'

const [file = 'codes.csv'] = process.argv.slice(2)
const everscan = createClient({
  baseUrl: process.env.EVERSCAN_URL ?? '',
  apiKey: process.env.EVERSCAN_API_KEY ?? '',
})
const [{ id: orgId }] = await everscan.organizations.listMine()

// Whoever runs the program again within 24 hours gets the same import, unless the file has changed.
const rows = await readFile(file)
const idempotencyKey = `import-${createHash('sha256').update(rows).digest('hex')}`
const started = await everscan.imports.start(
  orgId,
  { type: 'URL', file: rows, fileName: basename(file) },
  { idempotencyKey },
)
const job = await everscan.imports.waitFor(orgId, started.id, {
  signal: AbortSignal.timeout(600_000),
  onProgress: ({ processedRows, totalRows }) => console.error(`${processedRows} of ${totalRows} rows`),
})
console.log(`${job.status}: ${job.successCount} created, ${job.errorCount} rejected`)
if (job.errorCount > 0) await writeFile(`${file}.errors.csv`, await everscan.imports.errorsCsv(orgId, job.id))
