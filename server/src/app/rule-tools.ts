import type { RuleTools } from '../product/codes/rule-tools.ts'
import type { Config } from '../settings.ts'
import type { Log } from '../log.ts'
import { createSplits } from '../rules/splits.ts'
import { createVisitorHash } from '../scan/visitor.ts'
import { VisitorSources } from '../scan/visitors/visitor-sources.ts'
import { knownPlace, visitorSourceLoaders } from './visitor-sources.ts'

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
      const { regionCode } = await import('../ingest/geography/region-codes.ts')
      return (place) => knownPlace(place, regionCode)
    },
  }
}
