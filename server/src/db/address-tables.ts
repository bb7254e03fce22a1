/** The tables of the public address: see catalogue/installation/public-addresses.ts. */
export type AddressTables = {
  public_addresses: PublicAddressesTable
  address_checks: AddressChecksTable
}

/** Public addresses (settings) that something from outside has opened. */
type PublicAddressesTable = { url: string; reached_at_ms: number }

/** Checks of the public address with a phone. */
type AddressChecksTable = {
  organization_id: string
  id: string
  created_at_ms: number
  seen_at_ms: number | null
  /** 1 or 0; null until it was seen. */
  from_outside: number | null
}
