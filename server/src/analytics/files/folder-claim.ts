import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoreIdentity } from '../store/store-identity.ts'
import { replaceFile } from './file-bytes.ts'

const fileName = 'installation.json'

/**
 * Returns the installation that a folder of files of scans belongs to. Undefined for a folder
 * without a claim, as earlier releases left it, or with one that cannot be read.
 */
export function readFilesIdentity({ segments }: { segments: string }): StoreIdentity | undefined {
  const path = join(segments, fileName)
  if (!existsSync(path)) return undefined
  try {
    const { installation, store } = JSON.parse(readFileSync(path, 'utf8')) as Partial<StoreIdentity>
    return typeof installation === 'string' && typeof store === 'string' ? { installation, store } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Claims a folder durably. Throws errors of the file system. */
export async function writeFilesIdentity(
  { segments }: { segments: string },
  identity: StoreIdentity,
): Promise<void> {
  await mkdir(segments, { recursive: true, mode: 0o700 })
  await replaceFile(join(segments, fileName), `${JSON.stringify(identity)}\n`)
}
