import { problem, withGot, type FieldProblem } from '@everscan/contract/problems/problem.ts'
import { Type, type TSchema } from 'typebox'
import { mergeAccess } from '@everscan/contract/access/access.ts'
import { accessProblems } from '@everscan/contract/access/access-problems.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { Actor } from '@everscan/contract/resources/actors.ts'
import type { ArchiveSection } from '@everscan/contract/archives/archive-imports.ts'
import { CreateFolder } from '@everscan/contract/resources/folders.ts'
import {
  historyFields,
  LimitExcess,
  type HistoryField,
} from '@everscan/contract/resources/qr-code-history.ts'
import { QrCode, type CreateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import { codeForms, type CodeForm } from '@everscan/contract/domains/code-forms.ts'
import { codeKey, shortCodeProblem } from '@everscan/contract/resources/short-codes.ts'
import { CreateSavedStyle, SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import { Scannability, Style } from '@everscan/contract/resources/styles.ts'
import { CreateWebhook } from '@everscan/contract/resources/webhooks.ts'
import { normalHostname } from '@everscan/contract/domains/host-names.ts'
import { Id, nullable, oneOf, strictObject, Url } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { CreateUtmTemplate, UtmTemplate } from '@everscan/contract/utm/utm-templates.ts'
import { CreateView } from '@everscan/contract/views/views.ts'
import { pictureOf } from '@everscan/qr/shapes/encodings.ts'
import { isReadLogo } from '@everscan/qr/shapes/logo-intake.ts'
import { archivedScanProblem, isScanHeader } from '../../../analytics/insert/archived-scans.ts'
import { archivedScanColumns } from '../../../analytics/store/archived-scan-columns.ts'
import { searchText } from '../../../catalogue/codes/search-text.ts'
import { isPasswordHash } from '../../../catalogue/accounts/passwords.ts'
import { webhookUrlProblem } from '../../../catalogue/webhooks/addresses.ts'
import { shortUrlOf } from '../../records/qr-code-records.ts'
import { codeRuleProblems } from '../../validation/code-rule-problems.ts'
import { backProblem } from '../../validation/content-problems.ts'
import { newHostnameProblem } from '../../validation/host-name-problems.ts'
import { newCodeProblems } from '../../validation/new-code-problems.ts'
import { problemFinder } from '../../validation/problem-finder.ts'
import { archiveLimit, type ArchiveLine } from './archive-zip.ts'

/** Only what is a time: `Date.parse` has no number for a 13th month. */
const IsoTime = Type.String({
  pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?Z$',
})
const times = { createdAt: IsoTime, updatedAt: IsoTime }
const changed = Type.Array(oneOf(historyFields), { maxItems: historyFields.length })
const positive = (maximum?: number) => Type.Integer({ minimum: 1, ...(maximum !== undefined && { maximum }) })
/** Names the fields that are read; others are left alone, because a later release may add some. */
const lineSchema = (properties: Record<string, TSchema>) => problemFinder(Type.Object(properties), 'body')

const folderProblems = lineSchema({
  id: Id('fld'),
  name: CreateFolder.properties.name,
  parentId: nullable(Type.String()),
  ...times,
})
const styleProblems = lineSchema({
  ...SavedStyle.properties,
  name: CreateSavedStyle.properties.name,
  style: Style,
  ...times,
})
const domainProblems = lineSchema({
  id: Id('dom'),
  hostname: Type.String({ minLength: 1, maxLength: limits.hostnameCharsMax }),
  rootUrl: nullable(Url('')),
  notFoundUrl: nullable(Url('')),
  goneUrl: nullable(Url('')),
  isDefault: Type.Boolean(),
  codes: Type.Optional(oneOf(codeForms)),
  ...times,
})
const templateProblems = lineSchema({
  ...UtmTemplate.properties,
  name: CreateUtmTemplate.properties.name,
  ...times,
})
const codeProblems = lineSchema({
  id: Id('qr'),
  shortCode: Type.String(),
  domainId: Type.Optional(nullable(Type.String())),
  rules: QrCode.properties.rules,
  passQuery: QrCode.properties.passQuery,
  access: nullable(
    Type.Object({ scanCount: Type.Integer({ minimum: 0 }), passwordHash: Type.Optional(Type.String()) }),
  ),
  style: Style,
  status: QrCode.properties.status,
  folderId: nullable(Type.String()),
  tags: QrCode.properties.tags,
  metadata: QrCode.properties.metadata,
  formerRules: Type.Optional(
    Type.Record(Type.String(), Type.String(), { maxProperties: limits.formerRulesMax }),
  ),
  limitExcesses: Type.Optional(
    Type.Array(Type.Object({ ...LimitExcess.properties, at: IsoTime }), {
      maxItems: limits.limitExcessesMax,
    }),
  ),
  scansBefore: Type.Optional(QrCode.properties.scansBefore),
  scannability: strictObject({
    ...Scannability.properties,
    // An archive of an earlier release has none.
    minPrintDetails: Type.Optional(Scannability.properties.minPrintDetails),
    warningDetails: Type.Optional(Scannability.properties.warningDetails),
  }),
  picture: Type.Object({ version: positive(40), mask: Type.Integer({ minimum: 0, maximum: 7 }) }),
  history: Type.Object({ version: positive(), changed, changedAt: IsoTime, changedBy: Actor }),
  ...times,
})
const versionProblems = lineSchema({
  qrCodeId: Id('qr'),
  version: positive(),
  changed,
  changedAt: IsoTime,
  changedBy: Actor,
  name: QrCode.properties.name,
  data: QrCode.properties.data,
  rules: QrCode.properties.rules,
  passQuery: QrCode.properties.passQuery,
  access: nullable(Type.Object({})),
  style: Style,
  status: QrCode.properties.status,
})
const viewProblems = lineSchema({
  id: Id('viw'),
  name: CreateView.properties.name,
  query: CreateView.properties.query,
  mail: CreateView.properties.mail,
  ...times,
})
const webhookProblems = lineSchema({
  id: Id('whk'),
  url: CreateWebhook.properties.url,
  events: CreateWebhook.properties.events,
  description: Type.String({ maxLength: 500 }),
  batch: Type.Boolean(),
  createdAt: IsoTime,
})

/** Why a line cannot be taken. */
type Judgement = FieldProblem | typeof skip | typeof stray | undefined
export const skip = Symbol('skip')
/** A hit of a code that is not in the archive. There may be millions of them. */
export const stray = Symbol('stray')

type Options = {
  publicUrl: string
  webhookAllowPrivate: boolean
  privateDomains: boolean
  /** Whether the archive is of an installation with this public URL. */
  samePictures: boolean
  /** Keys of codes that this installation has assigned. */
  taken: ReadonlySet<string>
  nowMs: number
}

const mostOf: Partial<Record<ArchiveSection, number>> = {
  styles: limits.stylesMax,
  utmTemplates: limits.utmTemplatesMax,
  views: limits.viewsMax,
  domains: limits.domainsMax,
  webhooks: limits.webhooksMax,
}

type CodeBody = Pick<CreateQrCode, 'type' | 'name' | 'data'> & {
  rules: NonNullable<CreateQrCode['rules']>
  passQuery: boolean
  access: Record<string, unknown> | null
  style: Style
}
type CodeLine = CodeBody & {
  id: string
  shortCode: string
  domainId?: string | null
  folderId: string | null
  tags: string[]
  metadata: Record<string, string>
  picture: { version: number; mask: number }
  history: { version: number; changed: HistoryField[] }
}

type DomainLine = { id: string; hostname: string; isDefault: boolean; codes?: CodeForm }

const publicHost = { domain: '', codes: 'canonical' } as const

/**
 * Judges the lines of an archive in their order, as the API judges what a client sends: an archive
 * may come from anywhere. It has the same result for the same lines and options.
 */
export class ArchiveChecks {
  readonly #options: Options
  readonly #ids = new Set<string>()
  readonly #folders = new Map<string, string | null>()
  readonly #folderNames = new Set<string>()
  readonly #counts = new Map<ArchiveSection, number>()
  readonly #codes = new Map<string, { type: QrCodeType; version: number }>()
  readonly #keys = new Set<string>()
  readonly #tags = new Set<string>()
  /** Host names of domains by id, and how short codes are compared there. */
  readonly #domains = new Map<string, { domain: string; codes: CodeForm }>()
  readonly #hostnames = new Set<string>()
  readonly #versions = new Map<string, number>()
  readonly #logos = new Map<string, Promise<boolean>>()
  #defaultStyle: string | undefined
  #hasDefaultDomain = false
  /** Ids of codes that were left out: what belongs to them is left out silently. */
  readonly #leftOut = new Set<string>()

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Returns why a line cannot be taken, undefined if it can, `skip` for a line that names
   * columns or belongs to a code that was left out, and `stray` for a hit of no code of the
   * archive. Hits, which are many, are judged at once.
   */
  problemOf({ section, line, value }: ArchiveLine): Judgement | Promise<Judgement> {
    return section === 'hits' ? this.#ofHit(value, line) : this.#ofOther(section, value)
  }

  async #ofOther(section: Exclude<ArchiveSection, 'hits'>, value: unknown): Promise<Judgement> {
    if (value === undefined || value === null || typeof value !== 'object')
      return { path: '', ...problem('notJsonObject') }
    const count = (this.#counts.get(section) ?? 0) + 1
    const most = mostOf[section] ?? Infinity
    // Before it is judged: what other lines may name is known from then on.
    if (count > most) return { path: '', ...problem('tooManyInOrganization', { max: most }) }
    const refusal = await this.#of[section](value)
    if (refusal === undefined) this.#counts.set(section, count)
    return refusal
  }

  readonly #of: Record<Exclude<ArchiveSection, 'hits'>, (value: object) => Promise<Judgement>> = {
    folders: async (value) => {
      const refusal = firstOf(folderProblems(structuredClone(value))) ?? this.#repeated(value)
      if (refusal !== undefined) return refusal
      const { id, name, parentId } = value as { id: string; name: string; parentId: string | null }
      // A folder is below a top folder, or is one.
      if (parentId !== null && this.#folders.get(parentId) !== null)
        return { path: 'parentId', ...problem('notTopFolder') }
      const place = `${parentId} ${searchText(name)}`
      if (this.#folderNames.has(place)) return { path: 'name', ...problem('nameOfSibling') }
      this.#folderNames.add(place)
      this.#folders.set(id, parentId)
      return undefined
    },
    styles: async (value) => {
      const refusal = firstOf(styleProblems(structuredClone(value))) ?? this.#repeated(value)
      if (refusal !== undefined) return refusal
      const { id, style, isDefault } = value as { id: string; style: Style; isDefault: boolean }
      if (!(await this.#hasReadLogo(style))) return logoProblem
      if (isDefault && this.#defaultStyle !== undefined)
        return { path: 'isDefault', ...problem('otherDefaultStyle') }
      if (isDefault) this.#defaultStyle = id
      return undefined
    },
    domains: async (value) => {
      const refusal = firstOf(domainProblems(structuredClone(value))) ?? this.#repeated(value)
      if (refusal !== undefined) return refusal
      const { id, hostname, isDefault, codes = 'canonical' } = value as DomainLine
      const wrong =
        hostname === normalHostname(hostname)
          ? newHostnameProblem(hostname, this.#options)
          : problem('notPunycode')
      if (wrong !== undefined) return { path: 'hostname', ...wrong }
      if (this.#hostnames.has(hostname)) return { path: 'hostname', ...problem('ofEarlierLine') }
      if (isDefault && this.#hasDefaultDomain) return { path: 'isDefault', ...problem('otherDefaultDomain') }
      if (isDefault) this.#hasDefaultDomain = true
      this.#hostnames.add(hostname)
      this.#domains.set(id, { domain: hostname, codes })
      return undefined
    },
    utmTemplates: async (value) => firstOf(templateProblems(structuredClone(value))) ?? this.#repeated(value),
    qrCodes: async (value) => {
      const refusal = await this.#ofCode(value)
      const { id } = value as { id?: unknown }
      // Another line with this id may be imported.
      if (refusal !== undefined && typeof id === 'string' && !this.#codes.has(id)) this.#leftOut.add(id)
      return refusal
    },
    versions: async (value) => this.#ofVersion(value),
    views: async (value) => firstOf(viewProblems(structuredClone(value))) ?? this.#repeated(value),
    webhooks: async (value) => {
      const refusal = firstOf(webhookProblems(structuredClone(value))) ?? this.#repeated(value)
      if (refusal !== undefined) return refusal
      const { webhookAllowPrivate: allowPrivate } = this.#options
      const urlProblem = webhookUrlProblem((value as { url: string }).url, { allowPrivate })
      return urlProblem === undefined ? undefined : { path: 'url', ...urlProblem }
    },
  }

  #repeated(value: object): FieldProblem | undefined {
    const { id } = value as { id: string }
    if (this.#ids.has(id)) return { path: 'id', ...problem('ofEarlierLine') }
    this.#ids.add(id)
    return undefined
  }

  async #ofCode(value: object): Promise<FieldProblem | undefined> {
    const refusal = firstOf(codeProblems(structuredClone(value))) ?? this.#repeated(value)
    if (refusal !== undefined) return refusal
    const code = value as CodeLine
    const { id, shortCode, domainId = null, folderId, tags, metadata, type, style, picture } = code
    const { publicUrl, samePictures, taken } = this.#options
    const content = this.#ofContent(code, { shortCode, tags, metadata })
    if (content !== undefined) return content
    const host = domainId === null ? publicHost : this.#domains.get(domainId)
    if (host === undefined) return { path: 'domainId', ...problem('noDomainOfArchive') }
    const wrong = shortCodeProblem(shortCode, host.codes)
    if (wrong !== undefined) return { path: 'shortCode', ...withGot(wrong, shortCode) }
    const parts = { shortCode, ...host }
    const key = codeKey(parts)
    // Those on host names wait for its proof, and take nothing before.
    if (host.domain === '' && taken.has(key))
      return { path: 'shortCode', ...problem('codeAssignedHere', { shortCode }) }
    if (this.#keys.has(key)) return { path: 'shortCode', ...problem('codeOfEarlierLine', { shortCode }) }
    const { passwordHash } = (code.access ?? {}) as { passwordHash?: string }
    if (passwordHash !== undefined && !isPasswordHash(passwordHash))
      return { path: 'access.passwordHash', ...problem('notPasswordHash') }
    if (folderId !== null && !this.#folders.has(folderId))
      return { path: 'folderId', ...problem('noFolderOfArchive') }
    if (!(await this.#hasReadLogo(style))) return logoProblem
    if (
      (samePictures || host.domain !== '') &&
      pictureOf(shortUrlOf(parts, publicUrl), style, picture).version !== picture.version
    )
      return { path: 'picture.version', ...problem('pictureTooSmall') }
    for (const tag of tags) this.#tags.add(tag)
    if (this.#tags.size > limits.archiveTagsMax) throw archiveLimit('archiveTagsMax')
    this.#keys.add(key)
    this.#codes.set(id, { type, version: code.history.version })
    return undefined
  }

  async #ofVersion(value: object): Promise<Judgement> {
    const { qrCodeId } = value as { qrCodeId?: unknown }
    if (typeof qrCodeId === 'string' && this.#leftOut.has(qrCodeId)) return skip
    const refusal = firstOf(versionProblems(structuredClone(value)))
    if (refusal !== undefined) return refusal
    const version = value as CodeBody & { qrCodeId: string; version: number }
    const code = this.#codes.get(version.qrCodeId)
    if (code === undefined) return { path: 'qrCodeId', ...problem('noCodeOfArchive') }
    const before = this.#versions.get(version.qrCodeId) ?? code.version
    if (version.version >= before) return { path: 'version', ...problem('versionNotBefore') }
    if (version.version < code.version - limits.historyVersionsMax)
      return { path: 'version', ...problem('versionTooOld') }
    const content = this.#ofContent({ ...version, type: code.type })
    if (content !== undefined) return content
    if (!(await this.#hasReadLogo(version.style))) return logoProblem
    this.#versions.set(version.qrCodeId, version.version)
    return undefined
  }

  /** Judges content as that of a new code. */
  #ofContent(
    { type, name, data, rules, passQuery, access, style }: CodeBody,
    more: { shortCode?: string; tags?: string[]; metadata?: Record<string, string> } = {},
  ): FieldProblem | undefined {
    const { publicUrl } = this.#options
    const { hasPassword: _, scanCount: __, passwordHash: ___, ...conditions } = access ?? {}
    // Checks spell a body as its schema does, in place.
    const body = structuredClone({ type, name, data, rules, passQuery, access: conditions, style, ...more })
    const problems = newCodeProblems(body, publicUrl)
    if (problems.length > 0) return firstOf(problems)
    const ruleIds = rules.flatMap(({ id }) => id ?? [])
    const ruleProblems = codeRuleProblems(body.rules, { type, rules: [], formerIds: ruleIds }, publicUrl)
    const leadsBack = (url: string) => backProblem(url, publicUrl)
    return firstOf([
      ...ruleProblems,
      ...accessProblems(body.access, mergeAccess(null, body.access), { leadsBack }),
    ])
  }

  #hasReadLogo({ logo }: Style): Promise<boolean> | true {
    if (logo === undefined) return true
    let isRead = this.#logos.get(logo.dataUri)
    if (isRead === undefined) this.#logos.set(logo.dataUri, (isRead = isReadLogo(logo.dataUri)))
    return isRead
  }

  #ofHit(value: unknown, line: number): Judgement {
    if (line === 1 && isScanHeader(value)) return skip
    // A clock may be a little ahead of ours.
    const refusal = archivedScanProblem(value, this.#options.nowMs + dayMs)
    if (refusal !== undefined) return { path: '', ...refusal }
    const code = (value as string[])[codeAt] ?? ''
    if (this.#leftOut.has(code)) return skip
    return this.#codes.has(code) ? undefined : stray
  }
}

const codeAt = archivedScanColumns.indexOf('qrCodeId')
const dayMs = 86_400_000
const logoProblem: FieldProblem = { path: 'style.logo.dataUri', ...problem('notStoredLogo') }

function firstOf([first]: readonly FieldProblem[]): FieldProblem | undefined {
  return first
}
