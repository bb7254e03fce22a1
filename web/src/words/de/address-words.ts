import type { addressWords as English } from '../address-words.ts'

/** German. */
export const addressWords: typeof English = {
  title: 'Welche Adresse erreichen Telefone?',
  notice: {
    PRIVATE: (address) =>
      `Drucken Sie noch nicht: Ihre Codes enthalten ${address}. Telefone außerhalb dieses Netzes können das nicht öffnen.`,
    INSECURE: (address) =>
      `Drucken Sie noch nicht: Ihre Codes enthalten ${address}, also kein https. Telefone warnen davor oder öffnen es nicht.`,
    NOT_REACHED: (address) =>
      `Drucken Sie noch nicht: Bisher hat kein Telefon ${address} von außen geöffnet.`,
  },
  open: 'Mit einem Telefon prüfen',
  fact: {
    PRIVATE: (address) =>
      `Jeder Code, den Sie drucken, enthält die Adresse dieses Dienstes. Zurzeit ist das ${address}: Sie gilt nur auf diesem Rechner oder in diesem Netz.`,
    INSECURE: (address) =>
      `Jeder Code, den Sie drucken, enthält die Adresse dieses Dienstes. Zurzeit ist das ${address}: Ohne https warnen Telefone davor oder öffnen sie nicht.`,
    NOT_REACHED: (address) =>
      `Jeder Code, den Sie drucken, enthält die Adresse dieses Dienstes, ${address}. Von außen wurde sie bisher nicht geöffnet.`,
  },
  ready: (address) => `Telefone erreichen ${address} von außen.`,
  change: 'Der Betreiber des Dienstes legt die Adresse mit PUBLIC_URL fest.',
  scan: 'Scannen Sie diesen Code mit einem Telefon über mobile Daten, nicht über Ihr WLAN. Sobald er ankommt, wird dies grün.',
  scanInside: 'Scannen Sie diesen Code, um zu sehen, ob ein Telefon in diesem Netz die Adresse erreicht.',
  waiting: 'Warten auf das Telefon …',
  insideOnly: 'Ein Telefon in diesem Netz hat sie geöffnet.',
  inside:
    'Ein Telefon in Ihrem eigenen Netz hat sie geöffnet. Versuchen Sie es noch einmal über mobile Daten. Falls es mobile Daten benutzt hat, verbirgt ein Proxy, woher Besucher kommen.',
  proxyCheck: 'Proxy-Prüfung',
  outside: 'Ein Telefon hat sie von außen geöffnet.',
  failed: 'Der Code konnte nicht erzeugt werden.',
  alt: 'QR-Code zum Prüfen der Adresse',
  local: 'Nur für dieses Netz',
  localHint:
    'Ihre Codes sind für Telefone, die ohnehin in diesem Netz sind, etwa in einer Werkstatt oder einem Museum.',
  localDone: 'Codes sind jetzt nur für Telefone in diesem Netz.',
  localNow: 'Sie haben angegeben, dass Ihre Codes nur für Telefone in diesem Netz sind.',
  localEnd: 'Codes sind für Telefone überall',
}
