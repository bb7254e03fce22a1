import type { finderWords as EnglishFinder, pictureWords as EnglishPicture } from '../finder-words.ts'

/** German. */
export const finderWords: typeof EnglishFinder = {
  open: 'Überall suchen',
  openHint: (keys) => `Überall suchen (${keys})`,
  title: 'Suchen',
  placeholder: 'Name, Kurzcode, Ziel, Schlagwort …',
  results: 'Ergebnisse',
  count: (results, written) =>
    results === 0 ? 'Keine Ergebnisse' : results === 1 ? '1 Ergebnis' : `${written} Ergebnisse`,
  searching: 'Wird gesucht …',
  nothing: (typed) => `Nichts gefunden für „${typed}“`,
  nothingHint: 'Versuchen Sie es mit weniger Wörtern oder einem Teil des Kurzcodes.',
  offline: 'Codes und Ordner lassen sich gerade nicht durchsuchen. Seiten und Aktionen funktionieren weiter.',
  failed: 'Die Suche ist fehlgeschlagen.',
  moreCodes: (written) => `Alle ${written} Codes anzeigen`,
  groups: {
    recent: 'Zuletzt geöffnet',
    changed: 'Zuletzt geändert',
    codes: 'Codes',
    folders: 'Ordner',
    actions: 'Aktionen',
    pages: 'Seiten',
  },
  keys: [
    ['↑ ↓', 'auswählen'],
    ['Enter', 'öffnen'],
    ['Esc', 'schließen'],
  ],
  actions: {
    newCode: 'Neuer Code',
    import: 'Datei importieren',
    invite: 'Mitglied einladen',
    picture: 'Mit Bild suchen',
    newKey: 'API-Schlüssel erstellen',
  },
  alsoNamed: {
    newCode: 'erstellen anlegen hinzufügen qr',
    import: 'hochladen csv excel viele tabelle',
    invite: 'benutzer team personen nutzer',
    picture: 'kamera scannen foto plakat',
    newKey: 'entwickler token schnittstelle',
    analytics: 'scans analyse auswertung zahlen',
    bin: 'gelöscht wiederherstellen müll',
    account: 'passwort sprache dunkel passkey zwei-faktor profil',
    auditLog: 'verlauf änderungen audit',
    members: 'benutzer team personen rollen',
  },
  pages: {
    bin: 'Papierkorb',
    members: 'Mitglieder',
    auditLog: 'Protokoll',
  },
  archived: 'archiviert',
}

export const pictureWords: typeof EnglishPicture = {
  open: 'Mit Bild suchen',
  title: 'Mit Bild suchen',
  text: 'Halten Sie einen gedruckten Code vor die Kamera, oder wählen Sie ein Foto davon. Kein Bild verlässt diesen Browser.',
  camera: 'Kamera verwenden',
  stop: 'Kamera ausschalten',
  cameraView: 'Bild der Kamera',
  looking: 'Ein Code wird gesucht …',
  photo: 'Foto hier ablegen oder einfügen',
  choose: 'oder auswählen',
  hint: 'PNG, JPEG, WebP oder HEIC, wenn Ihr Browser es öffnet',
  reading: 'Das Bild wird gelesen …',
  back: 'Zurück zur Suche',
  noCode:
    'In diesem Bild ist kein QR-Code zu finden. Versuchen Sie ein schärferes Foto oder gehen Sie näher heran.',
  notPicture: 'Diese Datei ist kein Bild, das Ihr Browser öffnen kann.',
  foreign: 'Dieses Bild enthält Folgendes, und das ist keiner Ihrer Codes:',
  hidden: (shortCode) =>
    `Der Kurzcode ${shortCode} gehört zu dieser Installation, aber Sie können seinen Code nicht sehen. Er wurde gelöscht, oder er ist in einer Organisation, der Sie nicht angehören.`,
  denied: 'Die Kamera ist für diese Seite gesperrt. Erlauben Sie sie im Browser, oder wählen Sie ein Foto.',
  noCamera: 'Keine Kamera gefunden. Wählen Sie stattdessen ein Foto.',
  insecure: 'Browser öffnen die Kamera nur auf https-Seiten. Wählen Sie stattdessen ein Foto.',
}
