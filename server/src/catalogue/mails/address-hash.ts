import { createHmac } from 'node:crypto'
import { derivedKey } from '../../secret-box.ts'
import { normalEmail } from '../accounts/users.ts'

/** Hashes addresses, which the catalogue keeps no longer than it needs them. */
export type AddressHash = (address: string) => string

/** Without SECRET, nobody can try out which addresses the catalogue knows. */
export function createAddressHash(secret: string): AddressHash {
  const key = derivedKey(secret, 'addresses of mails')
  return (address) => createHmac('sha256', key).update(normalEmail(address)).digest('hex')
}

/** The part of an address that an operator sees: enough to find out who is written to. */
export function domainOf(address: string): string {
  return normalEmail(address).split('@').at(-1) ?? ''
}
