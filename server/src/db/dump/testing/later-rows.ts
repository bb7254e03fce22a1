import { domainRows } from './domain-rows.ts'
import { viewRows } from './view-rows.ts'

/** Rows of the tables since release 0.2.0: the bin, checks of the public address, views. */
export function laterRows(
  organization: string | undefined,
  { id, canonicalCode, text, at }: { id: string; canonicalCode: string; text: string; at: number },
) {
  return {
    ...viewRows(organization, { text, at }),
    ...domainRows(organization, { text, at }),
    scan_segments: [segmentRow(id, at)],
    scan_manifest: [{ id: `scans-${id}`, revision: `r-${id}`, marks: `m-${id}`, lost: '[]', deleted: '[]' }],
    scan_findings: [{ kind: 'lost', name: `day-${id}`, part: text, hits: -1 }],
    chore_turns: [{ name: `chore-${id}`, machine: text, lease_until_ms: null, ended_at_ms: at }],
    machines: [
      {
        name: `machine-${id}`,
        release: text,
        settings: JSON.stringify({ text }),
        problem: text,
        waiting_bytes: 1,
        started_at_ms: at,
        seen_at_ms: at,
        stopped_at_ms: null,
      },
    ],
    limit_members: [{ name: `member-${id}`, members: 2, renewed_at_ms: at, lease_until_ms: at + 1 }],
    limit_counts: [{ kind: text, holder: id, window_ms: at, granted: 7, last_grant: 3 }],
    limit_attempts: [{ holder: `attempt-${id}`, attempts: 6, at_ms: at, free_at_ms: at + 2 }],
    limit_paces: [{ holder: `pace-${id}`, paid_until_ms: at }],
    limit_places: [
      {
        id: `place-${id}`,
        member: text,
        kind: 'downloads',
        holder: id,
        account: null,
        organization_id: organization ?? id,
      },
    ],
    public_addresses: [{ url: `https://${id}.example.com`, reached_at_ms: at }],
    address_checks: [
      { organization_id: organization, id: `c-${id}`, created_at_ms: at, seen_at_ms: null, from_outside: 1 },
    ],
    binned_qr_codes: [
      {
        organization_id: organization,
        id,
        canonical_code: canonicalCode,
        domain_id: 'dom_old',
        type: 'URL',
        name: text,
        name_search: text,
        data: JSON.stringify({ text }),
        rules: '[]',
        former_rules: JSON.stringify({ rul_gone: text }),
        pass_query: 1,
        access: JSON.stringify({ closed: { message: text } }),
        access_password: text,
        starts_at_ms: at,
        ends_at_ms: null,
        limit_resets: 2,
        scan_count: 7,
        scans_before: 12,
        style: '{}',
        metadata: '{}',
        folder_id: 'fld_gone',
        status: 'ACTIVE',
        picture_version: 3,
        picture_mask: 1,
        scannability: null,
        version: 2,
        history_version: 2,
        history_changed: 'name',
        history_at_ms: at,
        history_by: null,
        created_at_ms: at,
        updated_at_ms: at,
        tags: '["summer"]',
        total_scans: 3,
        unique_scans: 2,
        deleted_at_ms: at,
        deleted_by: '{}',
        restorable_until_ms: Number.MAX_SAFE_INTEGER,
      },
    ],
    waiting_qr_codes: [
      {
        organization_id: organization,
        id,
        hostname: 'wait.example.com',
        short_code: text,
        canonical_code: `wait.example.com/${id}`,
        domain_id: 'dom_wait',
        type: 'URL',
        name: text,
        name_search: text,
        data: JSON.stringify({ text }),
        rules: null,
        former_rules: null,
        pass_query: 0,
        access: null,
        access_password: null,
        starts_at_ms: null,
        ends_at_ms: at,
        limit_resets: 0,
        scan_count: 2,
        scans_before: 1,
        style: '{}',
        metadata: '{}',
        folder_id: null,
        status: 'ACTIVE',
        picture_version: 3,
        picture_mask: 1,
        scannability: null,
        version: 1,
        history_version: 2,
        history_changed: 'name',
        history_at_ms: at,
        history_by: null,
        name_folded: text,
        content_folded: text,
        name_order: text,
        search_version: 1,
        tags: '["summer"]',
        created_at_ms: at,
        updated_at_ms: at,
        lost_at_ms: at,
      },
    ],
    waiting_qr_code_history: [
      {
        organization_id: organization,
        qr_code_id: id,
        version: 1,
        name: text,
        data: null,
        rules: null,
        pass_query: null,
        access: null,
        style: null,
        status: null,
        changed: '',
        changed_at_ms: at,
        changed_by: '{}',
      },
    ],
    waiting_hits: [
      {
        organization_id: organization,
        hostname: text,
        job_id: id,
        number: 1,
        lines: JSON.stringify([[text]]),
      },
    ],
    binned_qr_code_history: [
      {
        organization_id: organization,
        qr_code_id: id,
        version: 1,
        name: text,
        data: null,
        rules: JSON.stringify([{ name: text }]),
        pass_query: 0,
        access: 'null',
        style: null,
        status: null,
        changed: '',
        changed_at_ms: at,
        changed_by: '{}',
      },
    ],
  }
}

/** Rules of every fourth code, and the same for a version. */
export function ruleColumns(index: number, text: string) {
  return {
    rules: index % 4 === 0 ? JSON.stringify([{ name: text }]) : null,
    former_rules: index % 4 === 1 ? JSON.stringify({ rul_gone: text }) : null,
    pass_query: index % 2,
    access: index % 4 === 1 ? JSON.stringify({ scanLimit: 9, closed: { message: text } }) : null,
  }
}

/** Columns that only codes have. */
export function accessColumns(index: number, { text, at }: { text: string; at: number }) {
  const has = index % 4 === 1
  return {
    access_password: has ? text : null,
    starts_at_ms: has ? at : null,
    ends_at_ms: has ? at + 1 : null,
    limit_resets: index % 3,
    scans_before: index * 5,
  }
}

/** Counters and times of codes. */
export function accessRows(organization: string | undefined, ids: readonly string[], at: number) {
  const key = (id: string) => ({ organization_id: organization, qr_code_id: id })
  return {
    scan_limits: ids.map((id, index) => ({
      ...key(id),
      scan_limit: 9,
      taken: 9 - index,
      resets: index,
      last_grant: 1,
      full_at_ms: index === 0 ? at : null,
      full_told: index % 2,
    })),
    access_moments: ids.map((id) => ({ ...key(id), event: 'qr.opened', at_ms: at })),
  }
}

function segmentRow(id: string, at: number) {
  return {
    id: `seg-${id}`,
    level: 1,
    segment_rows: 7,
    bytes: 900,
    checksum: 4_000_000_000,
    from_ms: at,
    to_ms: at + 1,
    stretches: JSON.stringify([{ month: 202510, writer: `w-${id}`, from: 0, to: 7 }]),
  }
}
