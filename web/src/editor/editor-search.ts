import { qrCodeTypes, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'

/** Reads the initial type of a new code from the URL. */
export function readNewCodeSearch(search: Record<string, unknown>): { type?: QrCodeType } {
  const type = qrCodeTypes.find((one) => one === search['type'])
  return type === undefined ? {} : { type }
}

/** Reads from the URL whether the code was just created. */
export function readCodePageSearch({ created }: Record<string, unknown>): { created?: true } {
  return created === true ? { created } : {}
}
