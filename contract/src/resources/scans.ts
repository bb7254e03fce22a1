import { Type, type Static } from 'typebox'
import { periodParameters, scanFilterParameters } from './analytics.ts'
import { DeviceType } from '../rules/device-names.ts'
import { Timestamp, nullable, strictObject } from '../schema/common.ts'
import { Page, pageParameters } from '../schema/pages.ts'

/**
 * One recorded scan. Its location is at most as precise as a city; the IP address is not stored.
 */
export const Scan = strictObject({
  id: Type.String({ description: 'Identifier.', examples: ['scn_01jqzv4x8m3c5t7w9y2b4d6f8h'] }),
  qrCodeId: Type.String({ description: 'Identifier of the code.' }),
  timestamp: Timestamp('When the scan was answered.'),
  country: Type.String({ description: 'ISO 3166-1 country code; XX if unknown.' }),
  city: Type.String({ description: 'City; Unknown if unknown.' }),
  region: Type.String({ description: 'State or region; empty if unknown.' }),
  latitude: nullable(
    Type.Number({ description: 'Latitude of the city, with one decimal; null if unknown.' }),
  ),
  longitude: nullable(
    Type.Number({ description: 'Longitude of the city, with one decimal; null if unknown.' }),
  ),
  deviceType: DeviceType,
  os: Type.String({ description: 'Operating system.' }),
  browser: Type.String({ description: 'Browser.' }),
  referrer: Type.String({ description: 'Host of the referrer; empty if there is none.' }),
  language: Type.String({
    description: 'First preferred language, BCP 47; empty if unknown.',
    examples: ['de-DE'],
  }),
  ruleId: nullable(
    Type.String({ description: "Identifier of the rule that answered; null: the code's own data." }),
  ),
  arm: nullable(Type.String({ description: 'Name of the arm that answered; null without a split.' })),
  isUnique: Type.Boolean({ description: "Whether this is the visitor's first scan of this code, ever." }),
  isBot: Type.Boolean({ description: 'Whether the hit came from a crawler, a link preview or a prefetch.' }),
  botReason: nullable(Type.String({ description: 'Why the hit counts as a bot; null for humans.' })),
})
export type Scan = Static<typeof Scan>

/** The query of the list of scans, newest first. */
export const ListScansQuery = strictObject({
  ...pageParameters,
  ...periodParameters,
  ...scanFilterParameters,
  includeBots: Type.Optional(Type.Boolean({ description: 'Whether to include bots.', default: false })),
})
export type ListScansQuery = Static<typeof ListScansQuery>

export const ScanPage = Page(Scan)
export type ScanPage = Static<typeof ScanPage>
