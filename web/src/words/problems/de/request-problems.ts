import type { requestProblems as english } from '@everscan/contract/problems/request-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const requestProblems = {
  noSuchRecord: 'In dieser Organisation gibt es nichts mit dieser Kennung.',
  eventsNotKept:
    'Das Ereignis aus Last-Event-ID ist nicht mehr gespeichert. Es geht mit dem ältesten weiter, das es noch ist.',
  nothingHere: 'Unter dieser Adresse gibt es nichts.',
  urlNotValid: 'Die Adresse ist nicht gültig.',
  urlEncodingNotValid: 'Der Pfad der Adresse hat eine ungültige Prozent-Schreibweise.',
  methodNotAllowed: 'Dieser Endpunkt nimmt {allowed} an, nicht {method}.',
  formatsRefused: 'Accept lehnt image/png ab. Nennen Sie ein anderes Format: {formats}.',

  bodyNotJson: 'Der Inhalt der Anfrage ist kein gültiges JSON.',
  bodyNotUtf8: 'Der Inhalt der Anfrage ist kein gültiges UTF-8.',
  bodyEmpty: 'Die Anfrage ist leer; erwartet wurde JSON.',
  bodyTooLarge: 'Die Anfrage ist größer, als dieser Endpunkt annimmt.',
  bodyOfOtherLength: 'Die Länge der Anfrage passt nicht zur Kopfzeile Content-Length.',
  bodyEncoded:
    'Die Anfrage darf nicht kodiert sein (Content-Encoding: {encoding}). Senden Sie sie, wie sie ist.',
  contentTypeMissing: 'Die Kopfzeile Content-Type fehlt.',
  contentTypeNotJson: 'Die Anfrage muss JSON sein, mit der Kopfzeile Content-Type: application/json.',
  contentTypeNotForm:
    'Die Anfrage muss ein Formular mit einer Datei sein, mit der Kopfzeile Content-Type: multipart/form-data.',
  messagesInBatch: 'Stapel werden nicht angenommen: Senden Sie jede Nachricht einzeln.',

  formNotValid: 'Das Formular ist unvollständig oder kein gültiges multipart/form-data.',
  formFieldUnknown: 'Das Formular hat ein unbekanntes Feld.',
  formTooLong: 'Das Formular hat höchstens {max} Felder.',
  fileTooLarge:
    'Die Datei ist größer als {maxMb} MB. Teilen Sie sie auf, und senden Sie die Teile nacheinander.',
  notFile: 'Das muss eine Datei mit einem Dateinamen sein.',
  fieldNotJson: 'Das muss JSON sein.',

  emptyWithout: 'Ohne „{field}“ ist das erforderlich.',
  tooManyTogether: 'Zusammen mit „{field}“ höchstens {max} Einträge.',
  inBodyOrQuery: 'Das muss entweder im Inhalt der Anfrage oder in ihrer Adresse stehen.',
  filterOfWaiting: 'Das geht nicht mit waiting=true, womit nur domainId, page und limit möglich sind.',
  idempotencyKeyForm: '1 bis {max} sichtbare ASCII-Zeichen.',
  idempotencyKeyUsed:
    'Dieser Idempotency-Key wurde für eine andere Anfrage verwendet. Nehmen Sie einen neuen.',

  replayedDays: 'Höchstens {max} Tage; der längste Zeitraum, der passt, beginnt am {start}.',
  replayedScans: ({ max, start }) =>
    `Höchstens ${max.toLocaleString('de')} Scans; der längste Zeitraum, der passt, beginnt am ${start}.`,
  replayedTime:
    'Höchstens so viel, wie in {seconds} s gelesen werden kann; der längste Zeitraum, der passt, beginnt am {start}.',
  pictureTooLarge:
    'Das Bild hat {bytes} Bytes, und ein Werkzeug gibt höchstens {max} zurück. Wählen Sie eine kleinere Größe oder das Format „png“, oder laden Sie es von seiner imageUrl.',
  requestTookTooLong: 'Die Anfrage hat zu lange gedauert. Versuchen Sie es gleich noch einmal.',
  scanStoreUnavailable:
    'Der Speicher der Scans ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.',
  catalogueUnavailable: 'Der Katalog ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.',
  internalError:
    'Im Dienst ist ein unerwarteter Fehler aufgetreten. Versuchen Sie es erneut; geschieht es wieder, sagen Sie es dem Betreiber.',
  clientGone: 'Die Verbindung wurde beendet, bevor die Anfrage verarbeitet war.',
  noSuchTool: 'Es gibt kein Werkzeug mit diesem Namen: siehe tools/list.',
  mailNotSent: 'Die E-Mail konnte nicht gesendet werden. Versuchen Sie es gleich noch einmal.',
} as const satisfies ProblemWords<typeof english>
