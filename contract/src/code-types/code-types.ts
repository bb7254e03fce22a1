import type { Static } from 'typebox'
import { oneOf } from '../schema/common.ts'
import type { Fields } from '../schema/fields.ts'
import { keysOf } from '../schema/records.ts'
import { app } from './app.ts'
import type { CodeType, System } from './code-type.ts'
import { email } from './email.ts'
import { menu } from './menu.ts'
import { pdf } from './pdf.ts'
import { phone } from './phone.ts'
import { sms } from './sms.ts'
import { social } from './social.ts'
import { text } from './text.ts'
import { url } from './url.ts'
import { vcard } from './vcard.ts'
import { video } from './video.ts'
import { wifi } from './wifi.ts'

/** Every type of code. Each has its own file. */
export const codeTypes = {
  URL: url,
  VCARD: vcard,
  WIFI: wifi,
  PDF: pdf,
  EMAIL: email,
  SMS: sms,
  PHONE: phone,
  TEXT: text,
  MENU: menu,
  APP: app,
  VIDEO: video,
  SOCIAL: social,
} as const satisfies Readonly<Record<string, CodeType>>

export type QrCodeType = keyof typeof codeTypes
export const qrCodeTypes: readonly QrCodeType[] = keysOf(codeTypes)

export const QrCodeType = oneOf(qrCodeTypes, {
  description: 'What the code is for.',
})

/** Content by type: `QrCodeDataByType['WIFI']`. */
export type QrCodeDataByType = { [T in QrCodeType]: Static<(typeof codeTypes)[T]['schema']> }
export type QrCodeData = QrCodeDataByType[QrCodeType]

/** Types of which some or all codes show a page of this service. */
export type PageType = {
  [T in QrCodeType]: (typeof codeTypes)[T]['answers'] extends 'redirect' ? never : T
}[QrCodeType]

/** Names of the fields in `Data` below `Path`. List entries have no number. */
type FieldsIn<Data, Path extends string> = {
  [Name in keyof Data & string]-?: `${Path}.${Name}` | FieldsBelow<NonNullable<Data[Name]>, `${Path}.${Name}`>
}[keyof Data & string]
type FieldsBelow<Value, Path extends string> = Value extends readonly (infer Entry)[]
  ? Entry extends object
    ? FieldsIn<Entry, Path>
    : never
  : Value extends object
    ? FieldsIn<Value, Path>
    : never

/** Every field of every type: `VCARD.address.city`, `SOCIAL.links.url`. */
export type ContentField = { [T in QrCodeType]: FieldsIn<QrCodeDataByType[T], T> }[QrCodeType]

/** Returns the definition of a type, whichever it is. */
export const codeType = (type: QrCodeType): CodeType => codeTypes[type]

/** Returns whether a word names a type. Data of a later release may name others. */
export function isQrCodeType(word: string): word is QrCodeType {
  return Object.hasOwn(codeTypes, word)
}

/** Returns whether some codes of the type show a page. */
export function isPageType(type: QrCodeType): type is PageType {
  return codeTypes[type].answers !== 'redirect'
}

/** Returns the address that a scan is sent to, as written. Undefined: the scan gets the page. */
export function redirectOf(type: QrCodeType, data: Fields, system: System): string | undefined {
  const found = codeType(type)
  return found.answers === 'page' ? undefined : found.redirect(data, system)
}
