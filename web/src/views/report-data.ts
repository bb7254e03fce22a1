import type { SharedView } from '@everscan/client/create-client.ts'
import type { AnsweredLists } from '@everscan/contract/dimensions/answered-lists.ts'
import { filterDimensions, type FilterDimension } from '@everscan/contract/dimensions/dimensions.ts'
import { ruleValues } from '@everscan/contract/views/rule-values.ts'
import { namedValue } from './named-values.ts'
import { formatNumber } from '../ui/format.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { commonWords } from '../words/common-words.ts'
import { viewsWords } from '../words/views-words.ts'

const text = viewsWords.scope

/** The figures of a report: those of a shared view, or of the page of analytics. */
export type ReportFigures = Pick<
  SharedView,
  keyof AnsweredLists | 'summary' | 'timeline' | 'destinations' | 'topQrCodes'
>

export type Report = {
  title: string
  organization: { name: string; logo: string | null }
  asOf: string
  days: { startDate: string; endDate: string }
  timezone: string
  interval: SharedView['interval']
  scope: readonly string[]
  figures: ReportFigures
}

/** Returns the report of a shared view. */
export function reportOf(view: SharedView): Report {
  const { name, organization, asOf, days, timezone, interval, scope, ...figures } = view
  return { title: name, organization, asOf, days, timezone, interval, scope: scopeWords(scope), figures }
}

/** Says which codes and scans figures count; nothing if they count all. */
export function scopeWords(scope: SharedView['scope']): string[] {
  const { qrCode, folder, tags = [], type, qrCodes, filters } = scope
  return [
    ...(qrCode === undefined ? [] : [text.qrCode(qrCode)]),
    ...(folder === undefined ? [] : [folderWords(folder)]),
    ...(tags.length === 0 ? [] : [text.tags(tags.join(', '))]),
    ...(type === undefined ? [] : [text.type(commonWords.types[type])]),
    ...(qrCodes === undefined ? [] : [text.qrCodes(formatNumber(qrCodes))]),
    ...filterDimensions.flatMap((name) => {
      const values = filters[name]
      return values === undefined
        ? []
        : [
            `${text.filters[name]}${commonWords.colon} ${values.map((value) => filterWords(name, value)).join(', ')}`,
          ]
    }),
  ]
}

function folderWords(folder: string | null): string {
  if (folder === null) return text.unfiled
  return folder === '' ? text.deletedFolder : text.folder(folder)
}

/** `!` before a value excludes it; `\!` stands for a value that begins with `!`. */
function filterWords(name: FilterDimension, written: string): string {
  if (written.startsWith('!')) return text.not(valueWords(name, written.slice(1)))
  return valueWords(name, written.startsWith('\\!') ? written.slice(1) : written)
}

/** Returns the display name of a value that scans have in common. */
export function valueWords(name: FilterDimension, value: string): string {
  return namedValue(name, value, ruleWords)
}

/** Returns the name of a rule, as the server names it. */
export function ruleWords(name: string): string {
  const { none, unknown } = analyticsWords.destinations
  if (name === '' || name === ruleValues.none) return none
  return name === ruleValues.unknown ? unknown : name
}
