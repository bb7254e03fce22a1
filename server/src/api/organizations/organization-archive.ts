import { listFolders } from '../../catalogue/codes/folders.ts'
import { eachActivePage, eachQrCodePage } from '../../catalogue/codes/each-qr-code.ts'
import type { OrganizationRow } from '../../catalogue/organizations/organizations.ts'
import { eachSupersededVersion } from '../../catalogue/codes/qr-code-history.ts'
import type { ApiContext } from '../http/api-context.ts'
import { qrCodeRecord } from '../../records/qr-code-records.ts'
import {
  caddyHead,
  caddyLine,
  nginxHead,
  nginxLine,
  redirectsOf,
  type Redirect,
} from '../codes/redirect-maps.ts'
import { timestamp } from '../../records/timestamps.ts'
import type { ZippedFile } from '../http/zip-streams.ts'

/** Changes whenever a reader of the archive must. */
const formatVersion = 1
const foldersPerPage = 500

type Pieces = AsyncGenerator<string, void, undefined>
type Source = Pick<ApiContext, 'db' | 'config'> & { organization: OrganizationRow; nowMs: number }

/** The files of the archive of an organization, in the order in which a reader needs them. */
export function archiveFiles(source: Source): ZippedFile[] {
  return [
    { name: 'README.txt', pieces: () => readme(source) },
    { name: 'organization.json', pieces: () => organizationJson(source) },
    { name: 'folders.jsonl', pieces: () => folders(source) },
    { name: 'qr-codes.jsonl', pieces: () => qrCodes(source) },
    { name: 'history.jsonl', pieces: () => history(source) },
    { name: 'redirects/everscan.map', pieces: () => redirects(source, nginxHead, nginxLine) },
    { name: 'redirects/everscan.caddy', pieces: () => redirects(source, caddyHead, caddyLine) },
  ]
}

async function* readme({ organization, config, nowMs }: Source): Pieces {
  yield `Everything that "${organization.name}" has on ${config.publicUrl}, as of ${timestamp(nowMs)}.

organization.json         the organization, and which format this is
folders.jsonl             a folder on each line, as the interface has it
qr-codes.jsonl            a code on each line, as the interface has it, with the version and mask of its picture,
                          so that another program draws it the same, and who made its version of the history when
history.jsonl             each older version of a code: code by code, newest first
redirects/everscan.map    for nginx: where each short code leads
redirects/everscan.caddy  the same for Caddy

The redirects have the codes that are active and lead to an address; those that show a page (contacts, Wi-Fi, texts) need a
page in their place, and an app leads to the address for unknown devices. The service also reads O as 0, and I and L as 1, when
somebody types a code; these maps do not.

What was changed while the archive was made may be in it or not. Not in it: scans (there is an export of each code), members,
API keys, the audit log.
`
}

async function* organizationJson({ organization, config, nowMs }: Source): Pieces {
  const { id, name, slug, publicName, logo, createdAtMs } = organization
  const about = {
    format: 'everscan-organization',
    formatVersion,
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

/** Those at the top first, so that a parent is there before what is in it. */
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

async function* qrCodes({ db, config, organization }: Source): Pieces {
  for await (const codes of eachQrCodePage(db, organization.id))
    yield codes
      .map((code) => {
        const { version, changed, changedAtMs, changedBy } = code.history
        const mark = { version, changed, changedAt: timestamp(changedAtMs), changedBy }
        return lineOf({ ...qrCodeRecord(code, config.publicUrl), picture: code.picture, history: mark })
      })
      .join('')
}

async function* history({ db, organization }: Source): Pieces {
  for await (const codes of eachQrCodePage(db, organization.id, { changedOnly: true }))
    for await (const { changedAtMs, ...version } of eachSupersededVersion(db, codes))
      yield lineOf({ ...version, changedAt: timestamp(changedAtMs) })
}

async function* redirects(
  { db, config, organization }: Source,
  head: string,
  line: (redirect: Redirect) => string,
): Pieces {
  yield head
  for await (const codes of eachActivePage(db, organization.id))
    yield redirectsOf(codes, config.publicUrl).map(line).join('')
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`
}
