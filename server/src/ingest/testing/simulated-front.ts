import { isLimitReached, returnLease, takeLease } from '../../db/scans/scan-limits.ts'
import type { Database } from '../../db/database.ts'
import type { JournalIo } from '../../journal/journal-io.ts'
import { openJournal, type Journal } from '../../journal/journal.ts'
import { prepareScan } from '../../journal/raw-scan.ts'
import type { Fault } from '../../journal/testing/faulty-io.ts'
import { faultyIo } from '../../journal/testing/faulty-io.ts'
import { turn, type MemoryDisk } from '../../journal/testing/journal.ts'
import { ScanLimits, type LimitCounters, type LimitTime } from '../../scan/access/scan-limits.ts'
import { silentLog, someScan } from './ingest.ts'

/** A person's scan of the code of an organization: whether it was answered as recorded. */
export type SimulatedScan = { number: number; organizationId: string; visitor: number; isAnswered: boolean }

export type FrontOptions = {
  dir: string
  disk: MemoryDisk
  /** Fails some calls of the journal. */
  fault: Fault | undefined
  sync: 'always' | 'never'
  counters: LimitCounters
  time: LimitTime
  clock: () => number
  /** A scan is answered before it is recorded. */
  answersEarly: boolean
}

/** The counters of limits as the product has them. */
export function limitCountersOf(db: Database, clock: () => number): LimitCounters {
  return {
    take: async (key, want) => takeLease(db, key, { want, nowMs: clock() }),
    isFull: async (key) => isLimitReached(db, key),
    giveBack: async (key, rest) => returnLease(db, key, rest),
    // Codes of a simulation stay closed while their count is unknown.
    addOwed: async () => {
      throw new Error('a code that closes owes nothing')
    },
  }
}

/** A front with the product's journal and limits. */
export class SimulatedFront {
  readonly dir: string
  readonly disk: MemoryDisk
  readonly journal: Journal
  readonly limits: ScanLimits
  readonly #answersEarly: boolean
  readonly #clock: () => number
  /** A process that was killed answers nobody. */
  #isAlive = true

  constructor({ dir, disk, fault, sync, counters, time, clock, answersEarly }: FrontOptions) {
    this.dir = dir
    this.disk = disk
    this.#answersEarly = answersEarly
    this.#clock = clock
    this.limits = new ScanLimits(counters, silentLog, time)
    const open = (io: JournalIo) =>
      openJournal({ dir, rootDir: '/journal', sync, bytesMax: 1e9, segmentBytesMax: 1_500, io, clock })
    this.journal = openOnGoodDisk(
      () => open(faultyIo(disk, fault).io),
      () => open(disk),
    )
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** Takes a lease for a code with a limit. Returns whether the person is let in. */
  async enter(qrCodeId: string, organizationId: string): Promise<boolean> {
    const limit = { organizationId, qrCodeId, resets: 1, whenUnknown: 'closed' } as const
    return (await this.limits.take(limit)) === 'open' && this.#isAlive
  }

  append(scan: SimulatedScan, qrCodeId: string): void {
    const { organizationId, number, visitor } = scan
    const raw = someScan({
      organizationId,
      qrCodeId,
      shortCode: organizationId,
      timeMs: this.#clock(),
      referrerHost: `s${number}.example`,
      visitor,
    })
    if (this.#answersEarly) scan.isAnswered = true
    const acknowledge = (recorded: boolean) => {
      if (this.#isAlive && recorded) scan.isAnswered = true
    }
    this.journal.append(prepareScan(raw), { acknowledge })
  }

  /** Ends in order: all answers are given and every lease goes back. */
  async stop(): Promise<void> {
    await this.limits.close()
    await this.journal.close()
    this.#isAlive = false
  }

  /** Ends at once. Its files are closed, but on a disk that nobody reads any more. */
  async kill(): Promise<void> {
    this.#isAlive = false
    await this.journal.close()
  }
}

/** A front whose journal cannot be opened is started again, on a disk that works. */
function openOnGoodDisk(open: () => Journal, openAgain: () => Journal): Journal {
  try {
    return open()
  } catch {
    return openAgain()
  }
}

export async function someTurns(count: number): Promise<void> {
  for (let turns = 0; turns < count; turns++) await turn()
}

/** A disk that says that everything is durable, and has written nothing. */
export function neverSyncs(disk: MemoryDisk): void {
  disk.syncNow = () => {}
  disk.syncData = (_fd, done) => void setImmediate(done, null)
  disk.sync = (_fd, done) => void setImmediate(done, null)
}
