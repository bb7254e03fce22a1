import { limits } from '@everscan/contract/schema/limits.ts'
import { listDomains } from '../../../catalogue/domains/domains.ts'
import { domainRecord } from '../../records/domain-records.ts'
import { utmTemplateRecord } from '../../records/utm-template-records.ts'
import { listUtmTemplates } from '../../../catalogue/codes/utm-templates.ts'
import { listFolders } from '../../../catalogue/codes/folders.ts'
import { eachActivePage, eachQrCodePage, knownQrCodes } from '../../../catalogue/codes/each-qr-code.ts'
import { eachWaitingPage } from '../../../catalogue/waiting/waiting-codes.ts'
import { eachWaitingHits, idsWithoutCode } from '../../../catalogue/waiting/waiting-hits.ts'
import type { QrCodeRow } from '../../../catalogue/rows/qr-code-row.ts'
import type { OrganizationRow } from '../../../catalogue/organizations/organizations.ts'
import { eachSupersededVersion } from '../../../catalogue/codes/qr-code-history.ts'
import { listSavedStyles } from '../../../catalogue/codes/saved-styles.ts'
import { savedStyleRecord } from '../../records/saved-style-records.ts'
import { listWebhooks } from '../../../catalogue/webhooks/webhooks.ts'
import type { ArchiveScope } from '../../../analytics/scan-store.ts'
import { archivedScanColumns } from '../../../analytics/store/archived-scan-columns.ts'
import { listViews } from '../../../catalogue/views/views.ts'
import type { ProductContext } from '../../product-context.ts'
import { limitExcessRecords, qrCodeRecord } from '../../records/qr-code-records.ts'
import {
  caddyHead,
  caddyLine,
  nginxHead,
  nginxLine,
  redirectsOf,
  type Redirect,
} from '../../codes/redirect-maps.ts'
import { timestamp } from '../../records/timestamps.ts'
import type { ZippedFile } from '../../../files/zip-streams.ts'

/** Increases whenever readers of the archive must change. */
export const archiveFormatVersion = 2
const foldersPerPage = 500

type Pieces = AsyncGenerator<string, void, undefined>
type Source = Pick<ProductContext, 'db' | 'store' | 'config'> & {
  organization: OrganizationRow
  nowMs: number
}

/**
 * Returns the files of an organization's archive, in the order in which a reader needs them. Throws
 * ScanStoreUnavailable.
 */
export async function archiveFiles(source: Source): Promise<ZippedFile[]> {
  const without = await goneCodes(source)
  const scope = { organizationId: source.organization.id, without }
  const stored = await source.store.scanMonths(scope)
  const months = [...new Set([...stored, ...(await waitingMonths(source))])].sort()
  return [
    { name: 'README.txt', pieces: () => readme(source) },
    { name: 'organization.json', pieces: () => organizationJson(source) },
    { name: 'folders.jsonl', pieces: () => folders(source) },
    { name: 'domains.jsonl', pieces: () => domains(source) },
    { name: 'styles.jsonl', pieces: () => styles(source) },
    { name: 'utm-templates.jsonl', pieces: () => utmTemplates(source) },
    { name: 'qr-codes.jsonl', pieces: () => qrCodes(source) },
    { name: 'history.jsonl', pieces: () => history(source) },
    { name: 'views.jsonl', pieces: () => views(source) },
    { name: 'webhooks.jsonl', pieces: () => webhooks(source) },
    { name: 'redirects/everscan.map', pieces: () => redirects(source, nginxHead, nginxLine) },
    { name: 'redirects/everscan.caddy', pieces: () => redirects(source, caddyHead, caddyLine) },
    ...months.map((month) => ({
      name: scansFileName(month),
      pieces: () => scans(source, { ...scope, month }),
    })),
  ]
}

/** Returns the codes with hits that are not in the archive, because they were deleted. */
async function goneCodes({ db, store, organization }: Source): Promise<Set<string>> {
  const gone = new Set<string>()
  for await (const ids of store.scannedCodes(organization.id)) {
    const known = await knownQrCodes(db, organization.id, ids)
    for (const id of ids) if (!known.has(id)) gone.add(id)
  }
  return gone
}

/** Returns the name of the file of a month, which is `202603`. */
function scansFileName(month: string): string {
  return `scans/${month.slice(0, 4)}-${month.slice(4)}.jsonl`
}

async function* readme({ organization, config, nowMs }: Source): Pieces {
  yield `The data of "${organization.name}" on ${config.publicUrl}, as of ${timestamp(nowMs)}.

organization.json         the organization, and the version of this format
folders.jsonl             one folder per line, as in the API
domains.jsonl             one domain per line, as in the API
styles.jsonl              one saved style per line, as in the API
utm-templates.jsonl       one UTM template per line, as in the API
qr-codes.jsonl            one code per line, as in the API, with the version and mask of its picture, so that
                          another program can draw the same one, with the author and time of its version, and with its
                          answers beyond a limit (limitExcesses)
history.jsonl             the older versions of each code: code by code, newest first
views.jsonl               the saved views of the figures, with the addresses of their mails, without public links
webhooks.jsonl            the webhooks without their secrets
scans/YYYY-MM.jsonl       the hits of a month (UTC), one per line: an array whose columns the first line names
redirects/everscan.map    redirects of the short codes for nginx
redirects/everscan.caddy  redirects of the short codes for Caddy

The redirects include the active codes below ${config.publicUrl} that lead to a URL. Codes that show a page (contacts, Wi-Fi, texts) need a page instead,
and an app leads to its URL for unknown devices. The service also reads O as 0, and I and L as 1, in a typed code; these maps
do not.

A code that is not open yet, has ended, or has a password or a limit leads to its address for closed codes, or is left out
if it has none: a map cannot ask for a password or count. A code that ends later is open in the maps: export them again then.
qr-codes.jsonl has passwords of codes as hashes (Argon2id).

A hit has its class: human is a scan, the others are bot, preview and prefetch. "isUnique" is true for a visitor's first scan of a
code. "visitor" is a keyed hash, different for each code: it tells which scans of a code are of one visitor, and not whose they are.
"isClosed" is true for a hit by a person on a code that was closed. It is no scan, so its class is bot, with the reason Closed; the
figure closedHits counts these hits.

The archive may or may not contain changes and scans made while it was created. It does not contain accounts, members, API keys,
secrets, deleted codes and their hits, or the audit log.

To import it into another installation: ./everscan import archive FILE, or POST /api/v1/organizations/imports. Its records get new
ids there; the command keeps them with --keep-ids.
`
}

async function* organizationJson({ organization, config, nowMs }: Source): Pieces {
  const { id, name, slug, publicName, logo, createdAtMs } = organization
  const about = {
    format: 'everscan-organization',
    formatVersion: archiveFormatVersion,
    exportedAt: timestamp(nowMs),
    publicUrl: config.publicUrl,
    organization: {
      id,
      name,
      slug,
      publicName,
      logo: logo?.dataUri ?? null,
      createdAt: timestamp(createdAtMs),
    },
  }
  yield `${JSON.stringify(about, undefined, 2)}\n`
}

/** Top-level folders first, so that a parent precedes its subfolders. */
async function* folders({ db, organization }: Source): Pieces {
  const nested: string[] = []
  for (let page = 1, read = foldersPerPage; read === foldersPerPage; page++) {
    const { rows } = await listFolders(db, organization.id, { page, limit: foldersPerPage })
    const lines = rows.map(({ id, name, parentId, createdAtMs, updatedAtMs }) => ({
      id,
      name,
      parentId,
      createdAt: timestamp(createdAtMs),
      updatedAt: timestamp(updatedAtMs),
    }))
    nested.push(...lines.filter(({ parentId }) => parentId !== null).map(lineOf))
    yield lines
      .filter(({ parentId }) => parentId === null)
      .map(lineOf)
      .join('')
    read = rows.length
  }
  yield nested.join('')
}

async function* domains({ db, config, organization }: Source): Pieces {
  const { rows } = await listDomains(db, organization.id, { page: 1, limit: limits.domainsMax })
  yield rows.map((row) => lineOf(domainRecord(row, config))).join('')
}

async function* styles({ db, organization }: Source): Pieces {
  const { rows } = await listSavedStyles(db, organization.id, { page: 1, limit: limits.stylesMax })
  yield rows.map((row) => lineOf(savedStyleRecord(row))).join('')
}

async function* utmTemplates({ db, organization }: Source): Pieces {
  const all = { page: 1, limit: limits.utmTemplatesMax }
  const { rows } = await listUtmTemplates(db, organization.id, all)
  yield rows.map((row) => lineOf(utmTemplateRecord(row))).join('')
}

/** Codes that wait for a host name come last: they belong to the organization as well. */
async function* qrCodes({ db, config, organization, nowMs }: Source): Pieces {
  for (const pages of [eachQrCodePage, eachWaitingPage])
    for await (const codes of pages(db, organization.id))
      yield codes.map((code) => codeLine(code, { publicUrl: config.publicUrl, nowMs })).join('')
}

function codeLine(code: QrCodeRow, { publicUrl, nowMs }: { publicUrl: string; nowMs: number }): string {
  const { version, changed, changedAtMs, changedBy } = code.history
  const mark = { version, changed, changedAt: timestamp(changedAtMs), changedBy }
  const record = qrCodeRecord(code, publicUrl, nowMs)
  const { passwordHash } = code
  // An archive moves codes to another installation, so it has what opens them.
  const access = record.access && {
    ...record.access,
    ...(passwordHash !== null && { passwordHash: passwordHash.text }),
  }
  const { formerRules } = code
  const limitExcesses = limitExcessRecords(code)
  return lineOf({
    ...record,
    access,
    ...(Object.keys(formerRules).length > 0 && { formerRules }),
    ...(limitExcesses.length > 0 && { limitExcesses }),
    picture: code.picture,
    history: mark,
  })
}

async function* history({ db, organization }: Source): Pieces {
  for await (const codes of eachQrCodePage(db, organization.id, { changedOnly: true }))
    yield* versionLines(eachSupersededVersion(db, codes))
  for await (const codes of eachWaitingPage(db, organization.id))
    yield* versionLines(eachSupersededVersion(db, codes, 'waiting_qr_code_history'))
}

async function* versionLines(versions: ReturnType<typeof eachSupersededVersion>): Pieces {
  for await (const { changedAtMs, ...version } of versions)
    yield lineOf({ ...version, changedAt: timestamp(changedAtMs) })
}

/** Without public links: a link of another installation would be another link. */
async function* views({ db, organization }: Source): Pieces {
  const { rows } = await listViews(db, organization.id, { page: 1, limit: limits.viewsMax })
  yield rows
    .map(({ id, name, query, mail, createdAtMs, updatedAtMs }) =>
      lineOf({
        id,
        name,
        query,
        mail: mail && { to: mail.to, every: mail.every },
        createdAt: timestamp(createdAtMs),
        updatedAt: timestamp(updatedAtMs),
      }),
    )
    .join('')
}

/** Without secrets, and without the state of their deliveries: both belong to one installation. */
async function* webhooks({ db, organization }: Source): Pieces {
  const { rows } = await listWebhooks(db, organization.id, { page: 1, limit: limits.webhooksMax })
  yield rows
    .map(({ id, url, events, description, batch, createdAtMs }) =>
      lineOf({ id, url, events, description, batch, createdAt: timestamp(createdAtMs) }),
    )
    .join('')
}

async function* scans(
  { db, store }: Source,
  scope: ArchiveScope & { month: string },
): AsyncGenerator<string | Uint8Array, void, undefined> {
  const { organizationId, month } = scope
  yield lineOf(archivedScanColumns)
  yield* store.archiveScans(scope)
  for await (const hits of eachWaitingHits(db, organizationId)) {
    if (monthOf(hits) !== month) continue
    const gone = await idsWithoutCode(db, organizationId, hits.map(codeIn))
    yield hits
      .filter((hit) => !gone.has(codeIn(hit)))
      .map((hit) => lineOf(hit as object))
      .join('')
  }
}

/** Returns the months of hits whose codes wait. */
async function waitingMonths({ db, organization }: Source): Promise<Set<string>> {
  const months = new Set<string>()
  for await (const hits of eachWaitingHits(db, organization.id)) months.add(monthOf(hits))
  return months
}

const timeAt = archivedScanColumns.indexOf('timeMs')
const codeAt = archivedScanColumns.indexOf('qrCodeId')
const codeIn = (hit: unknown) => String((hit as readonly unknown[])[codeAt])

/** Hits that wait are of one month (UTC), which is `202603`. */
function monthOf([hit]: readonly unknown[]): string {
  const time = timestamp(Number((hit as readonly unknown[])[timeAt]))
  return `${time.slice(0, 4)}${time.slice(5, 7)}`
}

async function* redirects(
  { db, config, organization, nowMs }: Source,
  head: string,
  line: (redirect: Redirect) => string,
): Pieces {
  yield head
  for await (const codes of eachActivePage(db, organization.id))
    yield redirectsOf(codes, config.publicUrl, nowMs).map(line).join('')
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`
}
