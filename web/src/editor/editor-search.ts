import { qrCodeTypes, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'

/** What the address of a new code says: which type to begin with. */
export function readNewCodeSearch(search: Record<string, unknown>): { type?: QrCodeType } {
  const type = qrCodeTypes.find((one) => one === search['type'])
  return type === undefined ? {} : { type }
}

/** What the address of a code says: whether it was made just now. */
export function readCodePageSearch({ created }: Record<string, unknown>): { created?: true } {
  return created === true ? { created } : {}
}
