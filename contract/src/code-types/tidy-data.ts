import { tidy } from '../schema/tidying.ts'
import { codeType, type QrCodeType } from './code-types.ts'

/**
 * Writes the content of a code as its schema spells it, in place: trimmed, addresses with their
 * scheme, without nulls. With `keepsAddresses`, an address without a scheme stays one, as in rows
 * of an import.
 */
export function tidyData(
  type: QrCodeType,
  data: unknown,
  { keepsAddresses = false }: { keepsAddresses?: boolean } = {},
): void {
  tidy(codeType(type).schema, data, { dropsNulls: true, completesAddresses: !keepsAddresses })
}
