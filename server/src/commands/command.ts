import type { Config } from '../settings/settings.ts'
import type { Parts } from '../doctor/context.ts'

/** A word after the command, such as an e-mail address. */
export type Argument = {
  name: string
  meaning: string
  /** Returns the value; throws an Error with the expectation: `must be an e-mail address`. */
  read?: (text: string) => string
  optional?: true
  /** Takes all remaining words, joined with spaces. */
  rest?: true
}

/** `--name`, or `--name VALUE`. */
export type Option = {
  name: string
  /** Placeholder of the value in the help; absent for a flag. */
  value?: string
  meaning: string
  read?: (text: string) => string
  required?: true
}

/** Options of every action. */
export const commonOptions: readonly Option[] = [
  { name: 'json', meaning: 'Print one JSON document instead of text.' },
  { name: 'help', meaning: 'Print this help.' },
]

export type Example = { command: string; does: string }

/** One operation, such as `everscan users create`; also takes `--help` and `--json`. */
export type Action = {
  /** The words that call it, without `everscan`. */
  words: string
  summary: string
  /** Lines of help below the summary. */
  details?: readonly string[]
  arguments?: readonly Argument[]
  options?: readonly Option[]
  examples: readonly Example[]
  /**
   * Returns the output, or undefined if it started something that keeps running. Throws an Error
   * that the operator can act on.
   */
  run: (call: Call) => Promise<Outcome | undefined>
}

/** One call of an action. */
export type Call = {
  input: Input
  /** Reads the settings from the environment; throws if one is wrong. */
  readConfig: () => Config
  /** Starts the service in this process. */
  start: (options: { demo: boolean }) => Promise<void>
  /** Loads the parts that only the wiring can build. */
  loadParts: () => Promise<Parts>
  /** Whether standard output is a terminal. */
  isTerminal: boolean
  nowMs: number
  /** Returns the help of the command that begins `words`; without words, all commands. */
  help: (words: readonly string[]) => Promise<Outcome>
  /**
   * Reports progress on standard error: on a terminal in one line that changes, elsewhere in a line
   * from time to time. An empty text clears the line.
   */
  progress: (text: string) => void
  /** Writes a sentence to standard error. */
  warn: (text: string) => void
  /**
   * After this call, the first Ctrl-C or SIGTERM aborts the signal, so that the action can undo
   * unfinished work. The second one ends the process.
   */
  interrupted: () => AbortSignal
}

/**
 * The parsed words of a command line. Its functions throw for a name that the action does not
 * declare: that is a bug.
 */
export type Input = {
  argument: (name: string) => string
  option: (name: string) => string | undefined
  flag: (name: string) => boolean
}

export type Outcome = {
  /** For people, without a trailing line break. */
  text: string
  /** The document that `--json` prints. */
  json: unknown
  /** The action ran, and found something wrong: exit status 1. */
  failed?: true
}

/** The command line is wrong: exit status 2. The message names the word, `usage` the syntax. */
export class UsageError extends Error {
  readonly usage: string | undefined

  constructor(message: string, usage?: string) {
    super(message)
    this.usage = usage
  }
}
