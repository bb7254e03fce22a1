import type { Session } from 'chdb'
import type { EngineRequest } from './engine-request.ts'
import { identifier, literal } from './quoting.ts'

/**
 * Settings and database of a connection of the engine. Over HTTP they belong to a request, but in
 * the engine to the connection. Settings that the last request had and the current one lacks are
 * reset to their defaults.
 */
export class ConnectionSettings {
  readonly #session: Session
  #database: string | undefined
  #applied: ReadonlyMap<string, string> = new Map()

  constructor(session: Session) {
    this.#session = session
  }

  /** Gives the connection the database and the settings of a request. */
  async apply({ database, settings }: EngineRequest): Promise<void> {
    if (database !== this.#database) {
      await this.#session.queryAsync(`use ${identifier(database)}`)
      this.#database = database
    }
    const changes = this.#changesTo(settings)
    if (changes.length === 0) return
    try {
      await this.#session.queryAsync(`set ${changes.join(', ')}`)
      this.#applied = new Map(settings)
    } catch (error) {
      // The engine does not report which settings it applied. All of them are reset one by one,
      // because an unknown name fails again.
      for (const name of new Set([...this.#applied.keys(), ...settings.keys()]))
        await this.#session.queryAsync(`set ${setting(name)} = default`).catch(() => {})
      this.#applied = new Map()
      throw error
    }
  }

  #changesTo(settings: ReadonlyMap<string, string>): string[] {
    const changes: string[] = []
    for (const [name, value] of settings)
      if (this.#applied.get(name) !== value) changes.push(`${setting(name)} = ${literal(value)}`)
    for (const name of this.#applied.keys())
      if (!settings.has(name)) changes.push(`${setting(name)} = default`)
    return changes
  }
}

function setting(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new Error(`Code: 115. DB::Exception: Unknown setting ${JSON.stringify(name)}. (UNKNOWN_SETTING)`)
  return name
}
