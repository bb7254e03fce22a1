import type { Words } from '../words.ts'

/** German. */
export const de: Words = {
  contact: {
    save: 'Kontakt speichern',
    call: 'Anrufen',
    mail: 'E-Mail schreiben',
    website: 'Website',
    address: 'Adresse',
    note: 'Notiz',
  },
  wifi: {
    title: 'Mit dem WLAN verbinden',
    network: 'Netzwerk',
    password: 'Passwort',
    open: 'Kein Passwort nötig',
    hidden: 'Das Netzwerk verbirgt seinen Namen: Geben Sie ihn in den WLAN-Einstellungen ein.',
    copy: 'Passwort kopieren',
    copied: 'Passwort kopiert',
    touch: 'Passwort antippen, um es auszuwählen, dann kopieren.',
    picture: 'Mit einem anderen Telefon verbinden: dieses Bild mit dessen Kamera scannen.',
  },
  mail: {
    title: 'E-Mail schreiben',
    action: 'E-Mail öffnen',
    to: 'An',
    subject: 'Betreff',
    message: 'Nachricht',
  },
  sms: { title: 'Nachricht senden', action: 'Nachricht öffnen', to: 'An', message: 'Nachricht' },
  phone: { title: 'Anrufen', action: 'Jetzt anrufen' },
  menu: { sections: 'Abschnitte' },
  social: { follow: 'Folgen Sie uns' },
  app: { get: 'App laden', ios: 'App Store', android: 'Google Play' },
  badLink: {
    title: 'Dieser Link lässt sich nicht öffnen',
    text: 'Seine Adresse ist keine Webadresse. Bitte geben Sie dem Anbieter des Codes Bescheid.',
  },
  unknown: {
    title: 'Diesen Code gibt es hier nicht',
    text: 'Prüfen Sie die Adresse, oder scannen Sie den Code noch einmal.',
  },
  gone: { title: 'Dieser Code wird nicht mehr verwendet', text: 'Der Inhaber hat ihn abgeschaltet.' },
  later: {
    title: 'Bitte gleich noch einmal versuchen',
    text: 'Dieser Code lässt sich gerade nicht abrufen.',
  },
  reached: { title: 'Dieses Telefon erreicht Ihre Codes', text: 'Sie können diese Seite schließen.' },
  home: {
    title: 'Hier sind QR-Codes zu Hause',
    text: 'Scannen Sie einen Code, oder geben Sie die ganze kurze Adresse ein, die darunter steht.',
  },
  method: {
    title: 'Öffnen Sie diese Adresse in einem Browser',
    text: 'Programme können keine Daten an sie senden.',
  },
  closed: {
    SCHEDULED: {
      title: 'Dieser Code ist noch nicht freigegeben',
      text: 'Bitte versuchen Sie es später noch einmal.',
    },
    ENDED: { title: 'Dieser Code ist abgelaufen', text: 'Er war nur eine begrenzte Zeit gültig.' },
    FULL: {
      title: 'Dieser Code ist ausgeschöpft',
      text: 'Er war nur für eine begrenzte Zahl von Scans gültig.',
    },
  },
  password: {
    title: 'Passwort eingeben',
    label: 'Passwort',
    action: 'Weiter',
    wrong: 'Dieses Passwort ist nicht richtig.',
    limited: 'Zu viele falsche Passwörter. Versuchen Sie es in einigen Minuten noch einmal.',
    busy: 'Gerade sind viele hier. Versuchen Sie es gleich noch einmal.',
  },
}
