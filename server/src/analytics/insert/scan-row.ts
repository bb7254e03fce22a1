/** Why a hit is no scan, or that it is one. */
export type ScanClass = 'human' | 'bot' | 'preview' | 'prefetch'

/** One recorded hit, as it stands in the scan store. */
export type ScanRow = {
  organizationId: string
  qrCodeId: string
  /** As it was looked up; empty in rows of releases before 0.2. */
  shortCode: string
  /** Host name of the code's own domain; empty for PUBLIC_URL. */
  domain: string
  /** What answered; empty for the code's own data. */
  rule: string
  arm: string
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
