// Shared by tests of copies: folders, small copies, forged copies, and the kind of a reader's
// problem.
import { testSeed } from '@everscan/contract/testing/random.ts'
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createCopyFile, type CopyFileOptions, type FinishedCopy } from '../copy-file-writer.ts'
import { readCopyEntries, type OpenCopyOptions } from '../copy-file-reader.ts'
import { encodeHead } from '../copy-head.ts'
import { CopyProblem, type CopyProblemKind } from '../copy-problem.ts'
import type { CopyEntry, Manifest } from '../copy-archive.ts'

export const passphrase = 'correct horse battery staple'
export const madeAtMs = Date.parse('2025-11-23T10:20:30.456Z')
/** Printed with a failure. Set `SEED` to it to repeat the run. */
export const seed = testSeed()
export const smallEntries: CopyEntry[] = [
  { name: 'catalogue/organizations.jsonl', bytes: Buffer.from('{"id":"org_1"}\n') },
  { name: 'secret', bytes: Buffer.from('0123456789abcdef') },
]
/** Both forms of a copy; with this work factor, scrypt takes no time. */
export const forms: readonly (Pick<CopyFileOptions, 'passphrase' | 'scryptLogN'> & { form: string })[] = [
  { form: 'plain' },
  { form: 'encrypted', passphrase, scryptLogN: 1 },
]

export function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-copies-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export async function writeCopy(
  path: string,
  options: Partial<CopyFileOptions> & {
    entries?: readonly CopyEntry[]
    manifest?: Record<string, unknown>
  } = {},
): Promise<FinishedCopy> {
  const { entries = smallEntries, manifest = {}, ...others } = options
  const writer = await createCopyFile(path, { madeAtMs, release: '0.1.0', ...others })
  for (const { name, bytes } of entries) await writer.add(name, bytes)
  return writer.finish(manifest)
}

export async function readAll(
  path: string,
  options: OpenCopyOptions = {},
): Promise<{ entries: CopyEntry[]; manifest: Manifest }> {
  const entries: CopyEntry[] = []
  const reading = readCopyEntries(path, options)
  for (;;) {
    const { done, value } = await reading.next()
    if (done === true) return { entries, manifest: value }
    entries.push(value)
  }
}

/** Writes any payload after a valid head with checksums; `facts` replace fields of the head. */
export function forgeCopy(path: string, payload: Buffer, facts: Record<string, unknown> = {}): void {
  const payloadSha256 = sha256(payload)
  const madeAt = new Date(madeAtMs).toISOString()
  const given = { release: '0.1.0', madeAt, encrypted: false, payloadBytes: payload.length, payloadSha256 }
  const { headSha256: _, ...right } = JSON.parse(encodeHead(given).toString()) as Record<string, unknown>
  const fields = { ...right, ...facts, headSha256: '0'.repeat(64) }
  const head = `${JSON.stringify(fields).padEnd(1023)}\n`
  writeFileSync(path, Buffer.concat([Buffer.from(head.replace(/0{64}(?="} *\n$)/, sha256(head))), payload]))
}

function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Asserts that reading fails with a CopyProblem that says what to do, and returns its kind. */
export async function problemKind(reading: Promise<unknown>): Promise<CopyProblemKind> {
  try {
    await reading
  } catch (error) {
    if (!(error instanceof CopyProblem)) throw error
    assert.match(error.message, /^\/.+[.:] \S.*\.$/s)
    return error.kind
  }
  return assert.fail('reading did not fail')
}
