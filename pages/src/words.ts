import type { Allergen, Diet } from '@everscan/contract/code-types/menu-marks.ts'

/** Our own words on pages, by what they are for. A language that lacks one does not compile. */
export type Words = {
  contact: {
    save: string
    call: string
    mail: string
    website: string
    address: string
    note: string
  }
  wifi: {
    title: string
    network: string
    password: string
    open: string
    hidden: string
    copy: string
    copied: string
    touch: string
    picture: string
  }
  mail: { title: string; action: string; to: string; subject: string; message: string }
  sms: { title: string; action: string; to: string; message: string }
  phone: { title: string; action: string }
  menu: {
    sections: string
    language: string
    book: string
    hours: string
    closed: string
    /** Before the allergens of a dish. */
    contains: string
    diets: Readonly<Record<Diet, string>>
    allergens: Readonly<Record<Allergen, string>>
  }
  social: { follow: string }
  app: { get: string; ios: string; android: string }
  badLink: { title: string; text: string }
  unknown: { title: string; text: string }
  gone: { title: string; text: string }
  later: { title: string; text: string }
  reached: { title: string; text: string }
  home: { title: string; text: string }
  method: { title: string; text: string }
  /** Why a code is closed. */
  closed: Record<'SCHEDULED' | 'ENDED' | 'FULL', { title: string; text: string }>
  password: {
    title: string
    label: string
    action: string
    wrong: string
    limited: string
    busy: string
  }
}
