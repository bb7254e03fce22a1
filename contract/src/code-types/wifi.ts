import { problem } from '../problems/local-problem.ts'
import type { Problem } from '../problems/problem.ts'
import { Type, type Static } from 'typebox'
import { OptionalLine, oneOf, strictObject } from '../schema/common.ts'
import { textOf, type Fields } from '../schema/fields.ts'
import { patterns } from '../schema/patterns.ts'
import { joinPath } from '../schema/paths.ts'
import { noDestinations, optional, required, verbatim, textsOf, type CodeType } from './code-type.ts'

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
        description:
          'WPA with a password and nopass without, unless given. WPA2 and WPA3 are taken as WPA, which phones read as any of them.',
        'x-aliases': { WPA2: 'WPA', WPA3: 'WPA' },
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

/** IEEE 802.11: phones join with a passphrase of 8 to 63 characters, or with the key itself. */
function passwordProblem(data: Fields): Problem | undefined {
  const password = textOf(data, 'password')
  const encryption = data['encryption'] ?? (password === '' ? 'nopass' : 'WPA')
  if (encryption === 'nopass') return password === '' ? undefined : problem('passwordOfOpenNetwork')
  if (encryption !== 'WPA' || /^(.{8,63}|[0-9A-Fa-f]{64})$/u.test(password)) return undefined
  return password === ''
    ? problem('wpaPasswordMissing')
    : problem('wpaPasswordLength', { got: Array.from(password).length })
}

export const wifi = {
  schema: WifiData,
  answers: 'page',
  problems: (data, prefix) => {
    const bytes = new TextEncoder().encode(String(data['ssid'])).length
    const ssid = bytes > 32 ? problem('ssidTooLong', { max: 32, got: bytes }) : undefined
    const problems = { ssid, password: passwordProblem(data) }
    return Object.entries(problems).flatMap(([name, found]) =>
      found === undefined ? [] : [{ path: joinPath(prefix, name), ...found }],
    )
  },
  destinations: noDestinations,
  leads: textsOf('ssid'),
  importColumns: [
    verbatim(required('ssid', 'Guests')),
    verbatim(optional('password', 'welcome-2026')),
    optional('encryption', 'WPA'),
    optional('hidden', 'false'),
  ],
} satisfies CodeType
