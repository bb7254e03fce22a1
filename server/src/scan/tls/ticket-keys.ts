import { hkdfSync } from 'node:crypto'

const dayMs = 86_400_000
/** Node's own keys of tickets have this length. */
const keyBytes = 48

/**
 * Returns the keys that seal session tickets on a day (UTC). All fronts derive the same, so a
 * client resumes its session in whichever it meets; a ticket of the day before costs a full
 * handshake.
 */
export function ticketKeys(secret: string, nowMs: number): Buffer {
  const day = Math.floor(nowMs / dayMs)
  return Buffer.from(hkdfSync('sha256', secret, '', `everscan session tickets ${day}`, keyBytes))
}
