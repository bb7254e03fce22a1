// `npm run generate` writes this file from the table of endpoints.
import type {
  AnalyticsExportQuery,
  OrganizationAnalytics,
  OrganizationAnalyticsQuery,
  OrganizationExportQuery,
} from '@everscan/contract/resources/analytics.ts'
import type { CodeFiguresPage, CodeFiguresQuery } from '@everscan/contract/resources/analytics-codes.ts'
import type { Service } from '../calling.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'
import { streamedFile, type StreamedFile } from '../streamed-files.ts'

export function analyticsOf({ send, sendStreamed }: Service) {
  const calls = {
    /**
     * Read the analytics of all QR codes of the organization, or of some, over a period. By default
     * the last 30 days including today, by day, in UTC. With filters, every figure counts only the
     * matching scans. With `format=csv`, the columns are section, key, key2, scans, unique_scans,
     * percentage. `folderId`, `tag`, `type` and `ids` together select codes; scans of deleted codes
     * count only without them. `topQrCodes` omits deleted codes.
     */
    async ofOrganization(
      orgId: string,
      query: Omit<OrganizationAnalyticsQuery, 'format'> = {},
      options?: CallOptions,
    ): Promise<OrganizationAnalytics> {
      const path = pathOf`/organizations/${orgId}/qr-codes/analytics`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Export the scans of all QR codes of the organization, or of some, over a period as CSV. The
     * columns are qr_code_id, short_code, name, timestamp, country, city, device_type, os, browser,
     * is_unique. One scan per line, code by code, those of a code oldest first. `folderId`, `tag`,
     * `type` and `ids` together select codes; scans of deleted codes count only without them. The
     * name of a deleted code is empty. The rows are exactly the scans that the analytics of the
     * same parameters count. By default the last 30 days including today. A cell that a spreadsheet
     * would run as a formula starts with an apostrophe. Streamed: a response that breaks off is
     * incomplete.
     */
    async exportOrganization(
      orgId: string,
      query: OrganizationExportQuery = {},
      options?: CallOptions,
    ): Promise<StreamedFile> {
      const path = pathOf`/organizations/${orgId}/qr-codes/analytics/export`
      const answer = await sendStreamed({ method: 'GET', path, query, idempotent: true, options })
      return streamedFile(answer, { contentType: 'text/csv', fileName: `${orgId}.csv` })
    },

    /**
     * Export the scans of a QR code over a period as CSV, one per line, oldest first. The columns
     * are timestamp, country, city, device_type, os, browser, is_unique. The rows are exactly the
     * scans that the analytics of the same parameters count. By default the last 30 days including
     * today. A cell that a spreadsheet would run as a formula starts with an apostrophe. Streamed:
     * a response that breaks off is incomplete.
     */
    async export(
      orgId: string,
      id: string,
      query: AnalyticsExportQuery = {},
      options?: CallOptions,
    ): Promise<StreamedFile> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}/analytics/export`
      const answer = await sendStreamed({ method: 'GET', path, query, idempotent: true, options })
      return streamedFile(answer, { contentType: 'text/csv', fileName: `${id}.csv` })
    },

    /**
     * List the QR codes of the organization, or some, with their scans over a period. Codes without
     * scans are listed, too, deleted ones never. By default the last 30 days including today, most
     * scans first. `folderId`, `tag`, `type` and `ids` together select codes; scans of deleted
     * codes count only without them. Percentages are of all these scans.
     */
    async codes(
      orgId: string,
      query: CodeFiguresQuery = {},
      options?: CallOptions,
    ): Promise<CodeFiguresPage> {
      const path = pathOf`/organizations/${orgId}/qr-codes/analytics/codes`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },
  }
  return calls
}
