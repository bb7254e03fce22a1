import { fileScans } from './files/file-scans.ts'
import { engineClient } from './files/socket/engine-client.ts'
import type { ScanStore } from './scan-store.ts'

/** Returns the scans in files, which the engine on a socket reads. */
export function scansInFiles(socketPath: string): ScanStore {
  const client = engineClient(socketPath)
  return {
    ...fileScans(client),
    // Files of earlier releases are read as they are.
    readRewrite: async () => ({
      rows: 0,
      rowsLeft: 0,
      startedAtMs: undefined,
      endsAtMs: undefined,
      problem: '',
    }),
    ping: client.ping,
    // Each call has a connection of its own.
    close: async () => {},
  }
}
