import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { changeOfHost, recordChanges } from '../../db/feeds/changes.ts'
import { lockHost } from '../../db/scans/host-forms.ts'
import { insertRows } from '../../db/dialects/row-sets.ts'
import { ApiError } from '../../errors.ts'
import { conflictIn } from '../../request-errors.ts'
import { createDomainProof, createId } from '../../ids.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import type { DomainRow } from '../rows/domain-row.ts'
import { storedDetails } from '../rows/named-problem.ts'

export type DomainKey = { organizationId: string; id: string }

/** The fields of a domain that a client sets. */
export type DomainFields = Pick<DomainRow, (typeof domainFields)[number]>
const domainFields = ['rootUrl', 'notFoundUrl', 'goneUrl', 'isDefault', 'codes', 'certificateProof'] as const

type Change = { origin: ChangeOrigin; nowMs: number }

const columns = [
  'd.organization_id as organizationId',
  'd.id',
  'd.hostname',
  'd.status',
  'd.proof',
  'd.root_url as rootUrl',
  'd.not_found_url as notFoundUrl',
  'd.gone_url as goneUrl',
  'd.is_default as isDefault',
  'd.codes',
  'd.certificate_proof as certificateProof',
  'd.proved_at_ms as provedAtMs',
  'd.notice_ends_at_ms as noticeEndsAtMs',
  'd.checked_at_ms as checkedAtMs',
  'd.dns_found as found',
  'd.dns_problem as problem',
  'd.dns_named_problem as namedProblem',
  'd.reach',
  'd.created_at_ms as createdAtMs',
  'd.updated_at_ms as updatedAtMs',
  'c.hostname as orderedHost',
  'c.expires_at_ms as certificateExpiresAtMs',
  'c.problem as certificateProblem',
  'c.named_problem as namedCertificateProblem',
  'c.dns_value as certificateDnsValue',
] as const

type Selected = Omit<DomainRow, 'isDefault' | 'found' | 'isOrdered' | 'details' | 'certificateDetails'> & {
  isDefault: 0 | 1
  found: string
  orderedHost: string | null
  namedProblem: string | null
  namedCertificateProblem: string | null
}

function parseDomain({ orderedHost, namedProblem, namedCertificateProblem, ...row }: Selected): DomainRow {
  return {
    ...row,
    details: storedDetails(row.problem, namedProblem),
    certificateDetails: storedDetails(row.certificateProblem, namedCertificateProblem),
    isOrdered: orderedHost !== null,
    isDefault: row.isDefault === 1,
    found: JSON.parse(row.found),
  }
}

/**
 * Adds a domain, which is PENDING. Throws ApiError 409 CONFLICT if the organization has the host
 * name already, or as many domains as it may, or if its short codes are compared otherwise.
 */
export async function createDomain(
  db: Database,
  organizationId: string,
  { hostname, fields, origin, nowMs }: Change & { hostname: string; fields: Partial<DomainFields> },
): Promise<DomainRow> {
  const { rootUrl = null, notFoundUrl = null, goneUrl = null, isDefault = false } = fields
  return inTransaction(db, async (tx) => {
    await lockDomains(tx, organizationId)
    await requireRoom(tx, organizationId, hostname)
    await lockHost(tx, hostname)
    const codes = await acceptedForm(tx, hostname, fields.codes)
    if (isDefault) await endDefault(tx, organizationId)
    const id = createId('dom')
    await tx.kysely
      .insertInto('domains')
      .values({
        organization_id: organizationId,
        id,
        hostname,
        status: 'PENDING',
        proof: createDomainProof(),
        root_url: rootUrl,
        not_found_url: notFoundUrl,
        gone_url: goneUrl,
        is_default: isDefault ? 1 : 0,
        proved_at_ms: null,
        checked_at_ms: null,
        dns_problem: null,
        reach: null,
        codes,
        certificate_proof: fields.certificateProof ?? 'automatic',
        created_at_ms: nowMs,
        updated_at_ms: nowMs,
      })
      .modifyEnd(tag('catalogue.createDomain'))
      .execute()
    await insertRows(tx, 'domain_hosts', {
      rows: [{ hostname, proved_at_ms: null }],
      skipTaken: true,
      returning: 'hostname',
    })
    await recordChanges(tx, [changeOfHost(hostname)])
    await recordAudit(tx, organizationId, [
      { action: 'domain.create', target: { id, name: hostname }, origin, nowMs },
    ])
    return requireRow(await readDomain(tx, { organizationId, id }))
  })
}

/** Returns the domain, or undefined if the organization has no such domain. */
export async function readDomain(
  db: Database,
  { organizationId, id }: DomainKey,
): Promise<DomainRow | undefined> {
  const row = await db.kysely
    .selectFrom('domains as d')
    .leftJoin('certificates as c', 'c.hostname', 'd.hostname')
    .select(columns)
    .where('d.organization_id', '=', organizationId)
    .where('d.id', '=', id)
    .modifyEnd(tag('catalogue.readDomain'))
    .executeTakeFirst()
  return row === undefined ? undefined : parseDomain(row)
}

/** Returns a page of an organization's domains, newest first, and the total. */
export async function listDomains(
  db: Database,
  organizationId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: DomainRow[]; total: number }> {
  const domains = db.kysely.selectFrom('domains as d').where('d.organization_id', '=', organizationId)
  const rows = await domains
    .leftJoin('certificates as c', 'c.hostname', 'd.hostname')
    .select(columns)
    .orderBy('d.created_at_ms', 'desc')
    .orderBy('d.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listDomains'))
    .execute()
  const { total } = await domains
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows: rows.map(parseDomain), total }
}

/**
 * Changes the given fields of a domain, or returns undefined if it does not exist. The same values
 * change nothing. Throws ApiError 409 CONFLICT for another form of codes once there are some.
 */
export async function updateDomain(
  db: Database,
  key: DomainKey,
  { origin, nowMs, fields }: Change & { fields: { [F in keyof DomainFields]?: DomainFields[F] | undefined } },
): Promise<DomainRow | undefined> {
  return inTransaction(db, async (tx) => {
    await lockDomains(tx, key.organizationId)
    const before = await readDomain(tx, key)
    if (before === undefined) return undefined
    const changed = domainFields.filter(
      (field) => fields[field] !== undefined && fields[field] !== before[field],
    )
    if (changed.length === 0) return before
    await lockHost(tx, before.hostname)
    if (changed.includes('codes')) await acceptedForm(tx, before.hostname, fields.codes)
    if (fields.isDefault === true && !before.isDefault) await endDefault(tx, key.organizationId)
    const after = { ...before, ...Object.fromEntries(changed.map((field) => [field, fields[field]])) }
    await tx.kysely
      .updateTable('domains')
      .set({
        root_url: after.rootUrl,
        not_found_url: after.notFoundUrl,
        gone_url: after.goneUrl,
        is_default: after.isDefault ? 1 : 0,
        codes: after.codes,
        certificate_proof: after.certificateProof,
        updated_at_ms: Math.max(nowMs, before.updatedAtMs),
      })
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .modifyEnd(tag('catalogue.updateDomain'))
      .execute()
    if (changed.includes('certificateProof') && before.status !== 'PENDING')
      await orderAnew(tx, before.hostname, nowMs)
    await recordChanges(tx, [changeOfHost(before.hostname)])
    await recordAudit(tx, key.organizationId, [
      {
        action: 'domain.update',
        target: { id: key.id, name: before.hostname },
        fields: changed,
        origin,
        nowMs,
      },
    ])
    return readDomain(tx, key)
  })
}

/** Has a certificate ordered now that is not in use yet, in the way that was just chosen. */
async function orderAnew(tx: Database, hostname: string, nowMs: number): Promise<void> {
  await tx.kysely
    .updateTable('certificates')
    .set({ next_order_at_ms: nowMs, attempts: 0, problem: null, dns_order_url: null, dns_value: null })
    .where('hostname', '=', hostname)
    .where((where) => where.or([where('chain', 'is', null), where('problem', 'is not', null)]))
    .modifyEnd(tag('catalogue.orderAnew'))
    .execute()
}

/**
 * Deletes a domain and returns it, or undefined if it does not exist. A host name that was ever
 * proved stays known: it answers nothing from then on. Throws ApiError 409 CONFLICT if active codes
 * are on the domain.
 */
export async function deleteDomain(
  db: Database,
  key: DomainKey,
  { origin, nowMs }: Change,
): Promise<DomainRow | undefined> {
  return inTransaction(db, async (tx) => {
    await lockDomains(tx, key.organizationId)
    const row = await readDomain(tx, key)
    if (row === undefined) return undefined
    await lockHost(tx, row.hostname)
    await tx.kysely
      .deleteFrom('domains')
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .modifyEnd(tag('catalogue.deleteDomain'))
      .execute()
    const codes = await activeCodesOn(tx, key)
    if (codes > 0) throw conflict(problem('domainHasCodes', { count: codes }))
    await forgetHost(tx, row.hostname)
    await recordAudit(tx, key.organizationId, [
      { action: 'domain.delete', target: { id: row.id, name: row.hostname }, origin, nowMs },
    ])
    return row
  })
}

async function activeCodesOn(tx: Database, { organizationId, id }: DomainKey): Promise<number> {
  const { total } = await tx.kysely
    .selectFrom('qr_codes')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .where('domain_id', '=', id)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirstOrThrow()
  return total
}

/**
 * Makes a host name that was never proved, and that nobody claims any more, an unknown one again.
 * The caller has deleted the claim and holds `lockHost`.
 */
async function forgetHost(tx: Database, hostname: string): Promise<void> {
  await tx.kysely
    .deleteFrom('domain_hosts')
    .where('hostname', '=', hostname)
    .where('proved_at_ms', 'is', null)
    .where((where) =>
      where.not(
        where.exists(
          where.selectFrom('domains').select('domains.id').where('domains.hostname', '=', hostname),
        ),
      ),
    )
    .modifyEnd(tag('catalogue.forgetHost'))
    .execute()
  await recordChanges(tx, [changeOfHost(hostname)])
}

/** Deletes all domains of an organization that is about to be deleted itself. */
export async function deleteDomainsOf(tx: Database, organizationId: string): Promise<void> {
  await lockDomains(tx, organizationId)
  const rows = await tx.kysely
    .selectFrom('domains')
    .select('hostname')
    .where('organization_id', '=', organizationId)
    .orderBy('hostname')
    .modifyEnd(tag('catalogue.domainsOf'))
    .execute()
  for (const { hostname } of rows) await lockHost(tx, hostname)
  await tx.kysely
    .deleteFrom('domains')
    .where('organization_id', '=', organizationId)
    .modifyEnd(tag('catalogue.deleteDomainsOf'))
    .execute()
  for (const { hostname } of rows) await forgetHost(tx, hostname)
}

/**
 * Returns how short codes on a host name are to be compared: as wanted, or as they are. Throws
 * ApiError 409 CONFLICT if codes were created there that are compared otherwise.
 */
async function acceptedForm(tx: Database, hostname: string, wanted: CodeForm | undefined): Promise<CodeForm> {
  const host = await tx.kysely
    .selectFrom('domain_hosts')
    .select('codes')
    .where('hostname', '=', hostname)
    .modifyEnd(tag('catalogue.formOfHost'))
    .executeTakeFirst()
  const fixed = host?.codes ?? undefined
  if (wanted !== undefined && fixed !== undefined && wanted !== fixed)
    throw conflictIn('codes', problem('codesComparedOtherwise', { hostname, form: fixed }))
  return wanted ?? fixed ?? 'canonical'
}

async function endDefault(tx: Database, organizationId: string): Promise<void> {
  await tx.kysely
    .updateTable('domains')
    .set({ is_default: 0 })
    .where('organization_id', '=', organizationId)
    .where('is_default', '=', 1)
    .execute()
}

/** Serializes changes to an organization's domains, to keep the limits. */
async function lockDomains(tx: Database, organizationId: string): Promise<void> {
  await lockName(tx, `domains ${organizationId}`)
}

function conflict(found: Problem): ApiError {
  return new ApiError(409, 'CONFLICT', found)
}

async function requireRoom(tx: Database, organizationId: string, hostname: string): Promise<void> {
  const rows = await tx.kysely
    .selectFrom('domains')
    .select(['hostname', 'status'])
    .where('organization_id', '=', organizationId)
    .execute()
  if (rows.some((row) => row.hostname === hostname))
    throw conflictIn('hostname', problem('domainHere', { hostname }))
  if (rows.length >= limits.domainsMax) throw conflict(problem('domainsFull', { max: limits.domainsMax }))
  if (rows.filter(({ status }) => status === 'PENDING').length >= limits.pendingDomainsMax)
    throw conflict(problem('unprovedDomainsFull', { max: limits.pendingDomainsMax }))
}

function requireRow<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('the row was just written')
  return row
}
