import { pino } from 'pino'
import { VisitorSources, type SourceLoaders } from '../visitors/visitor-sources.ts'

/** Returns sources of which only the given ones know something. */
export function noSources(loaders: Partial<SourceLoaders> = {}): VisitorSources {
  const nothing: SourceLoaders = {
    countries: async () => () => undefined,
    places: async () => () => ({}),
    devices: async () => () => ({}),
    people: async () => (userAgent) => !userAgent.includes('bot'),
  }
  return new VisitorSources({ ...nothing, ...loaders }, pino({ level: 'silent' }))
}
