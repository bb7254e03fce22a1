import type { Config } from '../settings/settings.ts'
import type { Parts } from '../doctor/context.ts'
import { errorMessage } from '../errors.ts'
import { UsageError, type Call, type Outcome } from './command.ts'
import { findAction, findCommand } from './commands.ts'
import { actionHelp, groupHelp, overview } from './help-texts.ts'
import { parseWords } from './parse-words.ts'
import { createProgress } from './progress.ts'

export const exitCodes = { done: 0, failed: 1, wrongUsage: 2 } as const

type Output = { write: (text: string) => unknown; isTTY?: boolean }

export type CommandOptions = {
  readConfig: () => Config
  start: Call['start']
  loadParts: () => Promise<Parts>
  /** Gets the output of the command and nothing else. */
  output: Output
  errors: Output
  clock?: () => number
  /** See `Call`. */
  interrupted?: () => AbortSignal
}

/**
 * Runs a command line and returns its exit status, or undefined if the command started something
 * that keeps running. With `--json` it always prints one document; on failure `{"error": …}`.
 */
export async function runCommand(
  words: readonly string[],
  options: CommandOptions,
): Promise<number | undefined> {
  const { output, errors } = options
  const isJson = beforeRest(words).includes('--json')
  const print = ({ text, json }: Outcome): void =>
    void output.write(isJson ? `${JSON.stringify(json, undefined, 2)}\n` : `${text}\n`)
  try {
    const outcome = await outcomeOf(words, options)
    if (outcome === undefined) return undefined
    print(outcome)
    return outcome.failed === true ? exitCodes.failed : exitCodes.done
  } catch (error) {
    const message = await problemText(error, options.readConfig)
    if (isJson) print({ text: '', json: { error: { message } } })
    errors.write(`everscan: ${message}\n`)
    if (!(error instanceof UsageError)) return exitCodes.failed
    if (error.usage !== undefined) errors.write(`Usage: ${error.usage}\n`)
    errors.write('"everscan help" lists the commands, "everscan COMMAND --help" explains one.\n')
    return exitCodes.wrongUsage
  }
}

const neverInterrupted = (): AbortSignal => new AbortController().signal

async function outcomeOf(
  words: readonly string[],
  { output, errors, clock = Date.now, interrupted = neverInterrupted, ...given }: CommandOptions,
): Promise<Outcome | undefined> {
  const helpAt = beforeRest(words).findIndex((word) => word === '--help' || word === '-h')
  if (helpAt >= 0) return helpOf(words.slice(0, helpAt).filter((word) => !word.startsWith('-')))
  const { action, rest } = await findAction(words)
  const input = parseWords(action, rest)
  const progress = createProgress(errors)
  try {
    return await action.run({
      ...given,
      input,
      isTerminal: output.isTTY === true,
      progress: progress.say,
      warn: (text) => void errors.write(`everscan: ${text}\n`),
      interrupted,
      nowMs: clock(),
      help: helpOf,
    })
  } finally {
    progress.end()
  }
}

/**
 * Returns the help of the longest command that `words` begin with. Throws UsageError for an unknown
 * first or second word.
 */
async function helpOf(words: readonly string[]): Promise<Outcome> {
  const [name, verb] = words
  if (name === undefined) return helpOutcome(overview())
  const actions = await findCommand(name).load()
  const isGroup = actions[0]?.words !== name
  if (isGroup && verb === undefined) return helpOutcome(groupHelp(actions))
  return helpOutcome(actionHelp((await findAction(words)).action))
}

function helpOutcome(text: string): Outcome {
  return { text, json: { help: text } }
}

/** Returns the words before `--`: no word after it is an option. */
function beforeRest(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  return end < 0 ? words : words.slice(0, end)
}

/**
 * Returns a problem of the catalogue as a sentence that says what to do, and any other error with
 * its causes: "the catalogue does not answer" alone is no help.
 */
async function problemText(error: unknown, readConfig: () => Config): Promise<string> {
  if (error instanceof UsageError) return error.message
  // Loaded only here: help needs no driver of a database.
  const { catalogueProblem } = await import('../db/database-problems.ts')
  const problem = catalogueProblem(error, configOr(readConfig))
  if (problem !== undefined) return problem.sentence
  const causes: string[] = []
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    const code = 'code' in one && typeof one.code === 'string' ? one.code : one.name
    causes.push(one.message === '' ? code : one.message)
    if (one.name !== 'CatalogueUnavailable') break
  }
  return causes.length === 0 ? errorMessage(error) : causes.join(': ')
}

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>

/** Settings that are wrong are the error itself. */
function configOr(readConfig: () => Config): Place {
  try {
    return readConfig()
  } catch {
    return { databaseUrl: undefined, dataDir: '' }
  }
}
