/** Why a hit is no scan, or that it is one. */
export type ScanClass = 'human' | 'bot' | 'preview' | 'prefetch'

/** One recorded hit, as it stands in the scan store. */
export type ScanRow = {
  organizationId: string
  qrCodeId: string
  timeMs: number
  /** The journal that recorded it, and its number there: together they name the hit. */
  writer: string
  sequence: number | bigint
  /** 32 hexadecimal digits. */
  visitor: string
  class: ScanClass
  /** Empty for humans. */
  botReason: string
  /** ISO 3166-1 alpha-2; `XX` when unknown. */
  country: string
  /** `Unknown` when unknown. */
  city: string
  /** Empty when unknown. */
  region: string
  /** Of the city, one decimal. */
  latitude: number | null
  longitude: number | null
  deviceType: 'mobile' | 'desktop' | 'tablet'
  os: string
  browser: string
  /** The host; empty for a direct scan. */
  referrer: string
  language: string
}

/** The columns of `scans`, in the order in which `scanRowText` writes them. */
export const scanColumns = [
  'organization_id',
  'qr_code_id',
  'time',
  'writer',
  'sequence',
  'visitor',
  'class',
  'bot_reason',
  'country',
  'city',
  'region',
  'latitude',
  'longitude',
  'device_type',
  'os',
  'browser',
  'referrer',
  'language',
  'batch_id',
] as const

/** A row as a line of ClickHouse's tab-separated text: the quickest of the forms that the engine takes as bytes. */
export function scanRowText(row: ScanRow, batchId: string): string {
  return `${text(row.organizationId)}\t${text(row.qrCodeId)}\t${seconds(row.timeMs)}\t${text(row.writer)}\t${row.sequence}\t${row.visitor}\t${row.class}\t${text(row.botReason)}\t${text(row.country)}\t${text(row.city)}\t${text(row.region)}\t${row.latitude ?? '\\N'}\t${row.longitude ?? '\\N'}\t${row.deviceType}\t${text(row.os)}\t${text(row.browser)}\t${text(row.referrer)}\t${text(row.language)}\t${text(batchId)}\n`
}

const special = /[\\\t\n\r\0]/
const specials = /[\\\t\n\r\0]/g
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' }

function text(value: string): string {
  return special.test(value) ? value.replaceAll(specials, (char) => escapes[char] ?? char) : value
}

/** `1772357400.123`: seconds since 1970, as the store reads times in any zone. */
function seconds(ms: number): string {
  return `${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}`
}
