import type { frontProblems as english } from '@everscan/contract/problems/front-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const frontProblems = {
  requestNotHttp: 'Die Anfrage ist kein gültiges HTTP.',
  methodNotServed: 'Der Dienst nimmt nur {allowed} an.',
  pathOnlyRead: 'Diese Adresse kann nur gelesen werden.',
  requestTooSlow:
    'Das kam nicht rechtzeitig an. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  expectationNotMet: 'Der Dienst erfüllt keine Erwartung der Kopfzeile Expect außer 100-continue.',
  headTooLarge: 'Der Kopf der Anfrage darf höchstens {max} KiB haben.',
  targetNotHere: 'Die Anfrage muss einem Pfad oder einer Adresse mit http oder https gelten.',
  hostHeaderNotOne: 'Die Anfrage muss genau eine Kopfzeile Host haben.',
  httpVersionStrange: 'Die Anfrage muss HTTP/1.1 oder HTTP/1.0 sein.',
  serviceNotReady: 'Der Dienst startet oder ist überlastet. Versuchen Sie es gleich noch einmal.',
  answerTooLate:
    'Der Dienst hat nicht rechtzeitig geantwortet. Vielleicht wurde trotzdem etwas geändert: Sehen Sie nach, bevor Sie es noch einmal versuchen.',
  serviceUpgrading: 'Der Dienst wird gerade aktualisiert. Versuchen Sie es gleich noch einmal.',
  noSuchChallenge: 'Diese Prüfung gibt es nicht.',
  tlsAskedFromAfar: 'Das dürfen nur Rechner im eigenen Netz fragen, ohne Proxy.',
  tlsHostMissing: '„domain“ muss ein Hostname sein, etwa go.example.com.',
  tlsHostUnknown: '„domain“ ist weder der Host von PUBLIC_URL noch eine nachgewiesene Domain.',
} as const satisfies ProblemWords<typeof english>
