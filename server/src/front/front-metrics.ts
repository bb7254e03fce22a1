import type { Journal } from '../journal/journal.ts'
import type { OwnMetrics } from '../processes/metrics.ts'
import { release } from '../release.ts'
import type { ScanLimits } from '../scan/access/scan-limits.ts'
import type { Hosts } from '../scan/hosts/hosts.ts'
import type { OpenConnections } from '../scan/open-connections.ts'
import type { Resolver } from '../scan/resolve.ts'
import type { ScanTimes } from '../scan/scan-times.ts'

type Measured = {
  journal: Journal
  journalBytesMax: number
  resolver: Resolver
  hosts: Hosts
  limits: { scanLimits: ScanLimits }
  times: ScanTimes
  connections: OpenConnections
}

/** Adds what a front has done since its start, and what it has in memory. */
export function addFrontMetrics(metrics: OwnMetrics, measured: Measured): void {
  addJournalMetrics(metrics, measured)
  addMemoryMetrics(metrics, measured)
  addScanMetrics(metrics, measured)
  addConnectionMetrics(metrics, measured)
}

function addJournalMetrics(metrics: OwnMetrics, { journal, journalBytesMax }: Measured): void {
  metrics.figures({
    scans_recorded_total: ['Scans in the journal', () => journal.stats().appended],
    scans_unrecorded_total: [
      'Scans answered but not recorded in a journal',
      () => journal.stats().unrecorded,
    ],
    journal_bytes: ['Size of all journals of this machine', () => journal.stats().bytes],
    journal_max_bytes: ['Maximum size of all journals', () => journalBytesMax],
    journal_segments_lost_total: [
      'Segments of the journal that were removed or renamed during writing',
      () => journal.stats().segmentsLost,
    ],
    journal_problems_total: ['Input and output errors of the journal', () => journal.stats().problems],
  })
}

function addMemoryMetrics(metrics: OwnMetrics, { resolver, hosts, limits: { scanLimits } }: Measured): void {
  metrics.figures({
    codes_in_memory: [
      'Codes in memory, which redirect without the catalogue',
      () => resolver.stats().entries,
    ],
    hosts_in_memory: ['Host names in memory that are domains', () => hosts.size],
    code_hits_total: ['Scans answered from memory', () => resolver.stats().hits],
    code_misses_total: ['Scans that asked the catalogue', () => resolver.stats().misses],
    scan_limits_unknown_open_total: [
      'Answers of codes with a limit that were given while the catalogue could not count them',
      () => scanLimits.stats().open,
    ],
    scan_limits_unknown_closed_total: [
      'Scans of codes with a limit that were refused while the catalogue could not count them',
      () => scanLimits.stats().closed,
    ],
  })
}

function addScanMetrics(metrics: OwnMetrics, { times }: Measured): void {
  metrics.add(
    'redirect_duration_seconds',
    { help: 'Time to answer a short URL, by status class; landing pages are 2xx', type: 'histogram' },
    (name) => times.read(name),
  )
  metrics.labelled({
    build_info: [
      'The running release, and its Node',
      () => [[{ version: release, node: process.version }, 1]],
    ],
  })
}

function addConnectionMetrics(metrics: OwnMetrics, { connections }: Measured): void {
  metrics.figures({
    client_connections: ['Open connections of clients', () => connections.size],
    client_connections_max: ['Limit of the connections of clients', () => connections.connectionsMax],
  })
  metrics.labelled({
    client_connections_closed_total: [
      'Connections of clients that were closed at a limit',
      () => {
        const { all, network } = connections.closed()
        return [
          [{ limit: 'all', connection: 'idle' }, all.idle],
          [{ limit: 'all', connection: 'new' }, all.refused],
          [{ limit: 'network', connection: 'idle' }, network.idle],
          [{ limit: 'network', connection: 'new' }, network.refused],
        ]
      },
    ],
  })
}
