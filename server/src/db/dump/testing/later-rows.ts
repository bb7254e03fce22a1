import { viewRows } from './view-rows.ts'

/** Rows of the tables since release 0.2.0: the bin, checks of the public address, views. */
export function laterRows(
  organization: string | undefined,
  { id, canonicalCode, text, at }: { id: string; canonicalCode: string; text: string; at: number },
) {
  return {
    ...viewRows(organization, { text, at }),
    public_addresses: [{ url: `https://${id}.example.com`, reached_at_ms: at }],
    address_checks: [
      { organization_id: organization, id: `c-${id}`, created_at_ms: at, seen_at_ms: null, from_outside: 1 },
    ],
    binned_qr_codes: [
      {
        organization_id: organization,
        id,
        canonical_code: canonicalCode,
        type: 'URL',
        name: text,
        name_search: text,
        data: JSON.stringify({ text }),
        rules: '[]',
        former_rules: JSON.stringify({ rul_gone: text }),
        pass_query: 1,
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
    binned_qr_code_history: [
      {
        organization_id: organization,
        qr_code_id: id,
        version: 1,
        name: text,
        data: null,
        rules: JSON.stringify([{ name: text }]),
        pass_query: 0,
        style: null,
        status: null,
        changed: '',
        changed_at_ms: at,
        changed_by: '{}',
      },
    ],
  }
}

/** Rules of every fourth code. */
export function ruleColumns(index: number, text: string) {
  return {
    rules: index % 4 === 0 ? JSON.stringify([{ name: text }]) : null,
    former_rules: index % 4 === 1 ? JSON.stringify({ rul_gone: text }) : null,
    pass_query: index % 2,
  }
}
