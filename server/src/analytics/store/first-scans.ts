/**
 * SQL for the place of a scan among all scans of its code, as one number: time, then writer, then
 * sequence. Writers are ordered by a hash, because any order will do if it is always the same.
 */
export const placeOfScan = `bitOr(
  bitShiftLeft(toUInt256(toUnixTimestamp64Milli(time)), 128),
  bitOr(bitShiftLeft(toUInt256(cityHash64(writer)), 64), toUInt256(sequence)))`

/**
 * Returns a select of the first scans among some scans. `where` is an additional condition on them.
 */
export function firstScansOf(where = ''): string {
  return `select organization_id, qr_code_id, visitor, min(${placeOfScan}) as place
          from scans
          where class = 'human' ${where}
          group by organization_id, qr_code_id, visitor`
}
