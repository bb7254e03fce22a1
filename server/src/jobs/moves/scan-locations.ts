import type { Database } from '../../db/database.ts'
import { openScanLookup } from '../../db/scans/scan-lookup.ts'
import { AnswerMemory } from '../../scan/answer-memory.ts'
import { readHead } from '../../scan/internals/prepared-head.ts'

/** Returns where a scan of each code leads, by its key, as a front prepares the answer. */
export async function scanLocations(
  db: Database,
  keys: readonly string[],
): Promise<Map<string, string | undefined>> {
  const lookup = openScanLookup(db)
  // No visitor asks, so splits give their first arm.
  const answers = new AnswerMemory(4, { siteHeaders: [], createSplit: () => () => 0 })
  try {
    const locations = new Map<string, string | undefined>()
    for (const key of keys) {
      const { reply, access } = answers.prepare(await lookup.lookup(key))
      const isRedirect = access === undefined && typeof reply === 'object' && 'head' in reply
      locations.set(key, isRedirect ? locationIn(reply.head) : undefined)
    }
    return locations
  } finally {
    await lookup.close()
  }
}

function locationIn(head: string): string | undefined {
  const { headers } = readHead(head)
  const at = headers.findIndex((name) => name.toLowerCase() === 'location')
  return at < 0 ? undefined : headers[at + 1]
}
