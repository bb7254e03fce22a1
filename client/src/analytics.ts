import type {
  AnalyticsExportQuery,
  AnalyticsQuery,
  OrganizationAnalytics,
} from '@everscan/contract/resources/analytics.ts'
import { streamedFile, type StreamedFile } from './streamed-files.ts'
import { pathOf, readJson, type CallOptions, type Send, type SendStreamed } from './send.ts'

/** Figures of an organization's scans, and the scans of a code as a file. */
export type Analytics = ReturnType<typeof analyticsCalls>

export function analyticsCalls(send: Send, sendStreamed: SendStreamed) {
  return {
    /** The figures of all codes of an organization over a period, and the ten codes with most scans. `qrCodes.analytics` has those of one code. */
    async ofOrganization(
      orgId: string,
      query: AnalyticsQuery = {},
      options?: CallOptions,
    ): Promise<OrganizationAnalytics> {
      const path = pathOf`/organizations/${orgId}/qr-codes/analytics`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * The scans of a code over a period as CSV, oldest first, as a stream: however many there are, they take no memory. `timeoutMs` is
     * for each piece. The body rejects when it breaks off; what came until then is not the whole file.
     *
     * @example
     * const { body, fileName } = await everscan.analytics.export(orgId, id, { startDate: '2026-03-01' })
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
