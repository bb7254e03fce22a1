import { pino } from 'pino'
import { VisitorSources, type CountrySource, type SourceLoaders } from '../../visitors/visitor-sources.ts'

/** Returns sources of which only the given ones know something. */
export function noSources(
  loaders: Partial<SourceLoaders> = {},
  { waitMsMax }: { waitMsMax?: number } = {},
): VisitorSources {
  const nothing: SourceLoaders = {
    countries: async () => countriesOf(() => undefined),
    places: async () => () => ({}),
    devices: async () => () => ({}),
    people: async () => (userAgent) => !userAgent.includes('bot'),
    look: async () => ({}),
  }
  return new VisitorSources({ ...nothing, ...loaders }, pino({ level: 'silent' }), waitMsMax)
}

/** Returns a source of countries that is ready. */
export function countriesOf(countryOf: CountrySource['countryOf']): CountrySource {
  return { countryOf, knows: () => true }
}
