// A test process that makes a copy repeatedly, while other processes make the same copy. Arguments:
// file, name of the entry, number of times.
import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../../errors.ts'
import { createCopyFile, type CopyWriter } from '../copy-file-writer.ts'

const [, , path = '', name = '', times = '1'] = process.argv
for (let made = 0; made < Number(times); made++) {
  const writer = await createWhenFree()
  await writer.add(name, Buffer.from(String(made)))
  await writer.finish({})
}
console.log(`${times} made`)

async function createWhenFree(): Promise<CopyWriter> {
  for (;;)
    try {
      return await createCopyFile(path, { madeAtMs: 0, release: '0.1.0', isReplacing: true })
    } catch (error) {
      if (!errorMessage(error).includes('is being written by another process')) throw error
      await sleep(1)
    }
}
