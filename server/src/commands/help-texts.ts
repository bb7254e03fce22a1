import { commonOptions, type Action } from './command.ts'
import { commands } from './commands.ts'
import { textPairs } from './text-table.ts'
import { optionText, usageOf } from './usage.ts'

/** Returns the text of `everscan help`. */
export function overview(): string {
  return [
    'Usage: everscan COMMAND',
    '',
    textPairs(commands.map(({ name, summary }) => [`  ${name}`, summary] as const)),
    '',
    '"everscan COMMAND --help" explains a command and shows examples. Commands read the same settings from the environment',
    'as the service (docs/configuration.md), and work whether or not it runs.',
    'Exit status: 0 done, 1 failed, 2 wrong usage.',
  ].join('\n')
}

/** Returns the help of a command with several actions. */
export function groupHelp(actions: readonly Action[]): string {
  return [
    'Usage:',
    '',
    textPairs(actions.map((action) => [`  everscan ${action.words}`, action.summary] as const)),
    '',
    'Add --help to an action for its options and examples.',
  ].join('\n')
}

/** Returns the help of one action, with its examples. */
export function actionHelp(action: Action): string {
  const { summary, details = [], examples } = action
  const pairs = [
    ...(action.arguments ?? []).map(({ name, meaning }) => [`  ${name}`, meaning] as const),
    ...[...(action.options ?? []), ...commonOptions].map(
      (option) => [`  ${optionText(option)}`, option.meaning] as const,
    ),
  ]
  return [
    `Usage: ${usageOf(action)}`,
    '',
    `${summary}.`,
    ...(details.length === 0 ? [] : ['', ...details]),
    '',
    textPairs(pairs),
    '',
    'Examples:',
    ...examples.flatMap(({ command, does }) => ['', `  # ${does}`, `  ${command}`]),
  ].join('\n')
}
