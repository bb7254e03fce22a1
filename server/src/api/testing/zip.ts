import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'

/** Every file of an archive, by name, as a third-party reader finds it. */
export async function filesOfZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const zip = await fromBufferPromise(bytes)
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return files
}
