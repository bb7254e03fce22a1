import type { organizationProblems as english } from '@everscan/contract/problems/organization-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const organizationProblems = {
  scopeNotOfKey: 'Der Schlüssel dieser Anfrage hat nicht die Berechtigung „{got}“, sondern: {scopes}.',
  networkNotOfKey:
    'Das muss in einem Netz des Schlüssels dieser Anfrage liegen, der {networks} hat, nicht „{got}“.',
  expiresAfterKey: 'Höchstens bis {max}: Dann läuft der Schlüssel dieser Anfrage ab.',
  notKeyNetwork:
    'Das ist keine IP-Adresse und kein Netz in CIDR-Schreibweise, etwa 203.0.113.7, 10.0.0.0/8 oder 2001:db8::/32.',
  notFirstAddress: 'Ein Netz beginnt mit seiner ersten Adresse, hier {network}.',
  noSuchFolder: 'Diesen Ordner gibt es in dieser Organisation nicht: „{got}“.',
  codesWaitForDomain:
    'QR-Codes, die auf diese Domain warten: {count}. Bestätigen Sie die Domain, oder löschen Sie sie mit diesen Codes.',
  noSuchDomain: 'Das muss eine bestätigte Domain dieser Organisation sein, nicht „{got}“.',
  noSuchDay: 'Diesen Tag oder Zeitpunkt gibt es nicht: „{got}“.',
  notInFuture: 'Der Zeitpunkt muss in der Zukunft liegen.',

  scopeMissing: 'Dafür ist die Berechtigung {scope} nötig; der API-Schlüssel hat: {scopes}.',
  scopeOfEventMissing:
    'Für das Ereignis {event} ist die Berechtigung {scope} nötig; der API-Schlüssel hat: {scopes}.',

  domainHere: 'Die Organisation hat die Domain „{hostname}“ schon.',
  codesComparedOtherwise:
    'Auf „{hostname}“ wurden schon Kurzcodes erstellt. Wie Kurzcodes dort verglichen werden, bleibt so ({form}).',
  domainHasCodes: ({ count }) =>
    `Aktive QR-Codes auf dieser Domain: ${count}. Archivieren Sie diese zuerst, oder löschen Sie die Domain mit ihnen.`,
  noticeOfUnproved:
    '„{hostname}“ ist nicht bestätigt. Kündigen kann nur die Organisation, der die Domain gehört.',
  noticeToNobody: 'Keine andere Organisation hat von früher Codes auf diesem Hostnamen.',
  noNotice: 'Es gibt keine Kündigung, die sich zurückziehen lässt.',
  domainOnNotice:
    '„{hostname}“ gehört jetzt einer anderen Organisation, die gekündigt hat: Codes darauf enden am {day} und lassen sich nur archivieren oder löschen.',
} as const satisfies ProblemWords<typeof english>
