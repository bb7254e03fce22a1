/** The number of rows of a month, and a sum over their values, which equal rows have in common. */
export type MonthRows = { month: string; rows: number; sum: string }

/** The columns of scans that files and ClickHouse have, and that are texts in both. */
const texts = [
  'organization_id',
  'qr_code_id',
  'short_code',
  'domain',
  'rule',
  'arm',
  'writer',
  'bot_reason',
  'country',
  'city',
  'region',
  'device_type',
  'os',
  'browser',
  'referrer',
  'language',
]
/** No text has it. */
const separator = 31
/** Coordinates have one decimal. */
const factor = 10_000

/** SQL of ClickHouse for the sum over rows, wrapped to 64 bits, as a text. */
export const sumInClickHouse = `toString(sum(reinterpretAsUInt64(substring(MD5(concatWithSeparator(char(${separator}),
  ${texts.map((name) => `toString(${name})`).join(', ')}, toString(class), toString(visitor),
  toString(toUnixTimestamp64Milli(time)), toString(sequence),
  ${['latitude', 'longitude'].map((name) => `ifNull(toString(toInt64(round(${name} * ${factor}))), '')`).join(', ')}
)), 1, 8))))`

/** SQL of the engine of files for the same sum, not wrapped. */
export const sumInFiles = `coalesce(sum(md5_number_upper(concat_ws(chr(${separator}),
  ${texts.map((name) => `coalesce(${name}, '')`).join(', ')}, class, visitor::varchar,
  epoch_ms(time)::varchar, sequence::varchar,
  ${['latitude', 'longitude'].map((name) => `coalesce(round(${name} * ${factor})::bigint::varchar, '')`).join(', ')}
))), 0)`
