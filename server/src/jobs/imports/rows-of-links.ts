import { problem } from '@everscan/contract/problems/problem.ts'
import { moveCells, readMovedLink } from '@everscan/contract/moves/moved-links.ts'
import { moveFields, type MoveField } from '@everscan/contract/moves/move-sources.ts'
import type { ImportedQrCode } from '@everscan/contract/resources/bulk-imports.ts'
import type { MoveInput } from '../../catalogue/rows/import-row.ts'
import type { BodyProblem, RowMeans, RowPreset } from './row-presets.ts'

/** Reads rows of the export of another product. */
export function rowsOfLinks(input: MoveInput, { check, clock }: RowMeans): RowPreset {
  const { domain, mapping } = input
  const codes = domain?.codes ?? 'canonical'
  const places = moveCells(mapping, input.header)
  const nowMs = clock()
  return {
    read: (row) => {
      const { link, problems } = readMovedLink(places, row.cells, nowMs, codes)
      const { shortCode, destination, title: name, tags, createdAtMs, scansBefore } = link
      const body: ImportedQrCode = { type: 'URL', name, data: { url: destination }, tags, shortCode }
      return {
        row,
        code: { body, domain, codes, createdAtMs, scansBefore },
        problems: (isTaken) => {
          const ofLink = problems.map(({ field: path, ...found }) => ({ path, ...found }))
          const found = [...ofLink, ...codeProblems(shortCode, { sameAs: row.sameAs, isTaken })]
          return found.length > 0 ? found : check(body)
        },
      }
    },
    place: (path) => {
      const field = fieldOf(path)
      return { name: field ?? null, column: field === undefined ? null : (mapping[field][0] ?? null) }
    },
    wholeRow: '',
    refusals: ({ details, told }) => details ?? [{ path: '', ...told }],
  }
}

function codeProblems(
  shortCode: string,
  { sameAs: line, isTaken }: { sameAs: number | undefined; isTaken: boolean },
): BodyProblem[] {
  if (line !== undefined) return [{ path: 'shortCode', ...problem('sameCodeAsLine', { shortCode, line }) }]
  return isTaken ? [{ path: 'shortCode', ...problem('codeAssignedHere', { shortCode }) }] : []
}

/** Returns the field of the file that a part of the body comes from. */
function fieldOf(path: string): MoveField | undefined {
  if (path.startsWith('data')) return 'destination'
  if (path.startsWith('tags')) return 'tags'
  return path === 'name' ? 'title' : moveFields.find((field) => field === path)
}
