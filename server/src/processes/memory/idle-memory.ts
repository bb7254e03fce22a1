import process from 'node:process'

const lookMs = 60_000
/** A worker without scans takes a fiftieth of a processor. */
const idleShare = 1 / 20
const grownBytesMin = 8 * 1024 ** 2

export type IdleMemoryParts = {
  /** The time that this process has computed for, in ms. */
  cpuMs: () => number
  /** The bytes of the heap, and of what it holds outside. */
  heldBytes: () => number
  /** Frees what nothing needs, and gives it back to the system. */
  collect: () => Promise<void>
}

/**
 * Gives back what a process has left over from work. V8 keeps garbage until it needs the room:
 * after a backlog, or an import, that would be tens of megabytes for days (record 122).
 */
export class IdleMemory {
  readonly #parts: IdleMemoryParts
  #spentMs: number
  #lookedMs: number
  #leftBytes = 0

  constructor(parts: IdleMemoryParts, nowMs: number) {
    this.#parts = parts
    this.#spentMs = parts.cpuMs()
    this.#lookedMs = nowMs
  }

  /** Collects if the process was idle since the last look, and has grown since it collected. */
  async look(nowMs: number): Promise<void> {
    const { cpuMs, heldBytes, collect } = this.#parts
    const spentMs = cpuMs()
    const isIdle = spentMs - this.#spentMs < (nowMs - this.#lookedMs) * idleShare
    if (isIdle && heldBytes() > this.#leftBytes + grownBytesMin) {
      await collect()
      this.#leftBytes = heldBytes()
    }
    this.#spentMs = cpuMs()
    this.#lookedMs = nowMs
  }
}

/** Looks every minute, as long as this process lives. Collecting takes a tenth of a second. */
export function giveBackIdleMemory(): void {
  const idle = new IdleMemory(
    {
      cpuMs: () => {
        const { user, system } = process.cpuUsage()
        return (user + system) / 1000
      },
      heldBytes: () => {
        const { heapTotal, external } = process.memoryUsage()
        return heapTotal + external
      },
      collect: collectGarbage,
    },
    performance.now(),
  )
  setInterval(() => void idle.look(performance.now()), lookMs).unref()
}

/** Has V8 collect without `--expose-gc`, with which it would not take what was compiled before. */
export async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector')
  const session = new Session()
  session.connect()
  await new Promise((resolve) => session.post('HeapProfiler.collectGarbage', resolve))
  session.disconnect()
}
