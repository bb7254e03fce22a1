import { Type, type Static } from 'typebox'
import { DeviceType, periodParameters, scanFilterParameters } from './analytics.ts'
import { Timestamp, nullable, strictObject } from '../schema/common.ts'
import { Page, pageParameters } from '../schema/pages.ts'

/** One recorded scan. Where it was made is known to the city at best; the address it came from is not kept. */
export const Scan = strictObject({
  id: Type.String({ description: 'Identifier.', examples: ['scn_01jqzv4x8m3c5t7w9y2b4d6f8h'] }),
  qrCodeId: Type.String({ description: 'The code.' }),
  timestamp: Timestamp('When it was answered.'),
  country: Type.String({ description: 'ISO 3166-1 code; XX when unknown.' }),
  city: Type.String({ description: 'City; Unknown when unknown.' }),
  region: Type.String({ description: 'State or region; empty when unknown.' }),
  latitude: nullable(Type.Number({ description: "The city's, one decimal; null when unknown." })),
  longitude: nullable(Type.Number({ description: "The city's, one decimal; null when unknown." })),
  deviceType: DeviceType,
  os: Type.String({ description: 'Operating system.' }),
  browser: Type.String({ description: 'Browser.' }),
  referrer: Type.String({ description: "The referrer's host; empty without one." }),
  language: Type.String({
    description: 'First preferred language, BCP 47; empty when unknown.',
    examples: ['de-DE'],
  }),
  isUnique: Type.Boolean({ description: "Whether it is its visitor's first scan of this code, ever." }),
  isBot: Type.Boolean({ description: 'Whether it was a crawler, a link preview or a prefetch.' }),
  botReason: nullable(Type.String({ description: 'Why it counts as one; null for people.' })),
})
export type Scan = Static<typeof Scan>

/** The query of the list of scans, newest first. */
export const ListScansQuery = strictObject({
  ...pageParameters,
  ...periodParameters,
  ...scanFilterParameters,
  includeBots: Type.Optional(Type.Boolean({ description: 'Whether bots are listed too.', default: false })),
})
export type ListScansQuery = Static<typeof ListScansQuery>

export const ScanPage = Page(Scan)
export type ScanPage = Static<typeof ScanPage>
