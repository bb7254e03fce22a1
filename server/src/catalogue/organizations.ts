import type { Role } from '@everscan/contract/common.ts'
import { tag, type Database } from '../db/database.ts'
import { createId, createShortCode } from '../ids.ts'

export type OrganizationRow = {
  id: string
  name: string
  slug: string
  createdAtMs: number
  updatedAtMs: number
}

const slugCharsMax = 60
const slugAttemptsMax = 10

const columns = [
  'organizations.id',
  'organizations.name',
  'organizations.slug',
  'organizations.created_at_ms as createdAtMs',
  'organizations.updated_at_ms as updatedAtMs',
] as const

/** Makes an organization, with a slug of its name that no other has. */
export async function createOrganization(
  db: Database,
  { name, nowMs = Date.now() }: { name: string; nowMs?: number },
): Promise<OrganizationRow> {
  const slug = slugOf(name)
  const id = createId('org')
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
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning(columns)
      .executeTakeFirst()
    if (row !== undefined) return row
  }
  throw new Error(`no free slug was found for ${slug}`)
}

/** Undefined: no such organization. */
export async function readOrganization(db: Database, id: string): Promise<OrganizationRow | undefined> {
  return db.kysely
    .selectFrom('organizations')
    .select(columns)
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.readOrganization'))
    .executeTakeFirst()
}

/** The organizations that an account is a member of, oldest first, with its role there. */
export async function listOrganizationsOfUser(
  db: Database,
  userId: string,
): Promise<(OrganizationRow & { role: Role })[]> {
  return db.kysely
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select([...columns, 'members.role'])
    .where('members.user_id', '=', userId)
    .orderBy('organizations.id')
    .modifyEnd(tag('catalogue.listOrganizationsOfUser'))
    .execute()
}

/** `Café Zürich GmbH` → `cafe-zurich-gmbh`; a name without Latin letters or digits → `organization`. */
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
