// The engine of files in a process of its own, as the service has it: `node engine-process.ts
// DATA_DIR SOCKET_PATH`. Ends with its parent.
import process from 'node:process'
import { runFileEngine } from '@everscan/server/app/file-engine.ts'
import { createLog } from '@everscan/server/log.ts'

const [dataDir = '', socketPath = ''] = process.argv.slice(2)
const log = createLog({ level: 'warn', role: 'engine' })
const engine = await runFileEngine({ dataDir, databaseUrl: undefined }, socketPath, { log })
process.once('disconnect', () => {
  void engine.close().then(() => process.exit())
})
process.send?.('ready')
