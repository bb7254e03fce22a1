import { networkScansMin, type NetworkShare } from '../db/scans/network-shares.ts'

const recentMax = 1_000

/** The networks of the last thousand scans, with those of a further batch. */
export function withRecent(recent: readonly string[], more: readonly string[]): string[] {
  return [...recent, ...more.slice(-recentMax)].slice(-recentMax)
}

/** Undefined while there are too few to tell. */
export function networkShareOf(networks: readonly string[]): NetworkShare | undefined {
  if (networks.length < networkScansMin) return undefined
  const counts = new Map<string, number>()
  for (const network of networks) counts.set(network, (counts.get(network) ?? 0) + 1)
  return { scans: networks.length, largest: Math.max(...counts.values()) }
}
