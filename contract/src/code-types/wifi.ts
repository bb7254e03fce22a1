import { Type, type Static } from 'typebox'
import { OptionalLine, oneOf, strictObject } from '../schema/common.ts'
import { patterns } from '../schema/patterns.ts'
import { joinPath } from '../schema/paths.ts'
import { noDestinations, optional, required, verbatim, type CodeType } from './code-type.ts'

export const wifiEncryptions = ['WPA', 'WEP', 'nopass'] as const

/** Content of a WIFI code: how to join a network. */
export const WifiData = strictObject(
  {
    ssid: Type.String({
      description: 'Name of the network. 802.11 allows 32 bytes.',
      minLength: 1,
      maxLength: 32,
      pattern: patterns.text,
    }),
    password: Type.Optional(OptionalLine(100, 'Password of the network.')),
    encryption: Type.Optional(
      oneOf(wifiEncryptions, {
        description: 'WPA (also WPA2, WPA3) with a password and nopass without, unless given.',
      }),
    ),
    hidden: Type.Optional(Type.Boolean({ description: 'Whether the network hides its name.' })),
  },
  {
    description: 'Content of type WIFI.',
    examples: [{ ssid: 'Guests', password: 'welcome-2026', encryption: 'WPA' }],
  },
)
export type WifiData = Static<typeof WifiData>

/** Returns the given encryption of a network. Default: WPA with a password, nopass without. */
export function wifiEncryption({ encryption, password }: WifiData): (typeof wifiEncryptions)[number] {
  return encryption ?? (password ? 'WPA' : 'nopass')
}

export const wifi = {
  schema: WifiData,
  answers: 'page',
  problems: ({ ssid }, prefix) => {
    const bytes = new TextEncoder().encode(String(ssid)).length
    if (bytes <= 32) return []
    return [{ path: joinPath(prefix, 'ssid'), message: `must have at most 32 bytes in UTF-8, got ${bytes}` }]
  },
  destinations: noDestinations,
  importColumns: [
    verbatim(required('ssid', 'Guests')),
    verbatim(optional('password', 'welcome-2026')),
    optional('encryption', 'WPA'),
    optional('hidden', 'false'),
  ],
  payload: 'network',
} satisfies CodeType
