import type { CodeFiguresPage, CodeFiguresQuery } from '@everscan/contract/resources/analytics-codes.ts'
import type {
  AnalyticsExportQuery,
  OrganizationAnalytics,
  OrganizationAnalyticsQuery,
  OrganizationExportQuery,
} from '@everscan/contract/resources/analytics.ts'
import { streamedFile, type StreamedFile } from './streamed-files.ts'
import { pathOf, readJson, type CallOptions, type Send, type SendStreamed } from './send.ts'

/** Analytics of an organization's scans, and the scans of a code as a file. */
export type Analytics = ReturnType<typeof analyticsCalls>

export function analyticsCalls(send: Send, sendStreamed: SendStreamed) {
  return {
    /**
     * Returns the analytics of all codes of an organization over a period, and the ten codes with
     * the most scans. `folderId`, `tag`, `type` and `ids` select codes. For one code use
     * `qrCodes.analytics`.
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
     * Returns a page of codes with their scans over a period and the change from the period before,
     * most scans first. Codes without scans are listed, too.
     */
    async codes(
      orgId: string,
      query: CodeFiguresQuery = {},
      options?: CallOptions,
    ): Promise<CodeFiguresPage> {
      const path = pathOf`/organizations/${orgId}/qr-codes/analytics/codes`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Streams the scans of all codes of an organization, or of selected ones, over a period as CSV,
     * code by code, like `export`.
     */
    async exportOrganization(
      orgId: string,
      query: OrganizationExportQuery = {},
      options?: CallOptions,
    ): Promise<StreamedFile> {
      const path = pathOf`/organizations/${orgId}/qr-codes/analytics/export`
      const answer = await sendStreamed({ method: 'GET', path, query, idempotent: true, options })
      return streamedFile(answer, { contentType: 'text/csv', fileName: 'scans.csv' })
    },

    /**
     * Streams the scans of a code over a period as CSV, oldest first, so that any number of scans
     * needs no memory. `timeoutMs` applies to each piece. If the stream breaks off, the body
     * rejects and the data so far is incomplete.
     *
     * @example
     * const period = { startDate: '2026-03-01' }
     * const { body, fileName } = await everscan.analytics.export(orgId, id, period)
     * await writeFile(fileName, body)
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
  }
}
