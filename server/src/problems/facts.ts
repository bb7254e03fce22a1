import type { Problem } from '@everscan/contract/problems/problem.ts'

/** A problem that a part names itself; undefined if it has none. */
type Told = { readonly told: Problem | undefined }

/** A part of the scan store that is set aside or unreadable. `why` is the store's own reason. */
export type TroubledPart = { readonly table: string; readonly part: string; readonly why: string }

/** Hits that were counted and that the scan store lacks. Days are in the form 2026-03-01. */
export type LostHits = { readonly hits: number; readonly firstDay: string; readonly lastDay: string }

/** The state of the scheduled copies of an installation. */
export type CopyFacts = Told & {
  isScheduled: boolean
  /** Why the last attempt did not make a complete copy or did not verify one. */
  failed: Problem | undefined
  hasCopy: boolean
  /** Age of the last complete copy; without any, the time in which one could have been made. */
  ageMs: number
  everyMs: number
  unverifiedMs: number
  unverifiedMsMax: number
  /** The last copy has fewer hits than the one before, which has this name. */
  fewer: { readonly hits: number; readonly before: string } | undefined
}

/** `reason` is the signal that ended a process which used the package, or the system's words. */
type FailedPackage = { readonly package: string; readonly needs: string; readonly reason: string }

/** The facts of each part of an installation, before anyone judges them. */
export type Facts = {
  /** `silentMs` is since its last report, if it was ready. */
  process: { isReady: boolean; answers: boolean; silentMs: number }
  /** Packages that do not work on this machine, by what does not run without them. */
  nativePackages: { ofApi: FailedPackage | undefined; ofEngine: FailedPackage | undefined }
  /** `told` says how far an upgrade is. */
  catalogueUpgrade: Told
  catalogue: { answers: boolean }
  /** `told` says why a store that answers cannot be used. */
  scanStore: Told & { answers: boolean }
  /** `problem` is what the store says; empty if nothing is wrong. */
  scanStoreUpgrade: {
    rows: number
    rowsLeft: number
    endsAtMs: number | undefined
    problem: string
    nowMs: number
  }
  scanParts: { detached: readonly TroubledPart[]; broken: readonly TroubledPart[] }
  lostScans: { lost: LostHits | undefined }
  journal: { isDegraded: boolean; bytes: number; bytesMax: number }
  disk: { isNearlyFull: boolean; freeBytes: number; sizeBytes: number }
  /** Scans of codes with a limit that were answered or refused without the count. */
  scanLimits: { isUnknown: boolean; open: number; closed: number }
  /** `told` says why it cannot go on. `lateMs` is the age of the oldest scan that waits. */
  ingest: Told & { isStarted: boolean; lateMs: number; lateBytes: number; isCountingRestored: boolean }
  /** `builtMs` is the time of the older file; undefined while it is unknown. */
  geography: Told & { builtMs: number | undefined; nowMs: number }
  /** Certificates in use that could not be renewed, those that end first. */
  certificates: {
    failing: readonly { hostname: string; expiresAtMs: number; found: Problem | undefined }[]
  }
  copies: CopyFacts
  /** `told` is a setting that differs. A silent machine was not stopped. */
  machines: Told & { silent: { readonly name: string; readonly seenAtMs: number } | undefined }
}

export type PartKind = keyof Facts
