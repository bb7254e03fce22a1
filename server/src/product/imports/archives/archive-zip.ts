import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { crc32 } from 'node:zlib'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { archiveSections, type ArchiveSection } from '@everscan/contract/archives/archive-imports.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { ApiError } from '../../../errors.ts'
import { fileError } from '../../../request-errors.ts'

/** The files of an archive by section. Those of hits are several, one per month. */
export const sectionFiles: Readonly<Record<Exclude<ArchiveSection, 'hits'>, string>> = {
  folders: 'folders.jsonl',
  styles: 'styles.jsonl',
  domains: 'domains.jsonl',
  utmTemplates: 'utm-templates.jsonl',
  qrCodes: 'qr-codes.jsonl',
  versions: 'history.jsonl',
  views: 'views.jsonl',
  webhooks: 'webhooks.jsonl',
}
/** The limits of an archive, with the problem of an archive that exceeds each. */
const limited = {
  archiveLinesMax: 'archiveLines',
  archiveFoldersMax: 'archiveFolders',
  archiveStylesMax: 'archiveStyles',
  archiveTagsMax: 'archiveTags',
  archiveRefusalsMax: 'archiveRefusals',
  archiveSecondsMax: 'archiveSeconds',
  archiveHeapMegabytesMax: 'archiveHeap',
} as const
export type ArchiveLimit = keyof typeof limited

const mostLines: Partial<Record<ArchiveSection, ArchiveLimit>> = {
  folders: 'archiveFoldersMax',
  styles: 'archiveStylesMax',
}

/** Returns the error of an archive that exceeds a limit, whose name it has. */
export function archiveLimit(name: ArchiveLimit): ApiError {
  return fileError(problem(limited[name], { max: limits[name] }))
}

const hitsFile = /^scans\/\d{4}-\d{2}\.jsonl$/
const aboutFile = 'organization.json'
const aboutBytesMax = 1024 * 1024

/** A line of a file, from 1, as JSON. Undefined if the text is no JSON. */
export type ArchiveLine = { section: ArchiveSection; file: string; line: number; value: unknown }

/**
 * The files of an archive on the disk, which are read as often as necessary with few lines in
 * memory. Methods throw ApiError 400 for damage, and for what is larger than any archive.
 */
export class ArchiveZip {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  static async open(path: string): Promise<ArchiveZip> {
    return explained(async () => {
      const zip = await openPromise(path, { autoClose: false, lazyEntries: true })
      try {
        const entries = new Map<string, Entry>()
        let bytes = 0
        for await (const entry of zip.eachEntry()) {
          entries.set(entry.fileName, entry)
          bytes += entry.uncompressedSize
        }
        if (bytes > limits.archiveUnpackedBytesMax)
          throw fileError(problem('zipUnpacksTooLarge', { max: limits.archiveUnpackedBytesMax / 1024 ** 3 }))
        return new ArchiveZip(zip, entries)
      } catch (error) {
        zip.close()
        throw error
      }
    })
  }

  close(): void {
    this.#zip.close()
  }

  /** Returns `organization.json`, or undefined if the archive has no such file or it is no JSON. */
  async readAbout(): Promise<unknown> {
    const entry = this.#entries.get(aboutFile)
    if (entry === undefined || entry.uncompressedSize > aboutBytesMax) return undefined
    const texts: string[] = []
    for await (const some of this.#textsOf(entry)) texts.push(...some)
    return parsed(texts.join('\n'))
  }

  /**
   * Yields the lines of all files, or of some sections, in the order of their import, as many at
   * once as are unpacked at once: a promise for each of millions of lines takes longer than all
   * else.
   */
  async *lines(
    sections: readonly ArchiveSection[] = archiveSections,
  ): AsyncGenerator<ArchiveLine[], void, undefined> {
    for (const section of sections)
      for (const file of this.#filesOf(section)) {
        const entry = this.#entries.get(file)
        if (entry === undefined) continue
        let line = 0
        for await (const texts of this.#textsOf(entry))
          yield texts.map((text) => ({ section, file, line: ++line, value: parsed(text) }))
      }
  }

  /**
   * Counts the lines of all files without those of hits, before any of them is judged. Throws
   * ApiError 400 with the name of the limit that they exceed.
   */
  async countLines(): Promise<void> {
    let all = 0
    for (const section of archiveSections) {
      if (section === 'hits') continue
      let lines = 0
      for await (const texts of this.#textsOf(this.#entries.get(sectionFiles[section]))) {
        lines += texts.length
        all += texts.length
        const most = mostLines[section]
        if (most !== undefined && lines > limits[most]) throw archiveLimit(most)
        if (all > limits.archiveLinesMax) throw archiveLimit('archiveLinesMax')
      }
    }
  }

  #filesOf(section: ArchiveSection): string[] {
    if (section !== 'hits') return [sectionFiles[section]]
    return [...this.#entries.keys()].filter((name) => hitsFile.test(name)).sort()
  }

  /** Yields the texts of the lines of a file. */
  async *#textsOf(entry: Entry | undefined): AsyncGenerator<string[], void, undefined> {
    if (entry === undefined) return
    let lines = 0
    let rest: Buffer[] = []
    let restBytes = 0
    let checksum = 0
    const stream = await explained(() => this.#zip.openReadStreamPromise(entry))
    const chunks = stream[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { value: chunk, done = false } = await explained(() => chunks.next())
        if (done) break
        checksum = crc32(chunk, checksum)
        const end = chunk.lastIndexOf(10)
        if (end >= 0) {
          const texts = Buffer.concat([...rest, chunk.subarray(0, end)])
            .toString()
            .split('\n')
          lines += texts.length
          yield texts
          rest = []
          restBytes = 0
        }
        if (end + 1 === chunk.length) continue
        rest.push(chunk.subarray(end + 1))
        restBytes += chunk.length - end - 1
        if (restBytes > limits.archiveLineBytesMax) throw fileError(tooLongLine(entry.fileName, lines + 1))
      }
      // The library does not compare it.
      if (checksum !== entry.crc32) throw fileError(problem('zipFileDamaged', { file: entry.fileName }))
      if (restBytes > 0) yield [Buffer.concat(rest).toString()]
    } finally {
      stream.destroy()
    }
  }
}

function tooLongLine(file: string, line: number): Problem {
  return problem('archiveLineTooLong', { max: limits.archiveLineBytesMax / 1024 ** 2, line, file })
}

/** The library has errors of its own for damage, and for sizes that differ from those declared. */
async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError) throw error
    const { code } = error as { code?: unknown }
    // Errors of the disk have a code, and those of damaged data one of zlib.
    if (typeof code === 'string' && !code.startsWith('Z_')) throw error
    throw fileError(problem('notZip'))
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
