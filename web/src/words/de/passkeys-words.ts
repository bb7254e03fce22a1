import type { passkeysWords as English } from '../passkeys-words.ts'

/** German. */
export const passkeysWords: typeof English = {
  or: 'oder',
  signIn: 'Mit einem Passkey anmelden',
  title: 'Passkeys',
  text: 'Melden Sie sich mit Fingerabdruck, Gesicht oder PIN Ihres Geräts an statt mit einem Passwort. Ein Passkey bleibt auf dem Gerät oder in Ihrem Passwortmanager. Ihr Fingerabdruck oder Gesicht verlässt das Gerät nie.',
  offHere:
    'Passkeys funktionieren unter der Adresse dieser Installation nicht. Browser erlauben sie nur unter Adressen, die mit https beginnen und einen Namen haben, etwa https://qr.example.com. Der Betreiber kann das ändern.',
  noBrowser:
    'Dieser Browser hat unter dieser Adresse keine Passkeys. Öffnen Sie die Verwaltung über https, oder verwenden Sie einen anderen Browser.',
  none: 'Sie haben noch keine Passkeys.',
  first:
    'Sobald Sie einen haben, wird bei der Anmeldung mit Passwort zusätzlich nach einem Passkey gefragt, oder nach einem der Wiederherstellungscodes, die Sie erhalten.',
  add: 'Passkey hinzufügen',
  added: (name) => `„${name}“ wurde hinzugefügt.`,
  here: 'Dieses Gerät',
  elsewhere: 'Sicherheitsschlüssel oder Telefon',
  backedUp: 'In einem Passwortmanager gespeichert',
  notBackedUp: 'Nur auf einem Gerät',
  addedWhen: (when) => `hinzugefügt ${when}`,
  neverUsed: 'noch nicht verwendet',
  rename: 'Umbenennen',
  renameLabel: (name) => `${name} umbenennen`,
  renameTitle: 'Passkey umbenennen',
  remove: 'Entfernen',
  removeLabel: (name) => `${name} entfernen`,
  removeTitle: (name) => `„${name}“ entfernen?`,
  removeText:
    'Damit können Sie sich dann nicht mehr anmelden. Löschen Sie ihn auch auf seinem Gerät, sonst bietet der Browser ihn weiter an.',
  removeLast:
    'Das ist Ihr letzter zweiter Faktor: Danach genügt Ihr Passwort zur Anmeldung, und Ihre Wiederherstellungscodes gelten nicht mehr.',
  removeAction: 'Passkey entfernen',
  cancelled:
    'Es wurde kein Passkey verwendet: Das Fenster wurde geschlossen, oder es dauerte zu lange. Versuchen Sie es erneut.',
  alreadyThere: 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
  wrongAddress: (host) => `Passkeys funktionieren nur unter ${host}. Öffnen Sie die Verwaltung dort.`,
  unsuitable:
    'Dieses Gerät kann keinen Passkey speichern, der nach Fingerabdruck, Gesicht oder PIN fragt. Versuchen Sie ein anderes.',
  failed:
    'Der Browser konnte keinen Passkey verwenden. Versuchen Sie es erneut, oder melden Sie sich auf andere Weise an.',
}
