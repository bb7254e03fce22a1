import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { zipStream } from '../../files/zip-streams.ts'

/** Every file of an archive, by name, as a third-party reader finds it. */
export async function filesOfZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const zip = await fromBufferPromise(bytes)
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return files
}

/** An archive of these texts by name. */
export function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zipped = Object.entries(files).map(([name, text]) => ({
    name,
    async *pieces() {
      yield text
    },
  }))
  return buffer(zipStream(zipped, new Date()))
}
