/** Numbers of scans by organization and code, as `codeKey` has them. */
export type CodeCounts = ReadonlyMap<string, CodeCount>
export type CodeCount = { scans: number; uniqueScans: number }

export function codeKey({ organizationId, qrCodeId }: { organizationId: string; qrCodeId: string }): string {
  return `${organizationId} ${qrCodeId}`
}

/** Returns the code of a key. */
export function codeOfKey(key: string): { organizationId: string; qrCodeId: string } {
  const [organizationId = '', qrCodeId = ''] = key.split(' ')
  return { organizationId, qrCodeId }
}

/** Returns what takes numbers back. */
export function negative(counts: CodeCounts): CodeCounts {
  return new Map(
    [...counts].map(([code, { scans, uniqueScans }]) => [code, { scans: -scans, uniqueScans: -uniqueScans }]),
  )
}

/** Returns the sums, without codes that have none. */
export function sumOf(all: readonly CodeCounts[]): CodeCounts {
  const sums = new Map<string, CodeCount>()
  for (const counts of all)
    for (const [code, { scans, uniqueScans }] of counts) {
      const sum = sums.get(code)
      if (sum === undefined) sums.set(code, { scans, uniqueScans })
      else {
        sum.scans += scans
        sum.uniqueScans += uniqueScans
      }
    }
  for (const [code, { scans, uniqueScans }] of sums) if (scans === 0 && uniqueScans === 0) sums.delete(code)
  return sums
}
