import type { limitProblems as english } from '@everscan/contract/problems/limit-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const limitProblems = {
  stylesFull: 'Die Organisation hat {max} Stile, mehr sind nicht möglich. Löschen Sie zuerst einen.',
  utmTemplatesFull:
    'Die Organisation hat {max} UTM-Vorlagen, mehr sind nicht möglich. Löschen Sie zuerst eine.',
  viewsFull: 'Die Organisation hat {max} Ansichten, mehr sind nicht möglich. Löschen Sie zuerst eine.',
  domainsFull: 'Die Organisation hat {max} Domains, mehr sind nicht möglich. Löschen Sie zuerst eine.',
  unprovedDomainsFull:
    'Die Organisation hat {max} Domains, die nicht bestätigt sind, mehr sind nicht möglich. Bestätigen oder löschen Sie zuerst eine.',
  apiKeysFull:
    'Eine Organisation hat höchstens {max} API-Schlüssel, die weder widerrufen noch abgelaufen sind, und diese hat {count}. Widerrufen Sie zuerst einen.',
  openImportsFull:
    'Eine Organisation hat höchstens {max} Importe, die nicht beendet sind. Warten Sie, bis einer endet, oder brechen Sie einen ab.',
  ownOrganizationsFull:
    'Sie können Admin von höchstens {max} Organisationen sein, und Sie sind es schon in {count}. Verlassen Sie zuerst eine.',

  tooManyFailedAttempts: 'Zu viele Fehlversuche. Versuchen Sie es in {seconds} s erneut.',
  tooManyUnknownKeys:
    'Ihr Netz hat innerhalb einer Minute {count} unbekannte API-Schlüssel gesendet. Versuchen Sie es in {seconds} s erneut.',
  tooManySignIns: 'Gerade melden sich viele an. Versuchen Sie es gleich noch einmal.',
  tooManyFilesRead: 'Gerade werden zu viele Dateien gelesen. Versuchen Sie es gleich noch einmal.',
  tooManySharedViews: 'Gerade sind zu viele geteilte Ansichten offen. Versuchen Sie es gleich noch einmal.',

  placesOfKeyTaken: ({ count, places }) =>
    `Dieser API-Schlüssel hat ${count} ${noun(places)} offen, mehr sind nicht möglich. ${later}`,
  placesOfSessionTaken: ({ count, places }) =>
    `Diese Sitzung hat ${count} ${noun(places)} offen, mehr sind nicht möglich. ${later}`,
  placesOfKeyOwnerTaken: ({ count, places }) =>
    `Das Konto, das diesen API-Schlüssel erstellt hat, hat in allen Organisationen und Schlüsseln zusammen ${count} ${noun(places)} offen, mehr sind nicht möglich. ${later}`,
  placesOfAccountTaken: ({ count, places }) =>
    `Ihr Konto hat in allen Organisationen und Schlüsseln zusammen ${count} ${noun(places)} offen, mehr sind nicht möglich. ${later}`,
  placesOfOrganizationTaken: ({ count, places }) =>
    `Diese Organisation hat ${count} ${noun(places)} offen, mehr sind nicht möglich. ${later}`,
  placesOfServiceTaken: ({ count, places }) =>
    `Alle ${count} ${noun(places)} dieses Dienstes sind in Gebrauch. ${later}`,
  fairShareTaken: ({ count, places }) =>
    `Fast alle ${noun(places)} dieses Dienstes sind in Gebrauch, und diese Organisation hat ihren Anteil daran, ${count}. ${later}`,
  webhooksFull: 'Die Organisation hat {max} Webhooks, mehr sind nicht möglich. Löschen Sie zuerst einen.',
} as const satisfies ProblemWords<typeof english>

const later = 'Warten Sie, bis das endet, oder versuchen Sie es später.'
const nouns: Readonly<Record<string, string>> = {
  downloads: 'Downloads',
  uploads: 'Uploads',
  'streams of events': 'Ströme von Ereignissen',
}
const noun = (places: string | number) => nouns[places] ?? String(places)
