import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { errorMessage, FatalError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { CertificateSource, KeyPair } from './certificate-source.ts'

type Options = {
  /** TLS_CERT and TLS_KEY. */
  certFile: string
  keyFile: string
  log: Log
  /** How often the files are looked at. */
  everyMs?: number
}

/**
 * The certificate in the files TLS_CERT and TLS_KEY. Files that change are read again; a new pair
 * that is unusable is told once, and the one before stays. Throws a `FatalError` if the first is
 * unusable.
 */
export class FileCertificate implements CertificateSource {
  readonly #options: Options
  readonly #listeners: (() => void)[] = []
  readonly #timer: NodeJS.Timeout
  #pair: KeyPair
  #certificate: X509Certificate
  #seen: string

  constructor(options: Options) {
    this.#options = options
    this.#seen = this.#state()
    try {
      this.#pair = this.#read()
    } catch (error) {
      throw new FatalError(`TLS_CERT, TLS_KEY: ${errorMessage(error)}`, { cause: error })
    }
    this.#certificate = new X509Certificate(this.#pair.cert)
    this.#timer = setInterval(() => this.look(), options.everyMs ?? 5_000).unref()
  }

  /** The one certificate is for all names. */
  contextOf(): undefined {
    return undefined
  }

  isValidFor(hostname: string, nowMs: number): boolean {
    return isValidFor(this.#certificate, hostname, nowMs)
  }

  fallback(): KeyPair {
    return this.#pair
  }

  onFallback(listener: () => void): void {
    this.#listeners.push(listener)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Reads the files again if they changed. */
  look(): void {
    const state = this.#state()
    if (state === this.#seen) return
    this.#seen = state
    const { log, certFile } = this.#options
    try {
      const pair = this.#read()
      const certificate = new X509Certificate(pair.cert)
      this.#pair = pair
      this.#certificate = certificate
      for (const listener of this.#listeners) listener()
      log.info({ certFile, expires: certificate.validTo }, 'the certificate was read again')
    } catch (error) {
      log.error({ err: error, certFile }, 'the new certificate is unusable; the one before stays')
    }
  }

  #read(): KeyPair {
    const { certFile, keyFile } = this.#options
    const pair = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
    // Throws if the key is not that of the certificate.
    createSecureContext(pair)
    return pair
  }

  /** Programs that renew write the two files one after the other: either of them counts. */
  #state(): string {
    const { certFile, keyFile } = this.#options
    return [certFile, keyFile].map(stateOf).join(' ')
  }
}

function stateOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? 'none' : `${stats.ino}:${stats.mtimeMs}:${stats.size}`
}

/** Returns whether a certificate is for a host name, and its time has begun and is not over. */
export function isValidFor(certificate: X509Certificate, hostname: string, nowMs: number): boolean {
  return (
    certificate.checkHost(hostname) !== undefined &&
    Date.parse(certificate.validFrom) <= nowMs &&
    nowMs < Date.parse(certificate.validTo)
  )
}
