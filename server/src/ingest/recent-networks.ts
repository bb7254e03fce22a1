import { networkScansMin, type NetworkShare } from '../db/scans/network-shares.ts'

const recentMax = 1_000

/** Returns the networks of the last thousand scans, including those of another batch. */
export function withRecent(recent: readonly string[], more: readonly string[]): string[] {
  return [...recent, ...more.slice(-recentMax)].slice(-recentMax)
}

/** Returns the share of the most frequent network, or undefined if there are too few scans. */
export function networkShareOf(networks: readonly string[]): NetworkShare | undefined {
  if (networks.length < networkScansMin) return undefined
  const counts = new Map<string, number>()
  for (const network of networks) counts.set(network, (counts.get(network) ?? 0) + 1)
  return { scans: networks.length, largest: Math.max(...counts.values()) }
}
