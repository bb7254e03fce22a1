import { utmTemplate } from './utm-template.ts'
import { accountLogRows } from './account-log-rows.ts'
import { accountRows } from './account-rows.ts'
import { accessColumns, accessRows, laterRows, ruleColumns } from './later-rows.ts'
import { hostileTexts } from './hostile-texts.ts'
import { inTransaction, type Database } from '../../database.ts'
import type { Tables } from '../../tables.ts'
import { migrations } from '../../migrations/migrate.ts'
import { shapeAfter } from '../catalogue-shape.ts'
import { passkeyRows } from './passkey-rows.ts'

const day = 86_400_000
const at = 1_760_000_000_000
export const codesPerFixture = 24

/**
 * Inserts rows into every table of the applied migrations; another `name` inserts different rows.
 * Rows are equal on SQLite and PostgreSQL, including transaction numbers.
 */
export async function fillCatalogue(
  db: Database,
  name: string,
  applied: readonly string[] = migrations.map((migration) => migration.name),
): Promise<void> {
  const all = rowsOf(name)
  await inTransaction(db, async (tx) => {
    // Triggers create the counts along with the codes.
    for (const table of shapeAfter(applied, 'the catalogue').tables)
      for (const row of all[table.name] ?? [])
        await insert(
          tx,
          table.name,
          Object.fromEntries(
            table.columns.flatMap((column) => (column.name in row ? [[column.name, row[column.name]]] : [])),
          ),
        )
  })
}

async function insert(tx: Database, table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
  await tx.kysely
    .insertInto(table as keyof Tables)
    .values(row)
    .execute()
}

type Rows = readonly Readonly<Record<string, unknown>>[]

const textOf = (index: number): string => hostileTexts[index % hostileTexts.length] ?? ''

function rowsOf(name: string): Record<string, Rows> {
  const [organization, other, user, folder, inner] = ['org', 'oth', 'usr', 'fld', 'inn'].map(
    (kind) => `${kind}_${name}`,
  )
  const made = { created_at_ms: at, updated_at_ms: at }
  const ofOrganization = { organization_id: organization }
  const codes = Array.from({ length: codesPerFixture }, (_, index) => index)
  const binned = codes.length
  const idOf = (index: number): string => `qr_${name}_${String(index).padStart(3, '0')}`
  const canonical = (index: number): string => `${name}${index}`.toUpperCase()
  return {
    organizations: [organization, other].map((id) => ({
      id,
      name: `Acme ${name}`,
      slug: id,
      public_name: id === other ? null : 'Acme',
      logo: null,
      two_factor_required: id === other ? 1 : 0,
      demo: id === other ? '{}' : null,
      operator: id === 'org_one' ? 1 : 0,
      ...made,
    })),
    ...accountRows(name, { user, text: textOf(10), at }),
    members: [{ ...ofOrganization, user_id: user, role: 'ADMIN', created_at_ms: at }],
    sessions: [
      {
        id: `ses_${name}`,
        user_id: user,
        token_hash: `t-${name}`,
        user_agent: textOf(7),
        created_at_ms: at,
        last_used_at_ms: Number.MAX_SAFE_INTEGER,
        expires_at_ms: -Number.MAX_SAFE_INTEGER,
        confirmed_at_ms: at,
      },
    ],
    two_factors: [{ user_id: user, secret: 's', last_step: 1, created_at_ms: at, confirmed_at_ms: null }],
    recovery_codes: [{ user_id: user, code_hash: `c-${name}` }],
    ...passkeyRows(name, { user, text: textOf(10), at }),
    account_log: accountLogRows(name, { user, at }),
    invitations: [
      {
        ...ofOrganization,
        id: `inv_${name}`,
        email: 'a@example.com',
        role: 'EDITOR',
        token_hash: `i-${name}`,
        mail_token_hash: `m-${name}`,
        invited_by: '{}',
        created_at_ms: at,
        expires_at_ms: at,
        accepted_at_ms: null,
      },
    ],
    api_keys: [
      {
        ...ofOrganization,
        id: `key_${name}`,
        user_id: user,
        name: textOf(2),
        role: 'VIEWER',
        prefix: 'abc',
        hash: `h-${name}`,
        created_at_ms: at,
        last_used_at_ms: null,
        expires_at_ms: null,
        revoked_at_ms: 0,
        made_by: '{}',
        scopes: 'codes:write,admin',
        networks: '10.0.0.0/8,2001:db8::/32',
      },
    ],
    // The inner folder sorts before its parent.
    folders: [
      { ...ofOrganization, id: folder, parent_id: null, name: textOf(6), name_search: 'a', ...made },
      { ...ofOrganization, id: inner, parent_id: folder, name: textOf(7), name_search: 'b', ...made },
      { ...ofOrganization, id: `aaa_${name}`, parent_id: inner, name: 'c', name_search: 'c', ...made },
    ],
    styles: [
      {
        ...ofOrganization,
        id: `sty_${name}`,
        name: textOf(10),
        style: '{"a":"\\u0000"}',
        is_default: 1,
        ...made,
      },
    ],
    utm_templates: [{ ...ofOrganization, ...utmTemplate(name, textOf), ...made }],
    short_codes: [...codes, binned].map((index) => ({
      canonical_code: canonical(index),
      short_code: canonical(index).toLowerCase(),
      ...ofOrganization,
      qr_code_id: idOf(index),
      created_at_ms: at,
      deleted_at_ms: null,
      adopted_by: index === binned ? 'org_other' : null,
    })),
    qr_codes: codes.map((index) => ({
      ...ofOrganization,
      id: idOf(index),
      canonical_code: canonical(index),
      domain_id: index % 4 === 2 ? 'dom_go' : null,
      type: index % 3 === 0 ? 'TEXT' : 'URL',
      name: textOf(index),
      name_search: `menu ${index} ${textOf(index)}`,
      data: JSON.stringify({ text: textOf(index) }),
      ...ruleColumns(index, textOf(index)),
      ...accessColumns(index, { text: textOf(index), at }),
      style: '{}',
      metadata: '{}',
      folder_id: [null, folder, inner][index % 3],
      status: index % 5 === 0 ? 'ARCHIVED' : 'ACTIVE',
      picture_version: 3,
      picture_mask: index % 8,
      scannability: null,
      version: 1,
      history_version: 2,
      history_changed: 'name,data',
      history_at_ms: index % 2 === 0 ? null : at,
      history_by: null,
      // Several codes share a millisecond.
      created_at_ms: at + Math.floor(index / 4),
      updated_at_ms: at,
    })),
    qr_code_history: [
      {
        ...ofOrganization,
        qr_code_id: idOf(1),
        version: 1,
        name: null,
        data: textOf(5),
        ...ruleColumns(4, textOf(5)),
        style: null,
        status: 'ACTIVE',
        changed: 'data',
        changed_at_ms: at,
        changed_by: '{}',
      },
    ],
    ...laterRows(organization, { id: idOf(binned), canonicalCode: canonical(binned), text: textOf(4), at }),
    ...accessRows(organization, codes.slice(0, 3).map(idOf), at),
    qr_code_tags: codes.map((index) => ({
      ...ofOrganization,
      qr_code_id: idOf(index),
      tag: index % 2 === 0 ? 'summer' : textOf(index),
      position: 0,
    })),
    scan_counters: codes.map((index) => ({
      ...ofOrganization,
      qr_code_id: idOf(index),
      total_scans: index * 3,
      unique_scans: index,
      uniques_due: index % 2,
    })),
    changes: codes.map((index) => ({ canonical_code: canonical(index), version: 10 + index })),
    jobs: [
      {
        ...ofOrganization,
        id: `job_${name}`,
        kind: 'import',
        status: 'PROCESSING',
        input: '{}',
        progress: '{}',
        attempts: 1,
        run_at_ms: at,
        lease_number: 7,
        lease_until_ms: null,
        ...made,
        completed_at_ms: null,
      },
    ],
    import_chunks: [
      {
        ...ofOrganization,
        job_id: `job_${name}`,
        chunk: 0,
        rows: `[${JSON.stringify(textOf(6))}]`,
        created_at_ms: at,
      },
    ],
    import_row_errors: [
      {
        ...ofOrganization,
        job_id: `job_${name}`,
        row_number: 1,
        line: 2,
        column_name: null,
        code: 'INVALID',
        message: textOf(10),
        cells: '[]',
        details: '[]',
      },
    ],
    moved_codes: codes.map((index) => ({
      ...ofOrganization,
      job_id: `job_${name}`,
      code_key: canonical(index),
      qr_code_id: `qr_${name}_${index}`,
    })),
    archive_ids: [{ ...ofOrganization, job_id: `job_${name}`, page: 0, pairs: textOf(4) }],
    idempotency_keys: [
      {
        ...ofOrganization,
        idempotency_key: textOf(12),
        fingerprint: 'f',
        status: 201,
        body: textOf(6),
        headers: '{}',
        created_at_ms: at,
      },
    ],
    audit_log: hostileTexts.map((text, index) => ({
      ...ofOrganization,
      id: `aud_${name}_${index}`,
      action: 'qr-code.updated',
      actor_kind: 'user',
      actor_id: null,
      actor_name: text,
      target_id: idOf(0),
      target_name: null,
      fields: text,
      via: 'API',
      country: '',
      user_agent: text,
      request_id: null,
      created_at_ms: at,
    })),
    webhooks: [
      {
        ...ofOrganization,
        id: `whk_${name}`,
        url: 'https://example.com/',
        events: '["*"]',
        description: textOf(7),
        batch: 0,
        status: 'ENABLED',
        disabled_reason: null,
        failures_in_a_row: 0,
        secret: 'sealed',
        previous_secret: null,
        previous_until_ms: null,
        last_delivery_at_ms: null,
        ...made,
      },
    ],
    event_readers: [{ ...ofOrganization, until_ms: at + day }],
    event_pages: ['b', 'a', 'c'].map((id, index) => ({
      ...ofOrganization,
      id: `${id}${name}`,
      version: 4 + index,
      events: JSON.stringify([{ data: textOf(9) }]),
      fanned_out: index % 2,
      created_at_ms: at,
    })),
    webhook_deliveries: [
      {
        ...ofOrganization,
        id: `dlv_${name}`,
        webhook_id: `whk_${name}`,
        page_id: `a${name}`,
        first_event: 0,
        event_count: 1,
        event: 'qr-code.updated',
        status: 'PENDING',
        attempts: 0,
        run_at_ms: at,
        lease_number: 0,
        lease_until_ms: null,
        response_status: null,
        response_body: textOf(6),
        error: null,
        duration_ms: null,
        created_at_ms: at,
        completed_at_ms: null,
      },
    ],
    journal_checkpoints: [
      {
        writer: `w-${name}`,
        segment: 1,
        byte_offset: 2,
        sequence: Number.MAX_SAFE_INTEGER,
        updated_at_ms: at,
      },
    ],
    ingest_intents: [{ batch_id: `b-${name}`, writer: `w-${name}`, intent: '{}', created_at_ms: at }],
    network_shares: [{ writer: `w-${name}`, scans: 100, largest: 7, updated_at_ms: at }],
    scan_retention: [{ id: `r-${name}`, before_ms: at, is_done: 1, deleted_hits: 7 }],
    scan_days: [{ writer: `w-${name}`, day: 20_000, hits: 100 }],
    scan_losses: [{ writer: `w-${name}`, day: 20_000, hits: 1 }],
    journal_heads: [{ writer: `w-${name}`, machine: name, sequence: 100, request: 1, beat_at_ms: at }],
    copies: [
      {
        id: `cpy_${name}`,
        made_at_ms: at,
        machine: name,
        path: '/backup',
        bytes: 1,
        state: 'MADE',
        problem: null,
        failures: 0,
        checked_at_ms: at,
        verified_at_ms: null,
        ended_at_ms: at,
        counts: '{}',
        lease_number: 1,
        lease_until_ms: null,
      },
    ],
    journal_head_requests: [{ id: `heads-${name}`, request: 1 }],
    installation: [
      {
        id: `ins_${name}`,
        epoch: 1,
        pulse: 0,
        secret_fingerprint: null,
        visitor_key_fingerprint: 'v',
        scan_store: null,
        scans_counted_at_ms: null,
        created_at_ms: at,
        restored_at_ms: null,
      },
    ],
    installation_notes: [{ id: `nte_${name}`, kind: 'scans-lost', detail: '{}', created_at_ms: at }],
  }
}

/** Changes codes in every way that triggers handle. */
export async function changeCodes(db: Database, name: string): Promise<void> {
  const id = (index: number): string => `qr_${name}_${String(index).padStart(3, '0')}`
  const update = (index: number, changed: object): Promise<unknown> =>
    db.kysely.updateTable('qr_codes').set(changed).where('id', '=', id(index)).execute()
  const { qr_codes: codes = [], short_codes: shortCodes = [] } = rowsOf(name)
  const added = { id: id(900), canonical_code: `${name}900`.toUpperCase(), created_at_ms: at + day }
  await insert(db, 'short_codes', {
    ...shortCodes[0],
    canonical_code: added.canonical_code,
    qr_code_id: added.id,
  })
  await insert(db, 'qr_codes', { ...codes[1], ...added, name_search: 'brand new' })
  const ofAdded = { organization_id: `org_${name}`, qr_code_id: added.id }
  await insert(db, 'qr_code_tags', { ...ofAdded, tag: 'summer', position: 0 })
  await insert(db, 'scan_counters', { ...ofAdded, total_scans: 0, unique_scans: 0 })
  await update(1, { folder_id: null, version: 2 })
  await update(2, { status: 'ARCHIVED', version: 2 })
  await update(3, { name_search: 'renamed', version: 2 })
  for (const index of [4, 5]) await db.kysely.deleteFrom('qr_codes').where('id', '=', id(index)).execute()
  await db.kysely.deleteFrom('qr_code_tags').where('qr_code_id', '=', id(6)).execute()
}
