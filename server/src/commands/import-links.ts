import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Move } from '@everscan/contract/moves/moves.ts'
import { visitFields } from '@everscan/contract/moves/moved-visits.ts'
import { moveFields, moveSources, type MoveSource } from '@everscan/contract/moves/move-sources.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { countText } from '../amounts.ts'
import { moveFile, noDomain, readMoveRecord } from '../product/imports/moves/prepare-move.ts'
import type { ExportFile } from '../product/imports/moves/read-export.ts'
import { listDomains } from '../catalogue/domains/domains.ts'
import { commandOrigin } from '../catalogue/rows/change-origins.ts'
import type { ImportKey } from '../catalogue/rows/import-row.ts'
import type { Database } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import type { Action, Call, Option } from './command.ts'
import { chooseOrganization, withCatalogue } from './open-catalogue.ts'

const names: Readonly<Record<MoveSource, string>> = {
  bitly: 'Bitly',
  dub: 'Dub',
  kutt: 'Kutt',
  shlink: 'Shlink',
  yourls: 'YOURLS',
  shortio: 'Short.io',
  rebrandly: 'Rebrandly',
  csv: 'any other product',
}

const linkOptions: readonly Option[] = [
  { name: 'organization', value: 'SLUG', meaning: 'The organization of the codes: slug or id.' },
  {
    name: 'domain',
    value: 'HOST',
    meaning:
      'The domain of the codes, which wait if it is not proved; none: PUBLIC_URL. Default: the default domain, or PUBLIC_URL.',
  },
  {
    name: 'mapping',
    value: 'JSON',
    meaning: 'Columns that are not recognized by their names: {"destination":["Target"]}.',
  },
  {
    name: 'visits',
    value: 'FILE',
    meaning: 'Visits one by one, as CSV or JSON: those of links that come become scans.',
  },
  { name: 'resolve', meaning: 'Look at each destination first, and list those without a page.' },
  { name: 'dry-run', meaning: 'Only check the links and create nothing.' },
  { name: 'wait', meaning: 'Wait until all links are moved.' },
]

/** `import bitly FILE` and so on: an action for each product. */
export const linkActions: readonly Action[] = moveSources.map(linkAction)

function linkAction(source: MoveSource): Action {
  const example = `./everscan import ${source} links.csv`
  return {
    words: `import ${source}`,
    summary: `Move the links of ${names[source]} in, from an export`,
    details: [
      'Reads a file of CSV or JSON and hands it to the service, which makes a code of each link in the background: the service must run, or be',
      'started afterwards. Short codes, titles, tags and creation dates stay; clicks so far are shown apart. Links that cannot come are listed.',
    ],
    arguments: [{ name: 'FILE', meaning: 'The export, as the product wrote it.' }],
    options: linkOptions,
    examples: [
      { command: `${example} --dry-run --wait`, does: 'only list the links that cannot come' },
      { command: `${example} --domain go.example.com --wait`, does: 'move the links to a domain' },
    ],
    run: (call) => moveLinks(source, call),
  }
}

async function moveLinks(source: MoveSource, call: Call): ReturnType<Action['run']> {
  const { input, readConfig, nowMs, progress, interrupted } = call
  const config = readConfig()
  const path = input.argument('FILE')
  return withCatalogue(config, async (db) => {
    if (!(await stat(path)).isFile()) throw new Error(`${path} is no file.`)
    const { id: organizationId } = await chooseOrganization(db, input.option('organization'))
    const domainId = await domainIdOf(db, organizationId, input.option('domain'))
    const mapping = input.option('mapping')
    const visits = input.option('visits')
    if (visits !== undefined && !(await stat(visits)).isFile()) throw new Error(`${visits} is no file.`)
    const move = await moveFile(db, organizationId, {
      file: fileAt(path),
      ...(visits !== undefined && { visits: fileAt(visits) }),
      fields: {
        source,
        dryRun: input.flag('dry-run'),
        resolve: input.flag('resolve'),
        ...(domainId !== undefined && { domainId }),
        ...(mapping !== undefined && { mapping }),
      },
      origin: commandOrigin,
      publicUrl: config.publicUrl,
      clock: () => nowMs,
    }).catch((error: unknown) => {
      throw error instanceof ApiError ? new Error(error.message, { cause: error }) : error
    })
    const record = input.flag('wait')
      ? await wait(db, { organizationId, id: move.id }, { progress, signal: interrupted() })
      : move
    return { text: textOf(record), json: record }
  })
}

function fileAt(path: string): ExportFile {
  return { name: basename(path), bytes: createReadStream(path) }
}

async function domainIdOf(
  db: Database,
  organizationId: string,
  hostname: string | undefined,
): Promise<string | undefined> {
  if (hostname === undefined || hostname === noDomain) return hostname
  const { rows } = await listDomains(db, organizationId, { page: 1, limit: limits.domainsMax })
  const found = rows.find((one) => one.hostname === hostname.toLowerCase())
  if (found !== undefined) return found.id
  throw new Error(`the organization has no domain "${hostname}".`)
}

const pollMs = 500

async function wait(
  db: Database,
  key: ImportKey,
  { progress, signal }: { progress: Call['progress']; signal: AbortSignal },
): Promise<Move> {
  for (;;) {
    const move = await readMoveRecord(db, key)
    if (move === undefined) throw new Error('the organization was deleted.')
    const { processedRows, totalRows, processedVisits, totalVisits } = move
    const isAtVisits = totalVisits > 0 && processedRows === totalRows
    progress(
      isAtVisits
        ? `${processedVisits} of ${totalVisits} visits processed.`
        : `${processedRows} of ${totalRows} links processed.`,
    )
    if (move.completedAt !== null) return move
    if (signal.aborted) throw new Error('no longer waiting: the service goes on with the move.')
    await sleep(pollMs, undefined, { signal }).catch(() => undefined)
  }
}

function textOf(move: Move): string {
  const columns = moveFields.map((field) => `  ${field}: ${move.mapping[field].join(', ') || '(no column)'}`)
  const errors = move.errors.map(({ line, error }) => `  line ${line}: ${error}`)
  const warnings = move.warnings.map(({ line, error }) => `  line ${line}, a warning: ${error}`)
  const done = move.dryRun ? 'can come' : 'moved'
  return [
    `${countText(move.totalRows, 'link')} in the file. Columns:`,
    ...columns,
    ...(move.completedAt === null
      ? [`The service moves them in the background. Move: ${move.id}`]
      : [
          `${countText(move.successCount, 'link')} ${done}, ${move.errorCount} cannot come.`,
          ...errors,
          ...warnings,
          ...visitLines(move),
        ]),
    ...(move.failureReason === null ? [] : [move.failureReason]),
  ].join('\n')
}

function visitLines(move: Move): string[] {
  const { totalVisits, movedScans, movedBots, skippedVisits, dryRun, visitProblems, visitColumns } = move
  if (totalVisits === 0) return []
  const columns = visitFields.map(
    (field) => `  ${field}: ${visitColumns?.[field].join(', ') || '(no column)'}`,
  )
  return [
    `${countText(totalVisits, 'visit')} in the file: ${countText(movedScans, 'scan')} ${dryRun ? 'can come' : 'came'}, and ${countText(movedBots, 'hit')} by bots; ${skippedVisits} cannot come. Columns:`,
    ...columns,
    ...visitProblems.map(({ line, message }) => `  line ${line} of the visits: ${message}`),
  ]
}
