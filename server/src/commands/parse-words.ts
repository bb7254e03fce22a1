import { parseArgs } from 'node:util'
import { errorMessage } from '../errors.ts'
import { commonOptions, UsageError, type Action, type Argument, type Input, type Option } from './command.ts'
import { usageOf } from './usage.ts'
import { didYouMean, nearestWord } from './nearest-word.ts'

/** Parses the words after those of the action. Throws UsageError for the first wrong word. */
export function parseWords(action: Action, words: readonly string[]): Input {
  const declared = [...(action.options ?? []), ...commonOptions]
  const fail = (message: string): never => {
    throw new UsageError(message, usageOf(action))
  }
  // Not strict: the error messages of parseArgs are for developers, not for operators.
  const { tokens } = parseArgs({
    args: [...words],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      declared.map(
        ({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
      ),
    ),
  })
  const options = new Map<string, string>()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const option = declared.find(({ name }) => name === token.name && token.rawName.startsWith('--'))
    if (option === undefined) {
      const near = nearestWord(
        token.name,
        declared.map(({ name }) => name),
      )
      return fail(`unknown option "${token.rawName}".${didYouMean(near && `--${near}`)}`)
    }
    if (options.has(option.name)) return fail(`"${token.rawName}" was given twice.`)
    options.set(option.name, valueOf(option, token, fail))
  }
  for (const { name, required, value } of declared)
    if (required && !options.has(name)) return fail(`"--${name} ${value}" is missing.`)
  const values = argumentsOf(action.arguments ?? [], positionals, fail)
  return inputOf({ action, declared, options, values })
}

type Fail = (message: string) => never

function valueOf(
  option: Option,
  token: { rawName: string; value: string | undefined; inlineValue: boolean | undefined },
  fail: Fail,
): string {
  const { rawName, value, inlineValue } = token
  if (option.value === undefined) return value === undefined ? '' : fail(`"${rawName}" takes no value.`)
  if (value === undefined || (inlineValue !== true && value.startsWith('-')))
    return fail(`"${rawName}" needs a value: ${rawName} ${option.value}.`)
  return read(option.read, value, (problem) => fail(`${rawName} ${problem}, got "${value}".`))
}

function argumentsOf(
  declared: readonly Argument[],
  positionals: readonly string[],
  fail: Fail,
): ReadonlyMap<string, string> {
  const remaining = [...positionals]
  const values = new Map<string, string>()
  for (const { name, read: readValue, optional, rest } of declared) {
    const text = rest === true ? remaining.splice(0).join(' ') : remaining.shift()
    if (text === undefined || text === '') {
      if (optional === true) continue
      return fail(`${name} is missing.`)
    }
    values.set(
      name,
      read(readValue, text, (problem) => fail(`${name} ${problem}, got "${text}".`)),
    )
  }
  const [unexpected] = remaining
  if (unexpected !== undefined) return fail(`unexpected word "${unexpected}".`)
  return values
}

function read(
  readValue: ((text: string) => string) | undefined,
  text: string,
  fail: (problem: string) => never,
): string {
  try {
    return readValue === undefined ? text : readValue(text)
  } catch (error) {
    return fail(errorMessage(error))
  }
}

function inputOf({
  action,
  declared,
  options,
  values,
}: {
  action: Action
  declared: readonly Option[]
  options: ReadonlyMap<string, string>
  values: ReadonlyMap<string, string>
}): Input {
  const known = (name: string, isFlag: boolean): string => {
    if (declared.some((option) => option.name === name && (option.value === undefined) === isFlag))
      return name
    throw new Error(`"${action.words}" declares no option ${name}`)
  }
  return {
    argument: (name) => {
      if (!(action.arguments ?? []).some((argument) => argument.name === name))
        throw new Error(`"${action.words}" declares no argument ${name}`)
      return values.get(name) ?? ''
    },
    option: (name) => options.get(known(name, false)),
    flag: (name) => options.has(known(name, true)),
  }
}
