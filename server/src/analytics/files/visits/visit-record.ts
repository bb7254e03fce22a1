/**
 * A record of the index of first visits: ten bytes that name a visitor of a code, and eight that
 * name the scan that is this visitor's first.
 */
export const keyBytes = 10
export const placeBytes = 8
export const recordBytes = keyBytes + placeBytes

/** The place in a record that says that its key was removed. No scan has it (`visit-keys.ts`). */
export const removedPlace = Buffer.alloc(placeBytes, 0xff)

/** Returns a negative number, 0 or a positive one, as the keys at two offsets are ordered. */
export function compareKeys(one: Buffer, at: number, other: Buffer, otherAt: number): number {
  return (
    one.readUInt32BE(at) - other.readUInt32BE(otherAt) ||
    one.readUInt32BE(at + 4) - other.readUInt32BE(otherAt + 4) ||
    one.readUInt16BE(at + 8) - other.readUInt16BE(otherAt + 8)
  )
}

/** Whether the record at an offset says that its key was removed. */
export function isRemoved(records: Buffer, at: number): boolean {
  return (
    records.readUInt32LE(at + keyBytes) === 0xffffffff &&
    records.readUInt32LE(at + keyBytes + 4) === 0xffffffff
  )
}
