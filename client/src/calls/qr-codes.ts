// `npm run generate` writes this file from the table of endpoints.
import type {
  DeleteQrCodeQuery,
  DeletedQrCode,
  ListQrCodesQuery,
} from '@everscan/contract/resources/qr-codes.ts'
import type { QrCodeHistory, RollbackQrCode } from '@everscan/contract/resources/qr-code-history.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type {
  ReplayRules,
  RulesReplay,
  SimulateRules,
  SimulatedAnswer,
} from '@everscan/contract/rules/rule-trials.ts'
import type { AnalyticsQuery, QrCodeAnalytics } from '@everscan/contract/resources/analytics.ts'
import {
  once,
  readRecord,
  unlessChanged,
  type ChangeOptions,
  type CreateOptions,
  type Service,
} from '../calling.ts'
import type { AnyCreateQrCode, TypedQrCode, TypedQrCodePage, TypedUpdateQrCode } from '../exact-types.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function qrCodesOf({ send }: Service) {
  const calls = {
    /** Create a QR code. */
    async create(orgId: string, body: AnyCreateQrCode, options?: CreateOptions): Promise<TypedQrCode> {
      const path = pathOf`/organizations/${orgId}/qr-codes`
      return readRecord(await send({ method: 'POST', path, body, ...once(options), options }))
    },

    /** List the QR codes of the organization, newest first by default. */
    async list(orgId: string, query: ListQrCodesQuery = {}, options?: CallOptions): Promise<TypedQrCodePage> {
      const path = pathOf`/organizations/${orgId}/qr-codes`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page, by default oldest first. If records are
     * deleted meanwhile, it may skip others: collect them first, then delete.
     */
    iterate(
      orgId: string,
      query: Omit<ListQrCodesQuery, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<TypedQrCode, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, { limit, order: 'asc', ...query, page }, options))
    },

    /** Read a QR code. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<TypedQrCode> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}`
      return readRecord(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Update a QR code. Partial: fields that are not sent stay unchanged. `data` is replaced as a
     * whole and must match the type of the code; `rules` too, and a rule keeps its id if it is sent
     * back; `style`, `metadata` and `access` merge by key, and null removes a key.
     */
    async update(
      orgId: string,
      id: string,
      body: TypedUpdateQrCode,
      options?: ChangeOptions,
    ): Promise<TypedQrCode> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}`
      return readRecord(await send({ method: 'PUT', path, body, ...unlessChanged(options), options }))
    },

    /**
     * Delete a QR code. Its short URL stops working and is never reused. The deletion is final,
     * except with `bin=true`: the code can then be restored for 30 days. A code that waits is
     * deleted for good.
     */
    async delete(
      orgId: string,
      id: string,
      query: DeleteQrCodeQuery = {},
      options?: ChangeOptions,
    ): Promise<DeletedQrCode> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}`
      return readJson(await send({ method: 'DELETE', path, query, ...unlessChanged(options), options }))
    },

    /**
     * List the versions of a QR code, newest first. A change of name, content, rules, access, style
     * or status creates a version; changes of folder, tags and metadata do not. The newest 1000
     * versions are kept. Deleting the code deletes them.
     */
    async history(
      orgId: string,
      id: string,
      query: PageQuery = {},
      options?: CallOptions,
    ): Promise<QrCodeHistory> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}/history`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Roll a QR code back to a version of its history. Creates a new version with the name,
     * content, rules, access, style and status of the old one; its password stays as it is. Changes
     * nothing if the code is already the same. 404 if the version is unknown.
     */
    async rollBack(
      orgId: string,
      id: string,
      body: RollbackQrCode,
      options?: ChangeOptions,
    ): Promise<TypedQrCode> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}/rollback`
      return readRecord(await send({ method: 'POST', path, body, ...unlessChanged(options), options }))
    },

    /**
     * Simulate what a visitor of a QR code would get. Judges the rules and access of the code, or
     * those of the request, with the code that answers scans. Changes nothing, and records no scan.
     * With `ip`, the place is looked up as for a scan.
     */
    async simulateRules(
      orgId: string,
      id: string,
      body: SimulateRules,
      options?: CallOptions,
    ): Promise<SimulatedAnswer> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}/rules/simulate`
      return readJson(await send({ method: 'POST', path, body, idempotent: true, options }))
    },

    /**
     * Replay the scans of a QR code with other rules. Tells how the scans of a period would have
     * been divided by rules, beside how they were. Changes nothing. At most 90 days, 5,000,000
     * scans and 10 s; otherwise 400 with the longest period that fits. Scans that depend on
     * `query`, `networks` or `visit`, which are not stored, are `undecided`. Of the languages of a
     * visitor, the first is stored.
     */
    async replayRules(
      orgId: string,
      id: string,
      body: ReplayRules,
      options?: CallOptions,
    ): Promise<RulesReplay> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}/rules/replay`
      return readJson(await send({ method: 'POST', path, body, idempotent: true, options }))
    },

    /**
     * Read the analytics of a QR code over a period. By default the last 30 days including today,
     * by day, in UTC. With filters, every figure counts only the matching scans. With `format=csv`,
     * the columns are section, key, key2, scans, unique_scans, percentage.
     */
    async analytics(
      orgId: string,
      id: string,
      query: Omit<AnalyticsQuery, 'format'> = {},
      options?: CallOptions,
    ): Promise<QrCodeAnalytics> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}/analytics`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },
  }
  return calls
}
