import type { memberProblems as english } from '@everscan/contract/problems/member-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const memberProblems = {
  tooFewDifferentCharacters: 'Mindestens {min} verschiedene Zeichen.',
  passwordOfOwnWord: '„{word}“ können andere erraten. Wählen Sie ein anderes Passwort.',
  passwordCommon: 'Das ist eines der häufigsten Passwörter. Wählen Sie ein anderes.',

  requiredForNewAccount: 'Das ist erforderlich: Für diese E-Mail-Adresse gibt es noch kein Konto.',
  requiredForAccount: 'Das ist erforderlich: Für diese E-Mail-Adresse gibt es schon ein Konto.',
  leftOutForAccount: 'Lassen Sie das weg: Für diese E-Mail-Adresse gibt es schon ein Konto.',
  notPasswordOfAccount: 'Das ist nicht das Passwort des Kontos mit dieser E-Mail-Adresse.',
  accountChangedMeanwhile:
    'Das Konto mit dieser E-Mail-Adresse wurde gerade erstellt oder bestätigt. Versuchen Sie es erneut.',
  addressHasAccount: 'Für diese E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich an.',
  invitationAccepted: 'Diese Einladung wurde schon angenommen. Entfernen Sie stattdessen das Mitglied.',
  memberAlready: 'Das Konto mit dieser E-Mail-Adresse ist schon Mitglied.',
  onlyAdmin:
    'Dieses Mitglied ist der einzige Admin der Organisation. Machen Sie zuerst ein anderes Mitglied zum Admin.',

  secondFactorMissing: 'Dieses Konto verwendet die Zwei-Faktor-Anmeldung. Der zweite Faktor fehlt.',
  notRecoveryCode: 'Geben Sie einen Wiederherstellungscode ein, den Sie noch nicht verwendet haben.',
  notPasskeyAnswer: 'Das ist nicht die Antwort eines Passkeys auf „options“.',
  passkeysNotHere:
    'Passkeys gehen hier nicht: PUBLIC_URL muss https mit einem Hostnamen sein, etwa https://qr.example.com.',
} as const satisfies ProblemWords<typeof english>
