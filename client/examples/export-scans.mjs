// Prints every code with its scans, and saves the single scans of each as CSV.
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createClient, iterate } from '@everscan/client'

const everscan = createClient({
  baseUrl: process.env.EVERSCAN_URL ?? '',
  apiKey: process.env.EVERSCAN_API_KEY ?? '',
})
const [{ id: orgId }] = await everscan.organizations.listMine()

for await (const code of everscan.qrCodes.iterate(orgId, { status: 'ACTIVE' })) {
  console.log(`${code.name}: ${code.totalScans} scans`)
  if (code.totalScans === 0) continue
  const file = await everscan.analytics.export(orgId, code.id, { startDate: '2026-01-01' })
  // Streamed: a million scans need no more memory than ten.
  await pipeline(file.body, createWriteStream(`${code.shortCode}.csv`))
}

// `iterate` pages through any list.
for await (const { tag, qrCodeCount } of iterate((page) => everscan.tags.list(orgId, page)))
  console.log(`${tag}: ${qrCodeCount} codes`)
