// Shared by the tests of this folder: a random source, scans, and a disk in memory that can crash
// and fail.
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { dirname } from 'node:path'
import type { JournalIo } from '../journal-io.ts'
import { openJournal, type Journal, type JournalOptions } from '../journal.ts'
import { prepareIds, type PreparedScan, type RawScan } from '../raw-scan.ts'
import { journalStart, readFrames, type JournalFrame, type JournalPosition } from '../reader.ts'

export const soak = process.env.SOAK === '1'
export const seed = testSeed()

/** Random numbers, integers below a bound, and events with a probability. */
export type Chances = { next(): number; int(below: number): number; chance(probability: number): boolean }

export function createRandom(start: number): Chances {
  const next = randomFrom(start)
  return { next, int: (below) => Math.floor(next() * below), chance: (probability) => next() < probability }
}

const scannedCode = {
  organizationId: 'org_01k4',
  qrCodeId: 'qr_01k4',
  shortCode: '7K3QX9A',
  domain: '',
  rule: '',
  arm: '',
}
const ids = prepareIds(scannedCode)

/** Returns the scan number `index`, which is also its time. */
export function scanOf(index: number): RawScan {
  return {
    timeMs: index,
    ...scannedCode,
    visitor: (index & 255).toString(16).padStart(2, '0').repeat(16),
    network: index % 3 === 0 ? '2001:db8:1::' : '203.0.113.0',
    userAgent: `Mozilla/5.0 (${'x'.repeat((index * 7) % 90)}) é ${index}`,
    referrerHost: index % 4 === 0 ? `example${index}.org` : '',
    language: 'de-CH',
    app: '',
    hints: index % 4,
  }
}

export function preparedScanOf(index: number): PreparedScan {
  return { ...scanOf(index), ids, visitor: String.fromCharCode(index & 255).repeat(16) }
}

/** Sent scans and their answers: `recorded` has those that were answered with true. */
export type Sent = { count: number; recorded: Set<number>; refused: Set<number> }

export function noneSent(): Sent {
  return { count: 0, recorded: new Set(), refused: new Set() }
}

export function send(journal: Journal, sent: Sent, count: number): void {
  for (let index = 0; index < count; index++) {
    const timeMs = ++sent.count
    journal.append(preparedScanOf(timeMs), {
      acknowledge: (recorded) => void (recorded ? sent.recorded : sent.refused).add(timeMs),
    })
  }
}

export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Reads everything from a position on. */
export async function readAll(
  dir: string,
  io?: JournalIo,
  from: JournalPosition = journalStart,
): Promise<{ frames: JournalFrame[]; position: JournalPosition; damagedBytes: number }> {
  const all = { frames: [] as JournalFrame[], position: from, damagedBytes: 0 }
  for (;;) {
    const read = await readFrames(dir, all.position, io === undefined ? {} : { io })
    for (const frame of read.frames) all.frames.push(frame)
    for (const damaged of read.damaged) all.damagedBytes += damaged.bytes
    all.position = read.position
    if (!read.more) return all
  }
}

export const memoryDir = '/journal/front-0'

export function openInMemory(io: JournalIo, options: Partial<JournalOptions> = {}): Journal {
  return openJournal({ dir: memoryDir, rootDir: '/journal', sync: 'always', bytesMax: 1e9, io, ...options })
}

type Change = { order: number; at: number; bytes: Buffer } | { order: number; length: number }
type File = { bytes: Buffer; length: number; durable: Buffer; unsynced: Change[] }
type NameChange = { dir: string; path: string; file: File | undefined }

/** A disk that tracks what is durable, so that it can show what a crash would have left. */
export class MemoryDisk implements JournalIo {
  readonly names = new Map<string, File>()
  readonly directories = new Set(['/', '/journal'])
  #durableNames = new Map<string, File>()
  #nameChanges: NameChange[] = []
  #open = new Map<number, { file?: File; dir?: string }>()
  #nextFd = 3
  #order = 0
  /**
   * Called when a sync of a file begins. The returned function is called when that file is durable,
   * including its name.
   */
  onSync: (() => () => void) | undefined
  #named: (() => void) | undefined

  open(path: string, flags: 'r' | 'r+' | 'w' | 'w+'): number {
    const fd = this.#nextFd++
    if (this.directories.has(path)) {
      this.#open.set(fd, { dir: path })
      return fd
    }
    let file = this.names.get(path)
    if (file === undefined) {
      if (!flags.startsWith('w')) throw diskError('ENOENT')
      if (!this.directories.has(dirname(path))) throw diskError('ENOENT')
      file = { bytes: Buffer.alloc(1024), length: 0, durable: Buffer.alloc(0), unsynced: [] }
      this.#name(path, file)
    } else if (flags.startsWith('w')) this.#change(file, { order: ++this.#order, length: 0 })
    this.#open.set(fd, { file })
    return fd
  }

  write(fd: number, bytes: Uint8Array, from: number, length: number, position: number): number {
    const copy = Buffer.from(bytes.subarray(from, from + length))
    this.#change(this.#file(fd), { order: ++this.#order, at: position, bytes: copy })
    return length
  }

  read(fd: number, bytes: Uint8Array, from: number, length: number, position: number): number {
    const file = this.#file(fd)
    const count = Math.max(0, Math.min(length, file.length - position))
    bytes.set(file.bytes.subarray(position, position + count), from)
    return count
  }

  truncate(fd: number, length: number): void {
    this.#change(this.#file(fd), { order: ++this.#order, length })
  }

  size(fd: number): number {
    return this.#file(fd).length
  }

  isNamed(fd: number, path: string): boolean {
    return this.names.get(path) === this.#file(fd)
  }

  close(fd: number): void {
    if (!this.#open.delete(fd)) throw diskError('EBADF')
  }

  syncNow(fd: number): void {
    this.#makeDurable(fd, this.#order)
  }

  syncData(fd: number, done: (error: Error | null) => void): void {
    const order = this.#order
    const synced = this.onSync?.()
    setImmediate(() => {
      this.#makeDurable(fd, order)
      synced?.()
      done(null)
    })
  }

  sync(fd: number, done: (error: Error | null) => void): void {
    const order = this.#order
    const isDirectory = this.#open.get(fd)?.dir !== undefined
    const synced = isDirectory ? this.#named : this.onSync?.()
    setImmediate(() => {
      this.#makeDurable(fd, order)
      if (isDirectory) synced?.()
      else this.#named = synced
      done(null)
    })
  }

  removeDirectory(path: string): void {
    for (const name of this.list(path)) this.unlink(`${path}/${name}`)
    this.directories.delete(path)
  }

  rename(from: string, to: string): void {
    const file = this.names.get(from)
    if (file === undefined) throw diskError('ENOENT')
    this.#name(to, file)
    this.#name(from, undefined)
  }

  unlink(path: string): void {
    if (!this.names.has(path)) throw diskError('ENOENT')
    this.#name(path, undefined)
  }

  makeDirectory(path: string): void {
    this.directories.add(path)
  }

  list(path: string): string[] {
    if (!this.directories.has(path)) throw diskError('ENOENT')
    return [...this.names.keys(), ...this.directories]
      .filter((name) => dirname(name) === path)
      .map((name) => name.slice(path.length + 1))
  }

  stat(path: string): Promise<{ bytes: number; changedMs: number; isDirectory: boolean } | undefined> {
    const file = this.names.get(path)
    const isDirectory = this.directories.has(path)
    return Promise.resolve(
      file || isDirectory ? { bytes: file?.length ?? 0, changedMs: 0, isDirectory } : undefined,
    )
  }

  async listLater(path: string): Promise<string[]> {
    return this.list(path)
  }

  /** The number of open files. A closed journal may leave none. */
  get openFiles(): number {
    return this.#open.size
  }

  /**
   * Returns the same disk after a power loss: unsynced changes are there, or missing, or there in
   * part.
   */
  crashed(random: Chances): MemoryDisk {
    const image = new MemoryDisk()
    for (const path of this.directories) image.directories.add(path)
    const names = new Map(this.#durableNames)
    for (const { path, file } of this.#nameChanges.slice(0, random.int(this.#nameChanges.length + 1))) {
      if (file === undefined) names.delete(path)
      else names.set(path, file)
    }
    for (const [path, file] of names) image.#put(path, contentAfterCrash(file, random))
    return image
  }

  /** Returns the same disk after the process was killed: everything that was written is there. */
  copy(): MemoryDisk {
    const image = new MemoryDisk()
    for (const path of this.directories) image.directories.add(path)
    for (const [path, file] of this.names) image.#put(path, Buffer.from(file.bytes.subarray(0, file.length)))
    return image
  }

  contents(path: string): Buffer {
    const file = this.names.get(path)
    return file === undefined ? Buffer.alloc(0) : file.bytes.subarray(0, file.length)
  }

  #put(path: string, bytes: Buffer): void {
    const file: File = { bytes, length: bytes.length, durable: Buffer.from(bytes), unsynced: [] }
    this.names.set(path, file)
    this.#durableNames.set(path, file)
  }

  #file(fd: number): File {
    const file = this.#open.get(fd)?.file
    if (file === undefined) throw diskError('EBADF')
    return file
  }

  #name(path: string, file: File | undefined): void {
    if (file === undefined) this.names.delete(path)
    else this.names.set(path, file)
    this.#nameChanges.push({ dir: dirname(path), path, file })
  }

  #change(file: File, change: Change): void {
    applyChange(file, change)
    file.unsynced.push(change)
  }

  #makeDurable(fd: number, order: number): void {
    const { file, dir } = this.#open.get(fd) ?? {}
    if (dir !== undefined) {
      for (const change of this.#nameChanges.filter((one) => one.dir === dir)) {
        if (change.file === undefined) this.#durableNames.delete(change.path)
        else this.#durableNames.set(change.path, change.file)
      }
      this.#nameChanges = this.#nameChanges.filter((one) => one.dir !== dir)
      return
    }
    if (file === undefined) throw diskError('EBADF')
    const durable = { bytes: file.durable, length: file.durable.length }
    for (const change of file.unsynced.filter((one) => one.order <= order)) applyChange(durable, change)
    file.durable = Buffer.from(durable.bytes.subarray(0, durable.length))
    file.unsynced = file.unsynced.filter((one) => one.order > order)
  }
}

function applyChange(file: { bytes: Buffer; length: number }, change: Change): void {
  const end = 'length' in change ? change.length : change.at + change.bytes.length
  if (end > file.bytes.length) file.bytes = Buffer.concat([file.bytes], Math.max(end, file.bytes.length * 2))
  if (end > file.length) file.bytes.fill(0, file.length, end)
  if ('length' in change) file.length = change.length
  else {
    change.bytes.copy(file.bytes, change.at)
    file.length = Math.max(file.length, end)
  }
}

function contentAfterCrash(file: File, random: Chances): Buffer {
  const after = { bytes: Buffer.from(file.durable), length: file.durable.length }
  for (const change of file.unsynced) {
    if (random.chance(0.3)) continue
    if ('length' in change || random.chance(0.6)) applyChange(after, change)
    else applyChange(after, torn(change, random))
  }
  return Buffer.from(after.bytes.subarray(0, after.length))
}

/** Returns a part of a write: its beginning, or some of its sectors, with zeros in the others. */
function torn({ order, at, bytes }: { order: number; at: number; bytes: Buffer }, random: Chances): Change {
  const part = Buffer.from(
    bytes.subarray(0, random.chance(0.5) ? random.int(bytes.length + 1) : bytes.length),
  )
  const sectorBytes = 64
  if (part.length === bytes.length) {
    for (let from = 0; from < part.length; from += sectorBytes) {
      if (random.chance(0.4)) part.fill(0, from, Math.min(part.length, from + sectorBytes))
    }
  }
  return { order, at, bytes: part }
}

export function diskError(code: string): Error {
  return Object.assign(new Error(`${code}: made for a test`), { code })
}
