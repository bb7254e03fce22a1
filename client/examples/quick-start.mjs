// Creates a code, changes where it leads, saves its picture and prints its scans.
import { writeFile } from 'node:fs/promises'
import { createClient } from '@everscan/client'

const everscan = createClient({
  baseUrl: process.env.EVERSCAN_URL ?? '',
  apiKey: process.env.EVERSCAN_API_KEY ?? '',
})
// A key belongs to one organization.
const [{ id: orgId }] = await everscan.organizations.listMine()

const code = await everscan.qrCodes.create(orgId, {
  type: 'URL',
  name: 'Poster',
  data: { url: 'https://example.com/spring' },
})
console.log(`${code.shortUrl} leads to ${code.data.url}`)

await everscan.qrCodes.update(orgId, code.id, { data: { url: 'https://example.com/summer' } })

const { bytes, fileName } = await everscan.qrCodes.download(orgId, code.id, { format: 'svg', sizeMm: 40 })
await writeFile(fileName, bytes)
console.log(`saved ${fileName}`)

const { summary } = await everscan.qrCodes.analytics(orgId, code.id)
console.log(`${summary.totalScans} scans`)
