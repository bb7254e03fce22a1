import { hostnameProblem, normalHostname } from '@everscan/contract/domains/host-names.ts'
import { changedHost, everyCode } from '../../db/feeds/changes.ts'
import type { HostLookup, HostRow } from '../../db/scans/host-lookup.ts'

/** A domain that was proved at least once, as a request meets it. */
export type Host = HostRow

type Options = {
  lookup: Pick<HostLookup, 'read' | 'readAll'>
  /** PUBLIC_URL's host, with its port if that is not the default. */
  publicHost: string
  /** Whether names that are neither PUBLIC_URL's nor a domain get the page of an unknown code. */
  isStrict?: boolean
  /** Called once for each of the first names that are neither. */
  onUnknown?: (hostname: string) => void
}

/** Whether a host is none that is known, but one that `isStrict` refuses. */
export function isUnknownHost(host: Host): boolean {
  return host === unknownHost
}

/** Spellings of the header that are remembered: about 2 MB. */
const spellingsMax = 10_000
/** Unknown names that are told. Anybody can invent more of them. */
const toldMax = 20

/** Stands for a name that is neither PUBLIC_URL's nor a domain, if `isStrict`. */
const unknownHost: Host = {
  hostname: '',
  owners: new Set(),
  ends: new Map(),
  codes: 'canonical',
  rootUrl: null,
  notFoundUrl: null,
  goneUrl: null,
}

/**
 * The host names that organizations have proved. All of them are in memory, so they are known while
 * the catalogue is unavailable. Every other name stands for PUBLIC_URL, also one that is only
 * claimed.
 */
export class Hosts {
  readonly #lookup: Options['lookup']
  readonly #publicHost: string
  readonly #publicName: string | undefined
  readonly #other: Host | null
  readonly #onUnknown: (hostname: string) => void
  readonly #told = new Set<string>()
  readonly #hosts = new Map<string, Host>()
  /** The meaning of headers as they were written; null: PUBLIC_URL. */
  readonly #spellings = new Map<string, Host | null>()
  /** Changed names that are yet to be read. */
  readonly #due = new Set<string>([everyCode])

  constructor({ lookup, publicHost, isStrict = false, onUnknown = () => undefined }: Options) {
    this.#lookup = lookup
    this.#publicHost = publicHost
    this.#publicName = normalHostname(publicHost)
    this.#other = isStrict ? unknownHost : null
    this.#onUnknown = onUnknown
  }

  get size(): number {
    return this.#hosts.size
  }

  /** Whether a header is PUBLIC_URL's host as most requests write it: then nothing is read. */
  isPublic(header: string): boolean {
    return header === this.#publicHost
  }

  /** Whether a name, as `normalHostname` returns it, is a domain that somebody has or had. */
  isServed(hostname: string): boolean {
    return (this.#hosts.get(hostname)?.owners.size ?? 0) > 0
  }

  /** Returns the domain that a header names, or undefined if it stands for PUBLIC_URL. */
  find(header: string): Host | undefined {
    const known = this.#spellings.get(header)
    if (known !== undefined) return known ?? undefined
    // Node reads headers as Latin-1, and some programs send names in UTF-8.
    const name = normalHostname(Buffer.from(header, 'latin1').toString())
    const host = this.#hostOf(name)
    if (this.#spellings.size >= spellingsMax) this.#spellings.clear()
    this.#spellings.set(header, host)
    return host ?? undefined
  }

  #hostOf(name: string | undefined): Host | null {
    const host = name === undefined ? undefined : this.#hosts.get(name)
    if (host !== undefined) return host
    if (name === this.#publicName) return null
    if (name !== undefined && hostnameProblem(name) === undefined) this.#tell(name)
    return this.#other
  }

  #tell(name: string): void {
    if (this.#told.size >= toldMax || this.#told.has(name)) return
    this.#told.add(name)
    this.#onUnknown(name)
  }

  /**
   * Takes the entries of the feed of changes, and reads the hosts among them: at once on SQLite, in
   * a promise on PostgreSQL. Those that cannot be read stay due for the next call.
   */
  refresh(changed: readonly string[]): void | Promise<void> {
    for (const entry of changed) {
      const name = entry === everyCode ? everyCode : changedHost(entry)
      if (name !== undefined) this.#due.add(name)
    }
    if (this.#due.size === 0) return undefined
    const due = [...this.#due]
    this.#due.clear()
    try {
      const read = due.includes(everyCode) ? this.#readAll() : this.#readEach(due)
      return read?.catch((error: unknown) => this.#readFailed(due, error))
    } catch (error) {
      return this.#readFailed(due, error)
    }
  }

  #readAll(): void | Promise<void> {
    const keep = (rows: readonly HostRow[]): void => {
      this.#hosts.clear()
      for (const row of rows) this.#hosts.set(row.hostname, row)
      this.#spellings.clear()
    }
    const rows = this.#lookup.readAll()
    return rows instanceof Promise ? rows.then(keep) : keep(rows)
  }

  #readEach(names: readonly string[]): void | Promise<void> {
    const keep = (rows: readonly (HostRow | undefined)[]): void => {
      for (const [index, name] of names.entries()) {
        const row = rows[index]
        if (row === undefined) this.#hosts.delete(name)
        else this.#hosts.set(name, row)
      }
      this.#spellings.clear()
    }
    const rows: (HostRow | undefined)[] = []
    const later: Promise<unknown>[] = []
    for (const [index, name] of names.entries()) {
      const row = this.#lookup.read(name)
      if (row instanceof Promise) later.push(row.then((one) => (rows[index] = one)))
      else rows[index] = row
    }
    return later.length === 0 ? keep(rows) : Promise.all(later).then(() => keep(rows))
  }

  #readFailed(names: readonly string[], error: unknown): never {
    for (const name of names) this.#due.add(name)
    throw error
  }
}
