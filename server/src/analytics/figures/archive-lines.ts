import { closedOwnerOf } from '../store/closed-owner.ts'

/** Returns the owners of all hits of an organization. Those on closed codes come last. */
export function ownersOf(organizationId: string): string[] {
  return [organizationId, closedOwnerOf(organizationId)]
}

const idAt = '["'.length
const idChars = 'qr_'.length + 26

/** Leaves out the lines of some codes: a line begins with the id of its code. */
export async function* linesWithout(
  pieces: AsyncIterable<Buffer>,
  codes: ReadonlySet<string>,
): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const lines = Buffer.concat([rest, piece])
    const kept: Buffer[] = []
    let from = 0
    for (let end = lines.indexOf(10); end >= 0; end = lines.indexOf(10, from)) {
      if (!codes.has(lines.toString('latin1', from + idAt, from + idAt + idChars)))
        kept.push(lines.subarray(from, end + 1))
      from = end + 1
    }
    rest = lines.subarray(from)
    if (kept.length > 0) yield Buffer.concat(kept)
  }
}
