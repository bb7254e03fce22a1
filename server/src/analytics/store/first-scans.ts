/**
 * SQL for the place of a scan among all scans of its code, as one number: time, then writer, then
 * sequence. Writers are ordered by a hash, because any order will do if it is always the same.
 */
export const placeOfScan = `bitOr(
  bitShiftLeft(toUInt256(toUnixTimestamp64Milli(time)), 128),
  bitOr(bitShiftLeft(toUInt256(cityHash64(writer)), 64), toUInt256(sequence)))`

/**
 * The visitor of scans whose visitor another product did not keep: 32 hexadecimal digits. None of
 * these scans is a first scan, so none is unique. No hash of a visitor has this value, because all
 * of its bits would have to be 1.
 */
export const nobody = 'f'.repeat(32)

/** Condition for the scans of visitors that are known. */
export const ofKnownVisitors = `visitor != toUUID('ffffffff-ffff-ffff-ffff-ffffffffffff')`

/**
 * Returns a select of the first scans among some scans. `where` is an additional condition on them.
 */
export function firstScansOf(where = ''): string {
  return `select organization_id, qr_code_id, visitor, min(${placeOfScan}) as place
          from scans
          where class = 'human' and ${ofKnownVisitors} ${where}
          group by organization_id, qr_code_id, visitor`
}
