/** The class of a hit: a human scan, or the reason why the hit is not a scan. */
export type ScanClass = 'human' | 'bot' | 'preview' | 'prefetch'

/** One recorded hit, as the scan store has it. */
export type ScanRow = {
  organizationId: string
  qrCodeId: string
  /** The short code as it was looked up. Empty in rows of releases before 0.2. */
  shortCode: string
  /** Host name of the code's own domain. Empty for PUBLIC_URL. */
  domain: string
  /** Id of the rule that answered, and the name of its arm. Empty if the code's own data did. */
  rule: string
  arm: string
  timeMs: number
  /** The journal that recorded the hit, and the hit's number there. Together they name the hit. */
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
  /** Coordinates of the city, with one decimal. */
  latitude: number | null
  longitude: number | null
  deviceType: 'mobile' | 'desktop' | 'tablet'
  os: string
  browser: string
  /** The host. Empty for a direct scan. */
  referrer: string
  language: string
}
