import type { DeviceType } from '@everscan/contract/rules/device-names.ts'
import type { CreateSplit } from '../../rules/splits.ts'

/** The dependencies of simulations and replays of rules, as a front has them. */
export type RuleTools = {
  createSplit: CreateSplit
  /** The visitor of a code with an address and a user agent. */
  visitorHash: (qrCodeId: string, address: string, userAgent: string) => string
  /** Loads what tells about visitors when it is asked for. */
  sources: {
    /** Returns sources that know a network; undefined if those that are loaded do. */
    require: (
      names: readonly ('countries' | 'places' | 'devices')[],
      network: string,
    ) => Promise<VisitorSources> | undefined
    readonly loaded: VisitorSources
  }
  /** Returns a function that tells what is known of a place as the scan store has it. */
  loadPlaceReader: () => Promise<(place: StoredPlace) => KnownPlace>
}

/** The sources that are loaded. */
type VisitorSources = {
  readonly countries?: { countryOf: (network: string) => string | undefined }
  readonly places?: (network: string) => KnownPlace
  readonly devices?: (userAgent: string) => KnownDevice
}

/** The known parts of a place. */
export type KnownPlace = { country?: string; region?: string; city?: string }
type KnownDevice = { device?: DeviceType; os?: string; browser?: string }

/** A place as the scan store has it: the region by its English name. */
export type StoredPlace = { country: string; region: string; city: string }
