import type { RuleTools } from './rule-tools.ts'
import type { Config } from '../../settings/settings.ts'
import type { Log } from '../../log.ts'
import { createSplits } from '../../rules/splits.ts'
import { createVisitorHash } from '../../visitors/visitor-hash.ts'
import { VisitorSources } from '../../visitors/visitor-sources.ts'
import { knownPlace, visitorSourceLoaders } from '../../visitors/source-loaders.ts'

/** Nobody stands before a code: a simulation waits for the geography longer than a scan does. */
const waitMsMax = 20_000

type Needed = Pick<Config, 'splitKey' | 'visitorKey' | 'dataDir' | 'geoipCityV4' | 'geoipCityV6'>

/** Creates what `api` needs to judge rules as a front does: with its keys, and its sources. */
export function createRuleTools(config: Needed, log: Log): RuleTools {
  return {
    createSplit: createSplits(config.splitKey ?? ''),
    visitorHash: createVisitorHash(config.visitorKey ?? ''),
    sources: new VisitorSources(visitorSourceLoaders(config, log), log, waitMsMax),
    loadPlaceReader: async () => {
      const { regionCode } = await import('../../visitors/geography/region-codes.ts')
      return (place) => knownPlace(place, regionCode)
    },
  }
}
