// An engine in a process of its own, for tests that kill it.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { createLog } from '../../../log.ts'
import { ScanEngine } from '../parquet/scan-engine.ts'
import { serveEngine } from '../socket/engine-server.ts'

/** Starts an engine for the files of a folder. It ends with this process. */
export async function startEngineProcess(folder: string, socketPath: string): Promise<ChildProcess> {
  const child = fork(fileURLToPath(import.meta.url), [folder, socketPath], { execArgv: [] })
  await once(child, 'message')
  return child
}

const nothingListed = async () => ({ files: [], recent: undefined })
const [folder, socketPath] = process.argv.slice(2)
if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.once('disconnect', () => process.exit())
  const opened = { folders: [folder ?? ''], spillTo: join(folder ?? '', 'spill'), memory: '64MB' }
  const engine = await ScanEngine.open(opened)
  const log = createLog({ level: 'silent', role: 'test' })
  await serveEngine({ engine, readListed: nothingListed, socketPath: socketPath ?? '', log })
  process.send('ready')
}
