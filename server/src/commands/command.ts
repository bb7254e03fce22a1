import type { Config } from '../config.ts'
import type { Parts } from '../doctor/context.ts'

/** A word after the command, such as an e-mail address. */
export type Argument = {
  name: string
  meaning: string
  /** Gives the value of a text; throws an Error that says what was expected: `must be an e-mail address`. */
  read?: (text: string) => string
  optional?: true
  /** Takes all words that are left; the values are joined with spaces. */
  rest?: true
}

/** `--name`, or `--name VALUE`. */
export type Option = {
  name: string
  /** The word for its value in help; absent: a flag. */
  value?: string
  meaning: string
  read?: (text: string) => string
  required?: true
}

/** What every action takes. */
export const commonOptions: readonly Option[] = [
  { name: 'json', meaning: 'Print one JSON document in place of text.' },
  { name: 'help', meaning: 'Print this help.' },
]

export type Example = { command: string; does: string }

/** One thing that can be done, such as `everscan users create`. All of them take `--help` and `--json`, too. */
export type Action = {
  /** What is written for it, without `everscan`. */
  words: string
  summary: string
  /** Lines of its help, for what the summary cannot say. */
  details?: readonly string[]
  arguments?: readonly Argument[]
  options?: readonly Option[]
  examples: readonly Example[]
  /** Gives what is printed; undefined: something was started that goes on. Throws an Error that a person can act on. */
  run: (call: Call) => Promise<Outcome | undefined>
}

/** What an action is given. */
export type Call = {
  input: Input
  /** Reads the settings of the environment; throws for a wrong one. */
  readConfig: () => Config
  /** Starts the service in this process. */
  start: () => Promise<void>
  /** What only the wiring knows. */
  loadParts: () => Promise<Parts>
  /** Whether the output is read by a person, as it comes. */
  isTerminal: boolean
  nowMs: number
  /** The help of the command that words begin with; of none, the list of commands. */
  help: (words: readonly string[]) => Promise<Outcome>
  /** Says how far long work is, on standard error: one line that changes on a terminal, which an empty text takes away, and a line now and then elsewhere. */
  progress: (text: string) => void
  /** A sentence on standard error. */
  warn: (text: string) => void
  /** From here on the first Ctrl-C or SIGTERM aborts this signal, so that what is under way can be taken back; a second one ends the process. */
  interrupted: () => AbortSignal
}

/** The words of a command line. Asking for what the action does not declare is a mistake in our code and throws. */
export type Input = {
  argument: (name: string) => string
  option: (name: string) => string | undefined
  flag: (name: string) => boolean
}

export type Outcome = {
  /** For people, without a line break at the end. */
  text: string
  /** The one document of `--json`. */
  json: unknown
  /** It was done, and found something wrong: exit status 1. */
  failed?: true
}

/** The command line is wrong: exit status 2. The message names the wrong word; `usage` is shown below it. */
export class UsageError extends Error {
  readonly usage: string | undefined

  constructor(message: string, usage?: string) {
    super(message)
    this.usage = usage
  }
}
