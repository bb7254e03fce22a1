import type { Role } from '@everscan/contract/schema/common.ts'
import { everyPageOf, recordChanges } from '../../db/feeds/changes.ts'
import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { createId, createShortCode } from '../../ids.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'

export type OrganizationRow = {
  id: string
  name: string
  slug: string
  /** Shown on pages. Null if pages do not show a name. */
  publicName: string | null
  logo: OrganizationLogo | null
  /** Members act in it only if their account has two-factor sign-in. */
  twoFactorRequired: boolean
  /** Whether its codes and scans are made up. */
  isDemo: boolean
  /** Since when the operator lets it send no mails. */
  mailsStoppedAtMs: number | null
  createdAtMs: number
  updatedAtMs: number
}

/** The result of `readPageLogo` in the workspace qr. */
export type OrganizationLogo = { dataUri: string; widthPx: number; heightPx: number }

const slugCharsMax = 60
const slugAttemptsMax = 10

const columns = [
  'organizations.id',
  'organizations.name',
  'organizations.slug',
  'organizations.public_name as publicName',
  'organizations.logo',
  'organizations.two_factor_required as twoFactorRequired',
  'organizations.demo',
  'organizations.mails_stopped_at_ms as mailsStoppedAtMs',
  'organizations.created_at_ms as createdAtMs',
  'organizations.updated_at_ms as updatedAtMs',
] as const

/**
 * Creates an organization. Default: a new id, and a slug from its name. A slug that is taken gets
 * an ending. Throws if an organization with this id exists.
 */
export async function createOrganization(
  db: Database,
  {
    name,
    id = createId('org'),
    slug = slugOf(name),
    nowMs = Date.now(),
  }: { name: string; id?: string; slug?: string; nowMs?: number },
): Promise<OrganizationRow> {
  for (let attempt = 1; attempt <= slugAttemptsMax; attempt++) {
    const row = await db.kysely
      .insertInto('organizations')
      .values({
        id,
        name,
        slug: attempt === 1 ? slug : `${slug}-${createShortCode().slice(0, 4).toLowerCase()}`,
        created_at_ms: nowMs,
        updated_at_ms: nowMs,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(columns)
      .executeTakeFirst()
    if (row !== undefined) return organizationRow(row)
  }
  throw new Error(`no free slug for "${slug}" in ${slugAttemptsMax} attempts`)
}

/** Returns the organization, or undefined if it does not exist. */
export async function readOrganization(db: Database, id: string): Promise<OrganizationRow | undefined> {
  const row = await db.kysely
    .selectFrom('organizations')
    .select(columns)
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.readOrganization'))
    .executeTakeFirst()
  return row && organizationRow(row)
}

/**
 * Changes the given fields of an organization. If pages change, all fronts drop their cached pages.
 * Returns undefined if the organization does not exist.
 */
export async function updateOrganization(
  db: Database,
  id: string,
  {
    origin,
    nowMs,
    ...changes
  }: {
    name?: string | undefined
    publicName?: string | null | undefined
    logo?: OrganizationLogo | null | undefined
    twoFactorRequired?: boolean | undefined
    origin: ChangeOrigin
    nowMs: number
  },
): Promise<OrganizationRow | undefined> {
  return inTransaction(db, async (tx) => {
    await lockName(tx, `organization ${id}`)
    const before = await readOrganization(tx, id)
    if (before === undefined) return undefined
    const { name = before.name, publicName = before.publicName, logo = before.logo } = changes
    const { twoFactorRequired = before.twoFactorRequired } = changes
    const isNewLogo = logo?.dataUri !== before.logo?.dataUri
    const fields = [
      ...(name === before.name ? [] : ['name']),
      ...(publicName === before.publicName ? [] : ['publicName']),
      ...(isNewLogo ? ['logo'] : []),
      ...(twoFactorRequired === before.twoFactorRequired ? [] : ['twoFactorRequired']),
    ]
    if (fields.length === 0) return before
    await tx.kysely
      .updateTable('organizations')
      .set({
        name,
        public_name: publicName,
        logo: logo === null ? null : JSON.stringify(logo),
        two_factor_required: twoFactorRequired ? 1 : 0,
        updated_at_ms: nowMs,
      })
      .where('id', '=', id)
      .modifyEnd(tag('catalogue.updateOrganization'))
      .execute()
    if (isNewLogo || publicName !== before.publicName) await recordChanges(tx, [everyPageOf(id)])
    await recordAudit(tx, id, [
      { action: 'organization.update', target: { id, name }, fields, origin, nowMs },
    ])
    return { ...before, name, publicName, logo, twoFactorRequired, updatedAtMs: nowMs }
  })
}

/** Returns the organizations of an account, oldest first, with its role in each. */
export async function listOrganizationsOfUser(
  db: Database,
  userId: string,
): Promise<(OrganizationRow & { role: Role })[]> {
  const rows = await db.kysely
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select([...columns, 'members.role'])
    .where('members.user_id', '=', userId)
    .orderBy('organizations.id')
    .modifyEnd(tag('catalogue.listOrganizationsOfUser'))
    .execute()
  return rows.map(({ role, ...row }) => ({ ...organizationRow(row), role }))
}

type StoredRow = Omit<OrganizationRow, 'logo' | 'twoFactorRequired' | 'isDemo'> & {
  logo: string | null
  twoFactorRequired: number
  demo: string | null
}

function organizationRow({ demo, ...row }: StoredRow): OrganizationRow {
  return {
    ...row,
    isDemo: demo !== null,
    logo: row.logo === null ? null : JSON.parse(row.logo),
    twoFactorRequired: row.twoFactorRequired === 1,
  }
}

/**
 * Returns the slug of a name: `Café Zürich GmbH` → `cafe-zurich-gmbh`; a name without Latin
 * letters or digits → `organization`.
 */
function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugCharsMax)
    .replace(/^-+|-+$/g, '')
  return slug === '' ? 'organization' : slug
}
