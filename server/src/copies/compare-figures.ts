import type { CodeFigures } from '../analytics/copies/code-figures.ts'

const differencesMax = 20

export type ComparedFigures = {
  codes: number
  organizations: number
  /** A sentence for each of the first codes whose figures differ. */
  differences: readonly string[]
}

/**
 * Compares hits and unique scans of each code, as they were counted in the scans that were moved,
 * with all that the new store shows of it. Throws ScanStoreUnavailable.
 */
export async function compareFigures(
  from: AsyncIterable<readonly CodeFigures[]>,
  to: AsyncIterable<readonly CodeFigures[]>,
  { progress, signal }: { progress?: (done: number) => void; signal: AbortSignal },
): Promise<ComparedFigures> {
  const [was, is] = [eachCode(from), eachCode(to)]
  const organizations = new Set<string>()
  const differences: string[] = []
  let codes = 0
  try {
    for (;;) {
      signal.throwIfAborted()
      const [old, moved] = [(await was.next()).value, (await is.next()).value]
      if (old === undefined && moved === undefined) break
      const [oldText, movedText] = [JSON.stringify(old), JSON.stringify(moved)]
      if (oldText !== movedText) differences.push(`the figures ${oldText} became ${movedText}`)
      // After a missing code, all others are beside another one.
      if (differences.length >= differencesMax || old?.qrCodeId !== moved?.qrCodeId) break
      if (old !== undefined) organizations.add(old.organizationId)
      codes++
      progress?.(codes)
    }
    return { codes, organizations: organizations.size, differences }
  } finally {
    await was.return(undefined)
    await is.return(undefined)
  }
}

async function* eachCode(
  pages: AsyncIterable<readonly CodeFigures[]>,
): AsyncGenerator<CodeFigures, undefined, undefined> {
  for await (const page of pages) yield* page
}
