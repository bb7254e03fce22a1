import { qrCodeTypes, type QrCodeType } from '@everscan/contract/qr-code-data.ts'
import { qrCodeSorts, qrCodeStatuses, type QrCodeStatus } from '@everscan/contract/qr-codes.ts'

export const codeSorts = qrCodeSorts
export const codeStatuses = qrCodeStatuses

/** What the address of the list says; absent: everything, newest first, the first page. */
export type CodeSearch = {
  page?: number | undefined
  q?: string | undefined
  type?: QrCodeType | undefined
  status?: QrCodeStatus | undefined
  sort?: (typeof codeSorts)[number] | undefined
}

/** Addresses are typed and pasted: what is not understood is left out. */
export function readCodeSearch(search: Record<string, unknown>): CodeSearch {
  const page = Number(search['page'])
  const q = search['q']
  return {
    page: Number.isInteger(page) && page > 1 ? page : undefined,
    q: (typeof q === 'string' || typeof q === 'number') && q !== '' ? String(q) : undefined,
    type: qrCodeTypes.find((one) => one === search['type']),
    status: codeStatuses.find((one) => one === search['status']),
    sort: codeSorts.find((one) => one === search['sort']),
  }
}
