import type { contentProblems as english } from '@everscan/contract/problems/content-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const contentProblems = {
  longerThan: 'Höchstens {max} Zeichen.',
  blank: 'Dieses Feld ist erforderlich.',
  requiredWith: 'Das ist zusammen mit {field} erforderlich.',
  noSuchTime: 'Diesen Zeitpunkt gibt es nicht: {got}.',

  urlWithSpaces: 'Eine Adresse hat keine Leerzeichen. Schreiben Sie stattdessen %20.',
  urlWithBackslash: 'Eine Webadresse hat keinen umgekehrten Schrägstrich (\\).',
  notHttp: 'Das ist keine Webadresse. Sie beginnt mit http:// oder https://.',
  notHttps: 'Die Adresse muss mit https:// beginnen.',
  hostIsPrivate: 'Die Adresse muss öffentlich sein, und „{hostname}“ ist privat.',
  leadsBackHere: 'Das führt zu diesem Dienst zurück ({publicUrl}).',
  leadsBackToDomain: 'Das führt zu der Domain selbst.',
  isThisInstallation: 'Das ist die Adresse dieser Installation.',
  urlWithoutHost: 'In dieser Adresse fehlt der Hostname.',
  urlWithCredentials: 'Eine Adresse darf keinen Benutzernamen und kein Passwort haben.',
  notUrl: 'Das ist keine gültige Webadresse.',
  urlWithNumber:
    'Nennen Sie einen Hostnamen, oder schreiben Sie die Adresse als vier Dezimalzahlen: Browser gingen zu {address}.',
  urlTooLongEncoded: 'Höchstens {max} Zeichen, wenn Sonderzeichen als % und Zahl geschrieben sind.',

  ssidTooLong: 'Der Name eines Netzes hat höchstens {max} Bytes.',
  passwordOfOpenNetwork: 'Ein offenes Netz hat kein Passwort.',
  wpaPasswordMissing: 'WPA braucht ein Passwort. Wählen Sie für ein offenes Netz keine Sicherheit.',
  wpaPasswordLength: 'Ein WPA-Passwort hat 8 bis 63 Zeichen.',
  noLink: 'Mindestens ein Link ist nötig.',
  appWithoutUrl: 'Eines davon ist nötig: iosUrl, androidUrl, fallbackUrl.',
  menuWithBoth: 'Entweder „url“ oder „title“ mit „sections“ ist möglich, nicht beides.',
  menuWithNeither: 'Nötig ist „url“, oder „title“ mit „sections“.',
  menuWithoutTitle: 'Eine Speisekarte mit Abschnitten braucht einen Titel.',
  menuWithoutSections: 'Eine Speisekarte mit Titel braucht Abschnitte.',
  menuLanguageTwice: 'Die Sprache „{language}“ steht hier zweimal.',
  menuLanguageUnknown: '„{language}“ ist keine der weiteren Sprachen dieser Speisekarte.',

  shortCodeOfEveryHost: 'Das verwendet der Dienst selbst. Wählen Sie etwas anderes.',
  shortCodeReserved: 'Das verwendet der Dienst selbst. Wählen Sie etwas anderes.',
  shortCodeTaken: '„{shortCode}“ ist vergeben. Wählen Sie etwas anderes.',

  notHostname: 'Das ist kein Hostname, etwa go.example.com.',
  hostnameIsAddress: 'Das muss ein Hostname sein, keine IP-Adresse.',
  hostnameWithoutDot: 'Ein Hostname hat hier einen Punkt, etwa go.example.com.',
  hostnameOfPublicUrl: 'Das ist der Host von PUBLIC_URL. Wählen Sie einen anderen.',
  hostnameOfOneNetwork:
    'Das muss ein Name sein, den das Internet kennt. Mit PRIVATE_DOMAINS=true gehen auch .internal, .local und .lan.',
  hostnameIsSuffix:
    'Das muss ein Name unter einer öffentlichen Endung sein: Eine ganze Endung gehört niemandem.',
  notPunycode: 'Schreiben Sie den Namen klein und als Punycode.',
  hostnameForm: 'Ein Hostname hat Buchstaben, Ziffern und „-“ zwischen Punkten.',

  endsBeforeItStarts: 'Das Ende muss nach dem Beginn liegen ({startsAt}).',
  endsAtNotLater: 'Das Ende muss nach dem Beginn liegen.',
  closedUrlOrMessage: 'Eine Adresse oder ein Text ist nötig, nicht beides.',

  ruleIdTwice: 'Diese Kennung hat schon eine andere Regel.',
  noSuchRuleId: 'Dieser Code hat keine Regel mit dieser Kennung. Lassen Sie die Kennung weg.',
  armNameTwice: 'Diesen Namen gibt es hier schon.',
  rulesTooLong: 'Die Regeln sind zu lang: als JSON höchstens {max} Zeichen, es sind {got}.',
  dataOrSplit: 'Eine Regel hat entweder einen Inhalt oder Varianten.',
  noSuchCountry: '„{got}“ ist kein Länderkürzel nach ISO 3166-1.',
  noSuchRegion: '„{got}“ ist kein Kürzel nach ISO 3166-2, etwa DE-BY.',
  noSuchLanguage: '„{got}“ ist kein Sprachkürzel nach BCP 47.',
  noSuchOs: '„{got}“ ist kein Betriebssystem, wie es die Statistik nennt, etwa iOS.',
  noSuchBrowser: '„{got}“ ist kein Browser, wie ihn die Statistik nennt, etwa Safari.',
  noSuchNetwork: '„{got}“ ist kein Netz in CIDR-Schreibweise, etwa 203.0.113.0/24.',
  noSuchTimeZone: '„{got}“ ist keine IANA-Zeitzone, etwa Europe/Berlin.',
  fromEqualsTo: 'Beginn und Ende müssen verschieden sein.',
  timeZoneMissing: 'Tage und Uhrzeiten brauchen eine Zeitzone.',

  labelsBeyondPage:
    'Mit diesem Etikett höchstens {max}: Die Seite hat {pageMm} mm, davon gehen {marginMm} mm Rand ab.',
  labelBeyondPage: 'Höchstens {max}: Die Seite hat {pageMm} mm, davon gehen {marginMm} mm Rand ab.',
} as const satisfies ProblemWords<typeof english>
