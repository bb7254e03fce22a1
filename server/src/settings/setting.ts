/** The processes that `main` starts. `main` itself reads every setting. */
export type ChildName = 'prepare' | 'front' | 'api' | 'worker' | 'engine'

/** A setting: its environment variable, documented default, meaning, and parser. */
export type Setting<Value, Settings> = {
  name: string
  default: string
  meaning: string
  /** The processes that need it; others must not hold a secret that they do not use. */
  for: readonly ChildName[]
  /** Returns the value that `main` passes on, if a child must not choose its own. */
  pass?: (config: Settings) => string | undefined
  /** Processes that `main` may start before the value is settled. */
  optionalFor?: readonly ChildName[]
  /** The value is a secret: NAME_FILE can name a file that holds it. */
  isSecret?: true
  read: (text: string | undefined, soFar: Partial<Settings>) => Value
}
