import { problem } from '@everscan/contract/problems/problem.ts'
import { Type, type Static } from 'typebox'
import type { ArchiveCounts, ArchiveSection } from '@everscan/contract/archives/archive-imports.ts'
import { codeForms, type CodeForm } from '@everscan/contract/domains/code-forms.ts'
import { codeKey, isExactShortCode } from '@everscan/contract/resources/short-codes.ts'
import { UpdateOrganization } from '@everscan/contract/resources/organizations.ts'
import { Id, nullable } from '@everscan/contract/schema/common.ts'
import { storedPageLogo } from '@everscan/qr/shapes/logo-intake.ts'
import { archivedScanColumns } from '../../../analytics/store/archived-scan-columns.ts'
import {
  noCounts,
  takenCodeKeys,
  type ArchiveChunk,
  type ArchivedCode,
  type ArchiveImportInput,
} from '../../../catalogue/imports/archive-imports.ts'
import type { OrganizationLogo } from '../../../catalogue/organizations/organizations.ts'
import type { Database } from '../../../db/database.ts'
import { problemFinder } from '../../validation/problem-finder.ts'
import { ArchiveChecks, skip, stray } from './archive-checks.ts'
import type { ArchiveIds } from './archive-ids.ts'
import type { ArchiveZip } from './archive-zip.ts'
import { LineSet } from './line-set.ts'
import { Refusals } from './refusals.ts'
import { archiveFormatVersion } from './organization-archive.ts'
import { fileError } from '../../../request-errors.ts'

const About = Type.Object({
  format: Type.Literal('everscan-organization'),
  formatVersion: Type.Integer({ minimum: 1 }),
  exportedAt: Type.String(),
  publicUrl: Type.String({ maxLength: 2_000 }),
  organization: Type.Object({
    id: Id('org'),
    name: UpdateOrganization.properties.name,
    slug: Type.String({ pattern: '^[a-z0-9-]{1,100}$' }),
    publicName: UpdateOrganization.properties.publicName,
    logo: nullable(Type.String()),
    createdAt: Type.String(),
  }),
})
export type About = Static<typeof About>
const aboutProblems = problemFinder(About, 'body')

/** The content of an archive, and the lines of it that cannot be taken. */
export type Survey = {
  /** The facts that the job shows. */
  facts: Omit<ArchiveImportInput, 'ids' | 'fileName' | 'origin'>
  organization: {
    id: string
    name: string
    slug: string
    publicName: string | null
    logo: OrganizationLogo | null
    createdAtMs: number
  }
  /** The codes that are imported, with the ids that they have in the archive. */
  codes: ArchivedCode[]
  /** The ids of all records that are imported. */
  ids: string[]
  /** The lines that are imported. */
  taken: ReadonlyMap<string, LineSet>
}

type Options = { publicUrl: string; webhookAllowPrivate: boolean; privateDomains: boolean; nowMs: number }

/**
 * Reads a whole archive and writes nothing. Throws ApiError 400 if it is no archive of an
 * organization, or one of a later format.
 */
export async function surveyArchive(db: Database, zip: ArchiveZip, options: Options): Promise<Survey> {
  const about = await readAbout(zip)
  const organization = await organizationOf(about)
  const samePictures = about.publicUrl === options.publicUrl
  await zip.countLines()
  const domains = await domainsOf(zip)
  const assigned = await takenCodeKeys(db, await codeKeysOf(zip, domains))
  const total: Record<ArchiveSection, number> = { ...noCounts }
  const refusals = new Refusals()
  const codes: ArchivedCode[] = []
  const ids: string[] = []
  const taken = new Map<string, LineSet>()
  const checks = new ArchiveChecks({ ...options, samePictures, taken: assigned })
  for await (const lines of zip.lines())
    for (const { section, file, line, value } of lines) {
      const judgement = checks.problemOf({ section, file, line, value })
      const found = judgement instanceof Promise ? await judgement : judgement
      if (found === skip) continue
      if (found === stray) refusals.addStray(file, line)
      else if (found !== undefined) refusals.add({ file, line, shortCode: shortCodeOf(value), found })
      if (found !== undefined) continue
      total[section]++
      if (section !== 'versions' && section !== 'hits') ids.push((value as { id: string }).id)
      if (section === 'qrCodes') codes.push(archivedCode(value, domains))
      let takenLines = taken.get(file)
      if (takenLines === undefined) taken.set(file, (takenLines = new LineSet()))
      takenLines.add(line)
    }
  return {
    facts: {
      organizationName: organization.name,
      publicUrl: about.publicUrl,
      exportedAtMs: Date.parse(about.exportedAt),
      samePictures,
      total: total satisfies ArchiveCounts,
      waitingCount: codes.filter(({ domain }) => domain !== '').length,
      ...refusals.listed(),
    },
    codes,
    ids,
    taken,
    organization,
  }
}

const linesPerChunkMax = 500
/** A step inserts these within a second, and holds the store's lock no longer. */
const hitsPerChunkMax = 10_000
const charsPerChunkMax = 1024 * 1024

/**
 * Yields the lines that `surveyArchive` took of the same archive, with the ids that they have here,
 * in chunks that are imported at once.
 */
export async function* archiveChunks(
  zip: ArchiveZip,
  { taken }: Pick<Survey, 'taken'>,
  ids: Pick<ArchiveIds, 'lineOf'>,
): AsyncGenerator<ArchiveChunk, void, undefined> {
  let chunk: { section: ArchiveSection; lines: unknown[] } | undefined
  let key = ''
  let chars = 0
  for await (const lines of zip.lines())
    for (const { section, file, line, value: archived } of lines) {
      if (taken.get(file)?.has(line) !== true) continue
      const value = ids.lineOf(section, archived)
      const lineKey = section === 'hits' ? `hits ${monthOf(value)}` : section
      const linesMax = section === 'hits' ? hitsPerChunkMax : linesPerChunkMax
      const lineChars = section === 'hits' ? 0 : JSON.stringify(value).length
      const isFull =
        chunk !== undefined &&
        (lineKey !== key || chunk.lines.length >= linesMax || chars + lineChars > charsPerChunkMax)
      if (chunk !== undefined && isFull) yield chunk
      if (chunk === undefined || isFull) {
        chunk = { section, lines: [] }
        key = lineKey
        chars = 0
      }
      chunk.lines.push(value)
      chars += lineChars
    }
  if (chunk !== undefined) yield chunk
}

async function readAbout(zip: ArchiveZip): Promise<About> {
  const about = await zip.readAbout()
  if (typeof about !== 'object' || about === null) throw fileError(problem('notArchive'))
  const [wrong] = aboutProblems(about)
  if (wrong !== undefined) {
    const found = problem('aboutUnreadable', { field: wrong.path })
    throw fileError({ ...found, message: `${found.message} ${wrong.message}` })
  }
  // The schema was checked.
  const known = about as About
  if (known.formatVersion > archiveFormatVersion)
    throw fileError(problem('archiveTooNew', { got: known.formatVersion, max: archiveFormatVersion }))
  if (Number.isNaN(Date.parse(known.exportedAt)) || Number.isNaN(Date.parse(known.organization.createdAt)))
    throw fileError(problem('aboutWithoutTimes'))
  return known
}

async function organizationOf({ organization }: About): Promise<Survey['organization']> {
  const { id, name = '', slug, publicName = null, logo: dataUri, createdAt } = organization
  const logo = dataUri === null ? null : await storedPageLogo(dataUri)
  if (logo === undefined) throw fileError(problem('aboutWithStrangeLogo'))
  return { id, name, slug, publicName, logo, createdAtMs: Date.parse(createdAt) }
}

/** The host names of domains by id, and how codes are compared there, as the archive has them. */
type Domains = ReadonlyMap<unknown, { hostname: string; codes: CodeForm }>

async function domainsOf(zip: ArchiveZip): Promise<Domains> {
  const domains = new Map<unknown, { hostname: string; codes: CodeForm }>()
  for await (const lines of zip.lines(['domains']))
    for (const { value } of lines) {
      const { id, hostname, codes } = (value ?? {}) as { id?: unknown; hostname?: unknown; codes?: unknown }
      const form = codeForms.find((one) => one === codes) ?? 'canonical'
      if (typeof hostname === 'string') domains.set(id, { hostname, codes: form })
    }
  return domains
}

/** Returns the keys of all lines of codes. */
async function codeKeysOf(zip: ArchiveZip, domains: Domains): Promise<string[]> {
  const keys: string[] = []
  for await (const lines of zip.lines(['qrCodes']))
    for (const { value } of lines) {
      const shortCode = shortCodeOf(value)
      if (shortCode !== null) keys.push(codeKey({ shortCode, ...hostOf(value, domains) }))
    }
  return keys
}

function hostOf(value: unknown, domains: Domains): { domain: string; codes: CodeForm } {
  const host = domains.get((value as { domainId?: unknown }).domainId)
  return { domain: host?.hostname ?? '', codes: host?.codes ?? 'canonical' }
}

function shortCodeOf(value: unknown): string | null {
  const { shortCode } = (value ?? {}) as { shortCode?: unknown }
  return typeof shortCode === 'string' && isExactShortCode(shortCode) ? shortCode : null
}

function archivedCode(value: unknown, domains: Domains): ArchivedCode {
  const { id, shortCode, createdAt } = value as { id: string; shortCode: string; createdAt: string }
  return { id, shortCode, ...hostOf(value, domains), createdAtMs: Date.parse(createdAt) }
}

const timeAt = archivedScanColumns.indexOf('timeMs')

/** The store takes hits of one month (UTC) at once. */
function monthOf(hit: unknown): string {
  const date = new Date(Number((hit as unknown[])[timeAt]))
  return `${date.getUTCFullYear()}-${date.getUTCMonth()}`
}
