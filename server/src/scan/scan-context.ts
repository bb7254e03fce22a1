import type { Journal } from '../journal/journal.ts'
import type { VisitorSources } from '../visitors/visitor-sources.ts'
import type { GuardContext } from './access/guard.ts'
import type { Hosts } from './hosts/hosts.ts'
import type { RecentCache } from './recent-cache.ts'
import type { Resolver } from './resolve.ts'
import type { ScanTimes } from './scan-times.ts'
import type { SiteHeaders } from './site-headers.ts'
import type { IdentifyingContext } from './visitors/identified-visitor.ts'

/** The parts of a front that scans are answered with. */
export type ScanContext = GuardContext &
  IdentifyingContext & {
    resolver: Resolver
    journal: Journal
    times: ScanTimes
    /** Tell rules about visitors. */
    sources: VisitorSources
    /** Visitors of codes with rules that ask for earlier visits: see `memoryKey`. */
    visits: RecentCache<true>
    /** When visitors last entered a password, in milliseconds since 1970: see `memoryKey`. */
    posted: RecentCache<number>
    siteHeaders: SiteHeaders
    /** The host names that are domains. */
    hosts: Hosts
    /** PUBLIC_URL's host, with its port if that is not the default. */
    publicHost: string
  }
