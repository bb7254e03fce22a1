import {
  Integers64,
  Integers8,
  NullableFloats32,
  RepeatedStrings,
  Strings,
  Uuids,
  type NativeColumn,
} from '../store/native-columns.ts'
import type { ScanRow } from './scan-row.ts'

/** The values of the table's `Enum8`. */
export const classes = { human: 1, bot: 2, preview: 3, prefetch: 4 } as const satisfies Record<
  ScanRow['class'],
  number
>
const classType = `Enum8(${Object.entries(classes)
  .map(([name, value]) => `'${name}' = ${value}`)
  .join(', ')})`

/** The columns of `scans` that a block has, filled row by row. */
export class ScanColumns {
  readonly #organization = new RepeatedStrings('organization_id')
  readonly #qrCode = new Strings('qr_code_id')
  readonly #time = new Integers64('time', "DateTime64(3, 'UTC')")
  readonly #writer = new RepeatedStrings('writer')
  readonly #sequence = new Integers64('sequence', 'UInt64')
  readonly #visitor = new Uuids('visitor')
  readonly #scanClass = new Integers8('class', classType)
  readonly #botReason = new RepeatedStrings('bot_reason')
  readonly #country = new RepeatedStrings('country')
  readonly #city = new RepeatedStrings('city')
  readonly #region = new RepeatedStrings('region')
  readonly #latitude = new NullableFloats32('latitude')
  readonly #longitude = new NullableFloats32('longitude')
  readonly #deviceType = new RepeatedStrings('device_type')
  readonly #os = new RepeatedStrings('os')
  readonly #browser = new RepeatedStrings('browser')
  readonly #referrer = new RepeatedStrings('referrer')
  readonly #language = new RepeatedStrings('language')
  readonly #batch = new RepeatedStrings('batch_id')
  readonly #shortCode = new Strings('short_code')
  readonly #domain = new RepeatedStrings('domain')
  readonly #rule = new RepeatedStrings('rule')
  readonly #arm = new RepeatedStrings('arm')
  /** All columns, in the order of the block. */
  readonly all: readonly NativeColumn[] = [
    this.#organization,
    this.#qrCode,
    this.#time,
    this.#writer,
    this.#sequence,
    this.#visitor,
    this.#scanClass,
    this.#botReason,
    this.#country,
    this.#city,
    this.#region,
    this.#latitude,
    this.#longitude,
    this.#deviceType,
    this.#os,
    this.#browser,
    this.#referrer,
    this.#language,
    this.#batch,
    this.#shortCode,
    this.#domain,
    this.#rule,
    this.#arm,
  ]

  add(row: ScanRow, batchId: string): void {
    this.#organization.add(row.organizationId)
    this.#qrCode.add(row.qrCodeId)
    this.#time.add(row.timeMs)
    this.#writer.add(row.writer)
    this.#sequence.add(row.sequence)
    this.#visitor.add(row.visitor)
    this.#scanClass.add(classes[row.class])
    this.#botReason.add(row.botReason)
    this.#country.add(row.country)
    this.#city.add(row.city)
    this.#region.add(row.region)
    this.#latitude.add(row.latitude)
    this.#longitude.add(row.longitude)
    this.#deviceType.add(row.deviceType)
    this.#os.add(row.os)
    this.#browser.add(row.browser)
    this.#referrer.add(row.referrer)
    this.#language.add(row.language)
    this.#batch.add(batchId)
    this.#shortCode.add(row.shortCode)
    this.#domain.add(row.domain)
    this.#rule.add(row.rule)
    this.#arm.add(row.arm)
  }

  /** Returns the approximate size of the columns in bytes. */
  bytes(): number {
    return this.all.reduce((sum, column) => sum + column.bytes(), 0)
  }
}
