import type { Client } from '@everscan/client/create-client.ts'

export const importRows = 10_000

/** Imports a file of 10,000 rows and waits for its job. Throws unless every row becomes a code. */
export async function importFile(client: Client, orgId: string): Promise<void> {
  const lines = Array.from(
    { length: importRows },
    (_, i) => `Code ${i},https://example.com/${i},Folder ${i % 10},print;w${i % 7}`,
  )
  const file = `name,url,folder,tags\n${lines.join('\n')}\n`
  const { id } = await client.imports.start(orgId, { type: 'URL', file })
  const job = await client.imports.waitFor(orgId, id, { pollMs: 50 })
  if (job.successCount !== importRows)
    throw new Error(`${job.status}: ${job.successCount} of ${importRows} rows`)
}
