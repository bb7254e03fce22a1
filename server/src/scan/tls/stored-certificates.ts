import { createSecureContext, type SecureContext } from 'node:tls'
import { changedHost, everyCode } from '../../db/feeds/changes.ts'
import type { StoredCertificate } from '../../db/scans/certificate-lookup.ts'
import type { Log } from '../../log.ts'
import type { SecretBox } from '../../secret-box.ts'
import { RecentCache } from '../recent-cache.ts'
import { handshakeRules } from './handshake-rules.ts'
import type { CertificateSource, KeyPair } from './certificate-source.ts'

type Options = {
  /** Returns all certificates, or those of one host name. */
  read: (hostname?: string) => Promise<readonly StoredCertificate[]>
  box: SecretBox
  /** PUBLIC_URL's host name: its certificate is for handshakes without a name, too. */
  publicHost: string
  log: Log
  /** Called in a handshake, so that changes that were just committed count. */
  readChanges?: () => void
  /** Contexts of handshakes that are kept: each has about 60 KB. */
  contextsMax?: number
}

const retryMs = 1_000

/**
 * The certificates in the catalogue. All of them are in memory, still sealed, so handshakes go on
 * while the catalogue is unavailable. They follow the feed of changes.
 */
export class StoredCertificates implements CertificateSource {
  readonly #options: Options
  readonly #certificates = new Map<string, StoredCertificate>()
  readonly #contexts: RecentCache<SecureContext>
  readonly #listeners: (() => void)[] = []
  readonly #due = new Set<string>([everyCode])
  #reading: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.#options = options
    this.#contexts = new RecentCache(options.contextsMax ?? 2_000)
  }

  get size(): number {
    return this.#certificates.size
  }

  /** Takes the entries of the feed of changes. Resolves when their certificates are read. */
  refresh(changed: readonly string[]): Promise<void> {
    // After a failed read, only a new change is worth another one at once.
    if (changed.length === 0 && this.#retry !== undefined) return Promise.resolve()
    for (const entry of changed) {
      const name = entry === everyCode ? everyCode : changedHost(entry)
      if (name !== undefined) this.#due.add(name)
    }
    if (this.#due.size === 0) return this.#reading ?? Promise.resolve()
    this.#reading ??= this.#readDue().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  contextOf(hostname: string): SecureContext | undefined | Promise<SecureContext | undefined> {
    this.#options.readChanges?.()
    // A certificate may have just been issued.
    if (this.#reading !== undefined && !this.#certificates.has(hostname))
      return this.#reading.then(() => this.#contextNow(hostname))
    return this.#contextNow(hostname)
  }

  isValidFor(hostname: string, nowMs: number): boolean {
    this.#options.readChanges?.()
    return (this.#certificates.get(hostname)?.expiresAtMs ?? 0) > nowMs
  }

  fallback(): KeyPair | undefined {
    const stored = this.#certificates.get(this.#options.publicHost)
    return stored === undefined ? undefined : this.#open(stored)
  }

  onFallback(listener: () => void): void {
    this.#listeners.push(listener)
  }

  close(): void {
    clearTimeout(this.#retry)
  }

  #contextNow(hostname: string): SecureContext | undefined {
    const known = this.#contexts.get(hostname)
    if (known !== undefined) return known
    const stored = this.#certificates.get(hostname)
    const pair = stored === undefined ? undefined : this.#open(stored)
    if (pair === undefined) return undefined
    const context = createSecureContext({ ...pair, ...handshakeRules })
    this.#contexts.set(hostname, context)
    return context
  }

  #open({ hostname, chain, privateKey }: StoredCertificate): KeyPair | undefined {
    const key = this.#options.box.open(privateKey, hostname)
    if (key !== undefined) return { cert: chain, key }
    this.#options.log.error({ hostname }, 'a private key was sealed with another CERTIFICATE_KEY or SECRET')
    return undefined
  }

  async #readDue(): Promise<void> {
    while (this.#due.size > 0) {
      const due = [...this.#due]
      this.#due.clear()
      try {
        if (due.includes(everyCode)) await this.#readAll()
        else for (const name of due) await this.#readOne(name)
      } catch (error) {
        for (const name of due) this.#due.add(name)
        this.#options.log.debug({ err: error }, 'reading certificates failed')
        this.#retryLater()
        return
      }
      if (due.includes(everyCode) || due.includes(this.#options.publicHost))
        for (const listener of this.#listeners) listener()
    }
  }

  #retryLater(): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      void this.refresh([])
    }, retryMs).unref()
  }

  async #readAll(): Promise<void> {
    const rows = await this.#options.read()
    this.#certificates.clear()
    this.#contexts.clear()
    for (const row of rows) this.#certificates.set(row.hostname, row)
  }

  async #readOne(name: string): Promise<void> {
    const [row] = await this.#options.read(name)
    this.#contexts.delete(name)
    if (row === undefined) this.#certificates.delete(name)
    else this.#certificates.set(name, row)
  }
}
