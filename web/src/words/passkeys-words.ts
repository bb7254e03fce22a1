import { inLanguage } from './chosen-language.ts'

/** Words of signing in with passkeys, and of their list. */
export const passkeysWords = inLanguage('passkeysWords', {
  or: 'or',
  signIn: 'Sign in with a passkey',
  title: 'Passkeys',
  text: 'Sign in with the fingerprint, face or PIN of your device instead of a password. A passkey stays on the device or in your password manager. Your fingerprint or face never leaves the device.',
  offHere:
    'Passkeys do not work at the address of this installation. Browsers allow them only at addresses that begin with https and have a name, such as https://qr.example.com. The operator can change that.',
  noBrowser:
    'This browser has no passkeys at this address. Open the dashboard over https, or use another browser.',
  none: 'You have no passkeys yet.',
  first:
    'Once you have one, signing in with your password also asks for a passkey, or for one of the recovery codes that you get.',
  add: 'Add a passkey',
  added: (name: string) => `“${name}” was added.`,
  here: 'This device',
  elsewhere: 'Security key or phone',
  backedUp: 'Saved in a password manager',
  notBackedUp: 'On one device only',
  addedWhen: (when: string) => `added ${when}`,
  neverUsed: 'not used yet',
  rename: 'Rename',
  renameLabel: (name: string) => `Rename ${name}`,
  renameTitle: 'Rename the passkey',
  remove: 'Remove',
  removeLabel: (name: string) => `Remove ${name}`,
  removeTitle: (name: string) => `Remove “${name}”?`,
  removeText:
    'It can no longer sign you in. Delete it on its device, too, or the browser will keep offering it.',
  removeLast:
    'It is your last second factor: after this, your password alone signs you in, and your recovery codes stop working.',
  removeAction: 'Remove passkey',
  cancelled: 'No passkey was used: the window was closed or took too long. Try again.',
  alreadyThere: 'This device has a passkey for your account already.',
  wrongAddress: (host: string) => `Passkeys work only at ${host}. Open the dashboard there.`,
  unsuitable:
    'This device cannot keep a passkey that asks for a fingerprint, a face or a PIN. Try another one.',
  failed: 'The browser could not use a passkey. Try again, or use another way to sign in.',
})
