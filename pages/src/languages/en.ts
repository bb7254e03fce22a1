import type { Allergen, Diet } from '@everscan/contract/code-types/menu-marks.ts'

/** Our own words on pages, by what they are for: in English, and by name for every language. */
export const en = {
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
  menu: {
    sections: 'Sections',
    language: 'Language of the menu',
    book: 'Book a table',
    hours: 'Opening hours',
    closed: 'Closed',
    /** Before the allergens of a dish. */
    contains: 'Contains',
    diets: {
      vegetarian: 'Vegetarian',
      vegan: 'Vegan',
      'gluten-free': 'Gluten-free',
      'lactose-free': 'Lactose-free',
      halal: 'Halal',
      kosher: 'Kosher',
      organic: 'Organic',
      spicy: 'Spicy',
    } satisfies Readonly<Record<Diet, string>>,
    allergens: {
      gluten: 'gluten',
      crustaceans: 'crustaceans',
      eggs: 'eggs',
      fish: 'fish',
      peanuts: 'peanuts',
      soybeans: 'soybeans',
      milk: 'milk',
      nuts: 'nuts',
      celery: 'celery',
      mustard: 'mustard',
      sesame: 'sesame',
      sulphites: 'sulphites',
      lupin: 'lupin',
      molluscs: 'molluscs',
    } satisfies Readonly<Record<Allergen, string>>,
  },
  social: { follow: 'Follow us' },
  app: { get: 'Get the app', ios: 'App Store', android: 'Google Play' },
  badLink: {
    title: 'This link can’t be opened',
    text: 'Its address isn’t a web address. Please tell the person who gave you this code.',
  },
  unknown: { title: 'We can’t find this code', text: 'Check the address, or scan the code again.' },
  gone: { title: 'This code is no longer in use', text: 'Its owner turned it off.' },
  later: {
    title: 'Please try again in a moment',
    text: 'We can’t look up this code right now.',
  },
  reached: { title: 'This phone reaches your codes', text: 'You can close this page and go on.' },
  home: {
    title: 'This address is for QR codes',
    text: 'Scan a code, or type the whole short address that is printed below it.',
  },
  method: { title: 'Open this address in a browser', text: 'Programs cannot send data to it.' },
  /** Why a code is closed. */
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

/** The words of a language. One that lacks a word, or has one more, does not compile. */
export type Words = typeof en
