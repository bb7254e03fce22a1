import { problem } from '@everscan/contract/problems/problem.ts'
import { stateOf, type Access } from '@everscan/contract/access/access.ts'
import type { LimitExcess } from '@everscan/contract/resources/qr-code-history.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { Scannability, Style } from '@everscan/contract/resources/styles.ts'
import { leastContrast } from '@everscan/qr/drawing/contrast.ts'
import { pictureDefaults } from '@everscan/qr/picture.ts'
import type { Picture, QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { wholeDetail } from '../../catalogue/rows/named-problem.ts'
import { minPrint } from '@everscan/qr/reading/min-print.ts'
import { timestamp } from './timestamps.ts'

/**
 * A code as the API returns it: the stored row, the addresses below the public URL, and its state
 * at a time in milliseconds since 1970.
 */
export function qrCodeRecord(row: QrCodeRow, publicUrl: string, nowMs = Date.now()): QrCode {
  const { id, type, name, shortCode, domainId, data, passQuery, style, status, folderId, tags, metadata } =
    row
  return {
    id,
    type,
    name,
    shortUrl: shortUrlOf(row, publicUrl),
    shortCode,
    // An event of an earlier release has none.
    domainId: domainId ?? null,
    imageUrl: `${publicUrl}${qrCodePath(row)}/download`,
    data,
    // An event of an earlier release has none.
    rules: row.rules ?? [],
    passQuery: passQuery ?? false,
    access: accessRecord(row),
    style,
    status,
    state: stateOf(stateFactsOf(row), nowMs),
    folderId,
    tags,
    metadata,
    // An event of an earlier release has none.
    scansBefore: row.scansBefore ?? 0,
    totalScans: row.totalScans,
    uniqueScans: row.uniqueScans,
    // A style that an earlier release accepted has no results of readers, and no named warnings.
    scannability: {
      readers: [],
      minPrintDetails: [],
      warningDetails: [],
      ...(row.scannability ?? unchecked(style, row.picture)),
    },
    createdAt: timestamp(row.createdAtMs),
    updatedAt: timestamp(row.updatedAtMs),
  }
}

/** Null for a code that is always open, for everybody. Has neither the password nor its hash. */
function accessRecord({ access, hasPassword, scanCount }: QrCodeRow): Access | null {
  // An event of an earlier release has none.
  if ((access ?? null) === null && !hasPassword) return null
  return { ...access, hasPassword, scanCount }
}

function stateFactsOf({ status, access, scanCount }: QrCodeRow) {
  return { status, access: access ?? null, scanCount: scanCount ?? 0 }
}

/** Answers of a code without the count of its limit, newest first, as its history has them. */
export function limitExcessRecords({ limitExcesses }: Pick<QrCodeRow, 'limitExcesses'>): LimitExcess[] {
  return limitExcesses.map(({ atMs, ...excess }) => ({ at: timestamp(atMs), ...excess })).toReversed()
}

export function qrCodePath({ organizationId, id }: { organizationId: string; id: string }): string {
  return `/api/v1/organizations/${organizationId}/qr-codes/${id}`
}

/** The parts of a short URL: `domain` is a host name, empty or absent for PUBLIC_URL. */
export type ShortUrlParts = { shortCode: string; domain?: string | undefined }

/** Returns the short URL of a code. On its own domain it has the scheme and port of PUBLIC_URL. */
export function shortUrlOf({ shortCode, domain = '' }: ShortUrlParts, publicUrl: string): string {
  return `${siteOf(domain, publicUrl)}/${shortCode}`
}

function siteOf(domain: string, publicUrl: string): string {
  if (domain === '') return publicUrl
  const { protocol, port } = new URL(publicUrl)
  return `${protocol}//${domain}${port === '' ? '' : `:${port}`}`
}

const unverified = problem('pictureUnverified')

/**
 * The result for a code that an older release created: it claims no check that was not made. A
 * change of its style runs the check.
 */
function unchecked(style: Style, picture: Picture): Omit<Scannability, 'readers'> {
  const width = 17 + 4 * picture.version + 2 * (style.margin ?? pictureDefaults.marginModules)
  return {
    verified: false,
    contrast: leastContrast(style),
    ...minPrint({ width }),
    warnings: [unverified.message],
    warningDetails: [wholeDetail(unverified)],
  }
}
