import {
  dimensions,
  filterDimensions,
  type FilterDimension,
  type ValueKind,
} from '@everscan/contract/dimensions/dimensions.ts'
import { ruleValues } from '@everscan/contract/views/rule-values.ts'
import type { SharedView } from '@everscan/contract/views/views.ts'
import type { MailFormats } from '../../product/mails/mail-formats.ts'
import type { MailWords } from '../../product/mails/mail-words.ts'

/** Words and formats of the language of a mail. */
export type Wording = { words: MailWords['view']; formats: MailFormats }

/** Says which codes and scans the figures count; nothing if they count all. */
export function scopeOf({ scope }: SharedView, wording: Wording): string[] {
  const { qrCode, folder, tags = [], type, qrCodes, filters } = scope
  const { words, formats } = wording
  const text = words.scope
  return [
    ...(qrCode === undefined ? [] : [words.line(text.qrCode, qrCode)]),
    ...(folder === undefined ? [] : [folderWords(folder, words)]),
    ...(tags.length === 0 ? [] : [words.line(text.tags, tags.join(', '))]),
    ...(type === undefined ? [] : [words.line(text.type, text.types[type])]),
    ...(qrCodes === undefined ? [] : [words.line(text.qrCodes, formats.number(qrCodes))]),
    ...filterDimensions.flatMap((name) => {
      const values = filters[name]?.map((value) => filterWords(name, value, wording))
      return values === undefined ? [] : [words.line(text.filters[name], values.join(', '))]
    }),
  ]
}

/** A deleted folder has no name. */
function folderWords(folder: string | null, { line, scope }: Wording['words']): string {
  if (folder === null) return scope.unfiled
  return folder === '' ? scope.deletedFolder : line(scope.folder, folder)
}

/** `!` before a value excludes it; `\!` stands for a value that begins with `!`. */
function filterWords(name: FilterDimension, written: string, wording: Wording): string {
  if (written.startsWith('!')) return wording.words.scope.not(valueName(name, written.slice(1), wording))
  return valueName(name, written.startsWith('\\!') ? written.slice(1) : written, wording)
}

/** Returns the name of a value that scans have in common. */
export function valueName(name: FilterDimension, value: string, { words, formats }: Wording): string {
  const unknownOr = (given: string) => (given === 'Unknown' || given === '' ? words.unknown : given)
  const names: Readonly<Record<ValueKind, () => string>> = {
    country: () => formats.country(value) ?? words.unknown,
    device: () => words.devices[value as keyof typeof words.devices],
    language: () => formats.language(value) ?? unknownOr(value),
    referrer: () => (value === '' ? words.noReferrer : value),
    rule: () => ruleName(value, words),
    arm: () => (value === '' ? words.none : value),
    text: () => unknownOr(value),
  }
  return names[dimensions[name].values]()
}

/** Returns the name of a rule. The names that stand for one are those of the language. */
export function ruleName(name: string, { none, unknownRule }: Wording['words']): string {
  if (name === ruleValues.none) return none
  return name === ruleValues.unknown ? unknownRule : name
}
