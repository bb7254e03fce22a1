import type { IncomingHttpHeaders } from 'node:http'
import { dashboardLanguages, type DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import { wishesOf } from '@everscan/pages/accept-language.ts'

const charsMax = 200

type Request = { headers: IncomingHttpHeaders }

/**
 * Returns the language of ours that a request wants most, matched by its first part: `de-AT` gets
 * German. Undefined if it wants none of them. The dashboard asks for the language that it shows.
 */
export function wantedLanguage({ headers }: Request): DashboardLanguage | undefined {
  const wishes = wishesOf((headers['accept-language'] ?? '').slice(0, charsMax))
  const firsts = wishes.map(({ tag }) => tag.trim().split('-', 1)[0]?.toLowerCase())
  return firsts.flatMap((first) => dashboardLanguages.find((language) => language === first) ?? [])[0]
}

/**
 * Returns the language of a mail that a request causes: that of its reader, else the one that the
 * request wants, else English.
 */
export function mailLanguage(
  reader: { language: DashboardLanguage | null } | undefined,
  request: Request,
): DashboardLanguage {
  return reader?.language ?? wantedLanguage(request) ?? 'en'
}
