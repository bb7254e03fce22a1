// A test process that writes a copy until it is killed or the disk is full. It prints the bytes
// written, then the error that ended it.
import { randomBytes } from 'node:crypto'
import { errorMessage } from '../../errors.ts'
import { createCopyFile } from '../copy-file-writer.ts'

const [, , path = ''] = process.argv
const writer = await createCopyFile(path, { madeAtMs: 0, release: '0.1.0' })
try {
  for (let part = 0; ; part++) {
    await writer.add(`part-${part}`, randomBytes(64 * 1024))
    if (writer.bytesWritten > 200_000) console.log(writer.bytesWritten)
  }
} catch (error) {
  console.log(errorMessage(error))
}
