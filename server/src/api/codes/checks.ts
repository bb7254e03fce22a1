import { destinationsOf, qrCodeDataProblems } from '@everscan/contract/code-types/qr-code-data-problems.ts'
import type { QrCodeType } from '@everscan/contract/code-types/qr-code-data.ts'
import { isReservedShortCode } from '@everscan/contract/resources/short-codes.ts'
import { validationError } from '../http/request-errors.ts'

/** Throws 400 with every problem of the content of a code: by its type, and by where it leads. */
export function checkData(type: QrCodeType, data: Record<string, unknown>, publicUrl: string): void {
  const problems = qrCodeDataProblems(type, data, 'data')
  if (problems.length > 0) throw validationError(problems)
  const circular = destinationsOf(type, data, 'data').filter(({ url }) => leadsTo(url, publicUrl))
  if (circular.length === 0) return
  const message = `must not lead back to this service (${publicUrl})`
  throw validationError(circular.map(({ path }) => ({ path, message })))
}

/** Throws 400 for a word that is a path of ours. */
export function checkShortCode(shortCode: string | undefined): void {
  if (shortCode === undefined || !isReservedShortCode(shortCode)) return
  throw validationError([{ path: 'shortCode', message: `must not be a word of ours, got "${shortCode}"` }])
}

/** Whether an address is below the public one, in either scheme: a code that leads to a code may lead to itself. */
export function leadsTo(address: string, publicUrl: string): boolean {
  const [to, own] = [new URL(address), new URL(publicUrl)]
  const prefix = own.pathname.replace(/\/$/, '')
  return placeOf(to) === placeOf(own) && (to.pathname === prefix || to.pathname.startsWith(`${prefix}/`))
}

/** Host and port as one text: without the dot of a fully qualified name, and with the ports of both schemes taken as one. */
function placeOf({ hostname, port }: URL): string {
  return `${hostname.replace(/\.$/, '')}:${port === '80' || port === '443' ? '' : port}`
}
