import type { Action, Argument, Option } from './command.ts'

/** `everscan users create EMAIL [--name NAME]` */
export function usageOf({ words, arguments: declared = [], options = [] }: Action): string {
  return [`everscan ${words}`, ...declared.map(argumentText), ...options.map(optionUsage)].join(' ')
}

function argumentText({ name, optional, rest }: Argument): string {
  const text = rest === true ? `${name} ...` : name
  return optional === true ? `[${text}]` : text
}

function optionUsage(option: Option): string {
  return option.required === true ? optionText(option) : `[${optionText(option)}]`
}

export function optionText({ name, value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`
}
