import { limits } from '@everscan/contract/schema/limits.ts'
import type { QrCodeState } from '@everscan/contract/access/access.ts'
import { qrCodeTypes, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import {
  qrCodeSorts,
  qrCodeStatuses,
  type ListQrCodesQuery,
  type QrCodeStatus,
} from '@everscan/contract/resources/qr-codes.ts'

export const codeSorts = qrCodeSorts
export const codeStatuses = qrCodeStatuses
export const closedStates = ['SCHEDULED', 'ENDED', 'FULL'] as const satisfies readonly QrCodeState[]
export type ClosedState = (typeof closedStates)[number]

/** Search parameters of the list. Defaults: all codes, newest first, the first page, as a list. */
export type CodeSearch = {
  page?: number | undefined
  q?: string | undefined
  type?: QrCodeType | undefined
  status?: QrCodeStatus | undefined
  /** States that are no status of their own. */
  state?: ClosedState | undefined
  /** A folder, or `none` for codes without one. */
  folder?: string | undefined
  /** Only the codes of the folder itself, without those of its subfolders. */
  own?: true | undefined
  /** A domain, or `none` for codes of PUBLIC_URL. */
  domain?: string | undefined
  tags?: string[] | undefined
  sort?: (typeof codeSorts)[number] | undefined
  view?: 'grid' | undefined
}

/** Search parameters without any filter. */
export const noFilters = {
  q: undefined,
  type: undefined,
  status: undefined,
  state: undefined,
  folder: undefined,
  own: undefined,
  domain: undefined,
  tags: undefined,
} satisfies CodeSearch

/** Reads search parameters. People type and paste URLs, so invalid values are left out. */
export function readCodeSearch(search: Record<string, unknown>): CodeSearch {
  const page = Number(search['page'])
  const tags = textsOf(search['tags']).slice(0, limits.tagsMax)
  return {
    page: Number.isInteger(page) && page > 1 ? page : undefined,
    q: textOf(search['q'])?.slice(0, limits.searchCharsMax),
    type: qrCodeTypes.find((one) => one === search['type']),
    status: codeStatuses.find((one) => one === search['status']),
    state: closedStates.find((one) => one === search['state']),
    folder: textOf(search['folder']),
    own: search['own'] === true ? true : undefined,
    domain: textOf(search['domain']),
    tags: tags.length === 0 ? undefined : tags,
    sort: codeSorts.find((one) => one === search['sort']),
    view: search['view'] === 'grid' ? 'grid' : undefined,
  }
}

/** Returns the API query for a page of the list. */
export function listQuery(search: CodeSearch, limit: number): ListQrCodesQuery {
  const { page = 1, q, type, status, state, folder, own, domain, tags, sort = 'createdAt' } = search
  return {
    page,
    limit,
    sort,
    order: sort === 'name' ? 'asc' : 'desc',
    ...(q !== undefined && { q }),
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status }),
    ...(state !== undefined && { state }),
    ...(folder !== undefined && { folderId: folder, subfolders: own !== true }),
    ...(domain !== undefined && { domainId: domain }),
    ...(tags !== undefined && { tag: tags }),
  }
}

/** Returns whether a search narrows the list within its folder. */
export function isFiltered({ q, type, status, state, domain, tags }: CodeSearch): boolean {
  return [q, type, status, state, domain, tags].some((one) => one !== undefined)
}

/** Returns a search parameter as text. Texts that look like numbers arrive as numbers. */
function textOf(value: unknown): string | undefined {
  return (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined
}

function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return [...new Set(values.flatMap((one) => textOf(one) ?? []))]
}
