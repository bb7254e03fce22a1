import { Agent, get } from 'node:http'
import { phones } from './phones.ts'

/** The scans of a code, as its scanners saw them. */
export type Scanned = {
  /** Scans whose request may have reached the service, regardless of the result. */
  sent: number
  /** Scans that received a complete redirect. */
  acknowledged: number
}

export type Load = {
  /** Counts by short code. */
  scanned: ReadonlyMap<string, Scanned>
  /** Counts over all codes. */
  total: () => Scanned
  /** Scans whose connection was refused: the service never saw them. */
  refused: () => number
  /** The errors of the other scans without a redirect. */
  problems: readonly { what: string; begunMs: number }[]
  /** The longest response time, in milliseconds. */
  slowestMs: () => number
  /** Resolves when `scansMax` scans were sent and answered. */
  finished: Promise<void>
  /** Stops sending and waits for pending scans. */
  stop: () => Promise<void>
}

type Options = {
  port: number
  /** Short codes, scanned in turn. */
  codes: readonly string[]
  scansPerSecond: number
  /** The maximum number of scans. */
  scansMax?: number
  onAcknowledged?: (code: string, location: string | undefined) => void
  /** Called for every response, with its duration. */
  onAnswered?: (tookMs: number) => void
}

const tickMs = 5
const answerMsMax = 30_000
let scanners = 0

/** Scans at a steady pace. Each phone has its own address, so every scan is a visitor's first. */
export function startLoad({
  port,
  codes,
  scansPerSecond,
  scansMax,
  onAcknowledged,
  onAnswered,
}: Options): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const scanned = new Map(codes.map((code) => [code, { sent: 0, acknowledged: 0 }]))
  const problems: Load['problems'][number][] = []
  const running = new Set<Promise<void>>()
  const startMs = performance.now()
  const finished = Promise.withResolvers<void>()
  let begun = 0
  let refused = 0
  let slowestMs = 0

  const scan = async (code: string): Promise<void> => {
    const counts = scanned.get(code)
    if (counts === undefined) throw new Error('unreachable')
    const begunMs = performance.now()
    try {
      const { status, location } = await follow({ port, code, agent })
      const tookMs = performance.now() - begunMs
      slowestMs = Math.max(slowestMs, tookMs)
      onAnswered?.(tookMs)
      counts.sent++
      if (status !== 302) return void problems.push({ what: `HTTP ${status}`, begunMs })
      counts.acknowledged++
      onAcknowledged?.(code, location)
    } catch (error) {
      const problem = (error as NodeJS.ErrnoException).code ?? String(error)
      if (problem === 'ECONNREFUSED') refused++
      else {
        counts.sent++
        problems.push({ what: problem, begunMs })
      }
    }
  }
  const tick = (): void => {
    const paced = Math.floor(((performance.now() - startMs) * scansPerSecond) / 1000)
    const due = Math.min(paced, scansMax ?? Infinity)
    for (; begun < due; begun++) {
      const done = scan(codes[begun % codes.length] ?? '').finally(() => running.delete(done))
      running.add(done)
    }
    if (begun === scansMax) finished.resolve(stop())
  }
  const timer = setInterval(tick, tickMs)
  const stop = async (): Promise<void> => {
    clearInterval(timer)
    await Promise.all(running)
    agent.destroy()
  }

  return {
    scanned,
    total: () => {
      const all = [...scanned.values()]
      return {
        sent: all.reduce((sum, one) => sum + one.sent, 0),
        acknowledged: all.reduce((sum, one) => sum + one.acknowledged, 0),
      }
    },
    refused: () => refused,
    problems,
    slowestMs: () => slowestMs,
    finished: finished.promise,
    stop,
  }
}

type ScanOptions = { port: number; code: string; agent?: Agent | undefined }

/** Scans once as a new visitor; returns the status once the response is complete. */
export async function scanOnce(options: ScanOptions): Promise<number> {
  return (await follow(options)).status
}

/** Like `scanOnce`, and returns the destination of a redirect too. */
export function follow({
  port,
  code,
  agent,
}: ScanOptions): Promise<{ status: number; location: string | undefined }> {
  return new Promise((resolve, reject) => {
    const request = get(
      {
        host: '127.0.0.1',
        port,
        path: `/${code}`,
        agent: agent ?? false,
        timeout: answerMsMax,
        headers: newVisitor(),
      },
      (response) => {
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, location: response.headers.location }),
        )
        response.resume()
      },
    )
    request.on('error', reject)
    request.on('timeout', () => request.destroy(new Error(`no answer within ${answerMsMax} ms`)))
  })
}

/** The headers of a phone that has never scanned before. */
export function newVisitor(): Record<string, string> {
  const scanner = scanners++
  return {
    'user-agent': phones[scanner % phones.length] ?? '',
    'accept-language': 'de-DE,de;q=0.9',
    'x-forwarded-for': addressOf(scanner),
  }
}

/** A public IPv4 address for each number up to 7 million. */
function addressOf(scanner: number): string {
  const [first, second, third] = [11 + (scanner >> 16), (scanner >> 8) & 255, scanner & 255]
  return `${first}.${second}.${third}.${1 + (scanner % 250)}`
}
