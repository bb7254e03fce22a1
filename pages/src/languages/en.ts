import type { Words } from '../words.ts'

/** English. */
export const en: Words = {
  contact: {
    save: 'Save contact',
    call: 'Call',
    mail: 'Write an e-mail',
    website: 'Website',
    address: 'Address',
    note: 'Note',
  },
  wifi: {
    title: 'Join the Wi-Fi',
    network: 'Network',
    password: 'Password',
    open: 'No password needed',
    hidden: 'The network hides its name: type it in the Wi-Fi settings.',
    copy: 'Copy',
    copied: 'Copied',
    touch: 'Touch the password to select it, then copy it.',
    picture: 'To join with another phone, scan this picture with its camera.',
  },
  mail: { title: 'Write an e-mail', action: 'Open e-mail', to: 'To', subject: 'Subject', message: 'Message' },
  sms: { title: 'Send a message', action: 'Open message', to: 'To', message: 'Message' },
  phone: { title: 'Call', action: 'Call now' },
  menu: { sections: 'Sections' },
  social: { follow: 'Follow us' },
  app: { get: 'Get the app', ios: 'App Store', android: 'Google Play' },
  badLink: {
    title: 'This link cannot be opened',
    text: 'Its address is not a web address. Please tell whoever gave you this code.',
  },
  unknown: { title: 'This code is not known here', text: 'Check the address, or scan the code again.' },
  gone: { title: 'This code is no longer in use', text: 'Its owner has switched it off.' },
  later: {
    title: 'One moment, please',
    text: 'This code cannot be looked up right now. Try again in a moment.',
  },
  method: { title: 'This address is for opening', text: 'Open it in a browser, or scan the code.' },
}
