import type { Config } from '../settings/settings.ts'
import { fingerprintOf } from './fingerprint.ts'

/** Settings that need one value on all machines, by name, as texts. Secrets are fingerprints. */
export type MachineSettings = Readonly<Record<string, string>>

const values: Readonly<Record<string, (config: Config) => string>> = {
  PUBLIC_URL: ({ publicUrl }) => publicUrl,
  SECRET: ({ secret = '' }) => fingerprintOf(secret),
  ROOT_URL: ({ rootUrl = 'not set' }) => rootUrl,
  RATE_LIMIT_PER_MINUTE: ({ rateLimitPerMinute }) => String(rateLimitPerMinute),
  RETENTION_DAYS: ({ retentionDays }) => String(retentionDays ?? 'not set'),
  SIGN_UP: ({ signUp }) => String(signUp),
  STRICT_HOSTS: ({ strictHosts }) => String(strictHosts),
}

/** Returns the settings of this machine that others compare with theirs. */
export function machineSettings(config: Config): MachineSettings {
  return Object.fromEntries(Object.entries(values).map(([name, valueOf]) => [name, valueOf(config)]))
}
