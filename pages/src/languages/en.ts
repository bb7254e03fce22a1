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
    copy: 'Copy password',
    copied: 'Password copied',
    touch: 'Tap the password to select it, then copy it.',
    picture: 'To connect another phone, scan this picture with its camera.',
  },
  mail: { title: 'Write an e-mail', action: 'Open e-mail', to: 'To', subject: 'Subject', message: 'Message' },
  sms: { title: 'Send a message', action: 'Open message', to: 'To', message: 'Message' },
  phone: { title: 'Call', action: 'Call now' },
  menu: { sections: 'Sections' },
  social: { follow: 'Follow us' },
  app: { get: 'Get the app', ios: 'App Store', android: 'Google Play' },
  badLink: {
    title: "This link can't be opened",
    text: "Its address isn't a web address. Please tell the person who gave you this code.",
  },
  unknown: { title: "We can't find this code", text: 'Check the address, or scan the code again.' },
  gone: { title: 'This code is no longer in use', text: 'Its owner turned it off.' },
  later: {
    title: 'Please try again in a moment',
    text: "We can't look up this code right now.",
  },
  reached: { title: 'This phone reaches your codes', text: 'You can close this page and go on.' },
  home: {
    title: 'This is a home of QR codes',
    text: 'Scan a code, or type the whole short address that is printed below it.',
  },
  method: { title: 'Open this address in a browser', text: 'Programs cannot send data to it.' },
  closed: {
    SCHEDULED: { title: 'This code is not open yet', text: 'Please try again later.' },
    ENDED: { title: 'This code has ended', text: 'It was open for a limited time.' },
    FULL: { title: 'This code is used up', text: 'It was open for a limited number of scans.' },
  },
  password: {
    title: 'Enter the password',
    label: 'Password',
    action: 'Continue',
    wrong: 'That password is not right.',
    limited: 'Too many wrong passwords. Try again in a few minutes.',
    busy: 'Many people are here right now. Try again in a moment.',
  },
}
