import { problem } from '../problems/local-problem.ts'
import { Type, type Static } from 'typebox'
import { Url, strictObject } from '../schema/common.ts'
import { textOf } from '../schema/fields.ts'
import { destinationsIn, optional, textsOf, type CodeType, type System } from './code-type.ts'
import { webAddress } from './destinations.ts'

/** Content of an APP code: at least one store link. */
export const AppData = strictObject(
  {
    iosUrl: Type.Optional(Url('Address in the App Store.')),
    androidUrl: Type.Optional(Url('Address in Google Play.')),
    fallbackUrl: Type.Optional(Url('Where every other device goes.')),
  },
  {
    description: 'Content of type APP: one link at least.',
    examples: [
      {
        iosUrl: 'https://apps.apple.com/app/id1',
        androidUrl: 'https://play.google.com/store/apps/details?id=a.b',
      },
    ],
  },
)
export type AppData = Static<typeof AppData>

/** Fields to try for each system, in order. */
const fieldsFor = {
  ios: ['iosUrl', 'fallbackUrl'],
  android: ['androidUrl', 'fallbackUrl'],
  other: ['fallbackUrl'],
} as const satisfies Record<System, readonly string[]>

export const app = {
  schema: AppData,
  answers: 'either',
  // Leads to the store of the device, or else to the fallback, or else to the page with both
  // stores.
  redirect: (data, system) =>
    fieldsFor[system].map((name) => textOf(data, name)).find((url) => webAddress(url) !== undefined),
  problems: ({ iosUrl, androidUrl, fallbackUrl }, prefix) => {
    if (iosUrl !== undefined || androidUrl !== undefined || fallbackUrl !== undefined) return []
    return [{ path: prefix, ...problem('appWithoutUrl') }]
  },
  destinations: destinationsIn('iosUrl', 'androidUrl', 'fallbackUrl'),
  leads: textsOf('fallbackUrl', 'iosUrl', 'androidUrl'),
  importColumns: [
    optional('iosUrl', 'https://apps.apple.com/app/id1'),
    optional('androidUrl', 'https://play.google.com/store/apps/details?id=com.example'),
    optional('fallbackUrl', 'https://example.com/app'),
  ],
} satisfies CodeType
