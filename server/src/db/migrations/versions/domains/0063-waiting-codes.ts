import type { ColumnTypes, Migration } from '../../migration.ts'

/**
 * Codes that wait until their organization has proved their host name: record 92. They are no codes
 * until then, so they lie in a table of their own, as deleted ones do (record 51). Codes that an
 * earlier release took from an archive for a host name that their organization has not proved are
 * moved here, and what they took from its owner is given back: the short codes, and the form of all
 * codes on the name.
 */
export const waitingCodes: Migration = {
  name: '0063-waiting-codes',
  statements: (types) => [...tables(types), ...moveStrangers(types)],
}

const tables = ({ text, integer, strict }: ColumnTypes) => [
  `create table waiting_qr_codes (
    organization_id ${text} not null references organizations (id) on delete cascade,
    id ${text} not null,
    hostname ${text} not null,
    short_code ${text} not null,
    canonical_code ${text} not null,
    domain_id ${text} not null,
    type ${text} not null,
    name ${text} not null,
    name_search ${text} not null,
    data ${text} not null,
    rules ${text},
    former_rules ${text},
    pass_query ${integer} not null,
    access ${text},
    access_password ${text},
    starts_at_ms ${integer},
    ends_at_ms ${integer},
    limit_resets ${integer} not null,
    scan_count ${integer} not null,
    scans_before ${integer} not null,
    style ${text} not null,
    metadata ${text} not null,
    folder_id ${text},
    status ${text} not null,
    picture_version ${integer} not null,
    picture_mask ${integer} not null,
    scannability ${text},
    version ${integer} not null,
    history_version ${integer} not null,
    history_changed ${text} not null,
    history_at_ms ${integer},
    history_by ${text},
    name_folded ${text} not null,
    content_folded ${text} not null,
    name_order ${text} not null,
    search_version ${integer} not null,
    tags ${text} not null,
    created_at_ms ${integer} not null,
    updated_at_ms ${integer} not null,
    lost_at_ms ${integer},
    primary key (organization_id, id)
  ) ${strict}`,
  `create index waiting_qr_codes_host on waiting_qr_codes (organization_id, hostname, id)`,
  `create table waiting_qr_code_history (
    organization_id ${text} not null,
    qr_code_id ${text} not null,
    version ${integer} not null,
    name ${text},
    data ${text},
    rules ${text},
    pass_query ${integer},
    access ${text},
    style ${text},
    status ${text},
    changed ${text} not null,
    changed_at_ms ${integer} not null,
    changed_by ${text} not null,
    primary key (organization_id, qr_code_id, version),
    foreign key (organization_id, qr_code_id)
      references waiting_qr_codes (organization_id, id) on delete cascade
  ) ${strict}`,
  // Hits of an archive, which are counted when their codes are.
  `create table waiting_hits (
    organization_id ${text} not null references organizations (id) on delete cascade,
    hostname ${text} not null,
    job_id ${text} not null,
    number ${integer} not null,
    lines ${text} not null,
    primary key (organization_id, hostname, job_id, number)
  ) ${strict}`,
]

const moved = [
  'organization_id',
  'id',
  'canonical_code',
  'domain_id',
  'type',
  'name',
  'name_search',
  'data',
  'rules',
  'former_rules',
  'pass_query',
  'access',
  'access_password',
  'starts_at_ms',
  'ends_at_ms',
  'limit_resets',
  'scans_before',
  'style',
  'metadata',
  'folder_id',
  'status',
  'picture_version',
  'picture_mask',
  'scannability',
  'version',
  'history_version',
  'history_changed',
  'history_at_ms',
  'history_by',
  'name_folded',
  'content_folded',
  'name_order',
  'search_version',
  'created_at_ms',
  'updated_at_ms',
]

const historyColumns =
  'organization_id, qr_code_id, version, name, data, rules, pass_query, access, style, status, changed, changed_at_ms, changed_by'

/** The host name in a key of a code. */
const hostOf = ({ dialect }: Pick<ColumnTypes, 'dialect'>, key: string) =>
  dialect === 'sqlite' ? `substr(${key}, 1, instr(${key}, '/') - 1)` : `split_part(${key}, '/', 1)`

/**
 * Returns the condition for a row whose organization claims its host name without a first proof. A
 * row without any claim may be of a former owner, who removed the domain: its printed codes stay
 * reserved, unless nobody ever proved the name.
 */
export function isStranger(types: Pick<ColumnTypes, 'dialect'>, row: string): string {
  const host = hostOf(types, `${row}.canonical_code`)
  const claim = `select 1 from domains as d where d.organization_id = ${row}.organization_id and d.hostname = ${host}`
  return `(
    not exists (${claim} and d.proved_at_ms is not null)
    and (
      exists (${claim})
      or not exists (
        select 1 from domain_hosts as h where h.hostname = ${host} and h.proved_at_ms is not null
      )
    )
  )`
}

const moveStrangers = (types: ColumnTypes) => {
  const tags =
    types.dialect === 'sqlite'
      ? `(select json_group_array(t.tag order by t.position) from qr_code_tags as t`
      : `(select coalesce(json_agg(t.tag order by t.position), '[]')::text from qr_code_tags as t`
  const ofCode = 'organization_id = q.organization_id and %.qr_code_id = q.id)'
  return [
    `insert into waiting_qr_codes (${moved.join(', ')}, hostname, short_code, scan_count, tags)
    select ${moved.map((column) => `q.${column}`).join(', ')}, ${hostOf(types, 'q.canonical_code')}, s.short_code,
      coalesce((select l.taken from scan_limits as l where l.${ofCode.replace('%', 'l')}, 0),
      ${tags} where t.${ofCode.replace('%', 't')}
    from qr_codes as q
    join short_codes as s on s.canonical_code = q.canonical_code
    where q.domain_id is not null and ${isStranger(types, 'q')}`,
    `insert into waiting_qr_code_history (${historyColumns})
    select ${historyColumns}
    from qr_code_history as v
    where exists (
      select 1 from waiting_qr_codes as w where w.organization_id = v.organization_id and w.id = v.qr_code_id
    )`,
    `delete from qr_codes
    where exists (
      select 1 from waiting_qr_codes as w
      where w.organization_id = qr_codes.organization_id and w.id = qr_codes.id
    )`,
    // Those in bins stay assigned until they are deleted for good.
    `delete from short_codes
    where canonical_code like '%/%'
    and ${isStranger(types, 'short_codes')}
    and not exists (select 1 from binned_qr_codes as b where b.canonical_code = short_codes.canonical_code)`,
    `update domain_hosts
    set codes = null
    where not exists (
      select 1 from short_codes as s
      where s.canonical_code >= domain_hosts.hostname || '/' and s.canonical_code < domain_hosts.hostname || '0'
    )`,
  ]
}
