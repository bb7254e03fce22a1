import { withSecretFiles } from './setting-values.ts'
import { settings, type ChildName, type Config } from './settings.ts'

/**
 * Reads the settings from an environment: all of them, or those of one child. Throws an Error that
 * names the first wrong setting and what was expected. An empty value counts as absent, because
 * `docker compose` and shells write unset variables that way.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, child?: ChildName): Config {
  const secrets = Object.values(settings).filter(({ isSecret }) => isSecret)
  const environment = withSecretFiles(
    env,
    secrets.map(({ name }) => name),
  )
  const config: Partial<Config> = { environment }
  for (const [key, setting] of Object.entries(settings)) {
    if (child !== undefined && !setting.for.includes(child)) {
      refuseReading(config, key, `${setting.name} is not a setting of ${child}: see "for" in settings.ts`)
      continue
    }
    const text = environment[setting.name]?.trim() || undefined
    const isOptional = child === undefined || setting.optionalFor?.includes(child) === true
    if (!isOptional && text === undefined && setting.pass !== undefined)
      throw new Error(`${setting.name}: must be passed on by main, which starts ${child}`)
    try {
      Object.assign(config, { [key]: setting.read(text, config) })
    } catch (error) {
      throw new Error(`${setting.name}: ${(error as Error).message}`, { cause: error })
    }
  }
  return config as Config
}

/** Makes reading a setting throw: a default could be silently wrong. */
function refuseReading(config: Partial<Config>, key: string, message: string): void {
  Object.defineProperty(config, key, {
    get: () => {
      throw new Error(message)
    },
  })
}
