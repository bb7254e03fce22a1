import { leadTexts } from '@everscan/contract/code-types/lead-texts.ts'
import { foldText } from '@everscan/contract/schema/folding.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'
import { nameOrder } from './name-order.ts'

/** 50 tags and an address of the greatest length; further addresses are cut. */
const contentCharsMax = 8_000

/** Searches have no line breaks, so no word is found across two texts. */
const separator = '\n'

/** The fields of a code that searches compare. */
export type SearchedCode = Pick<QrCodeRow, 'name' | 'type' | 'data' | 'tags' | 'version'>

/** Returns what searches and the order by name compare: columns of the code. */
export function searchColumns({ name, type, data, tags, version }: SearchedCode) {
  const texts = [...tags, ...leadTexts(type, data).flatMap(spellings)].map(storable)
  return {
    name_folded: foldText(name),
    content_folded: texts.join(separator).slice(0, contentCharsMax).toWellFormed(),
    name_order: nameOrder(name),
    search_version: version,
  }
}

/** PostgreSQL stores no NUL, which a decoded address can have. */
function storable(text: string): string {
  return foldText(text).replaceAll('\0', ' ')
}

/** Returns a text as it is written, and as people may type it. */
function spellings(text: string): string[] {
  const others = [decoded(text), /^[+\d][\d\s()./-]+$/.test(text) ? text.replace(/[^+\d]/g, '') : text]
  return [...new Set([text, ...others])]
}

function decoded(address: string): string {
  try {
    // A line break would join two texts.
    return address.includes('%') ? decodeURI(address).replace(/\s+/gu, ' ') : address
  } catch {
    return address
  }
}
