import { fieldsOf, type Fields } from '../schema/fields.ts'
import { codeType, type QrCodeType } from './code-types.ts'

/**
 * Returns where a code leads, the most telling text first: addresses, recipients, the names of a
 * network, a contact or a page, the beginning of a text. Lists show the first one, and searches
 * find all of them. A password or a message is never one of them.
 */
export function leadTexts(type: QrCodeType, data: Fields): string[] {
  return codeType(type)
    .leads(fieldsOf(data))
    .filter((text) => text.trim() !== '')
}
