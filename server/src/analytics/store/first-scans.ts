/**
 * The place of a scan among all scans of its code, as one number: time, then writer, then sequence. Writers go by a hash,
 * as their order does not matter as long as it is always the same.
 */
export const placeOfScan = `bitOr(
  bitShiftLeft(toUInt256(toUnixTimestamp64Milli(time)), 128),
  bitOr(bitShiftLeft(toUInt256(cityHash64(writer)), 64), toUInt256(sequence)))`

/** The first scans among some scans; `where` is added to what is asked of them. */
export function firstScansOf(where = ''): string {
  return `select organization_id, qr_code_id, visitor, min(${placeOfScan}) as place
          from scans
          where class = 'human' ${where}
          group by organization_id, qr_code_id, visitor`
}
