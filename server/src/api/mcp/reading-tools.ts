import { problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { downloadFormats } from '@everscan/contract/resources/downloads.ts'
import { oneOf, strictObject } from '@everscan/contract/schema/common.ts'
import { Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import { analytics } from '@everscan/contract/endpoints/analytics/analytics.ts'
import { folders } from '@everscan/contract/endpoints/codes/folders.ts'
import { qrCodes } from '@everscan/contract/endpoints/codes/qr-codes.ts'
import { tags } from '@everscan/contract/endpoints/codes/tags.ts'
import type { Endpoint } from '@everscan/contract/endpoints/endpoint.ts'
import { imports } from '@everscan/contract/endpoints/imports/imports.ts'
import { downloads } from '@everscan/contract/endpoints/pictures/downloads.ts'
import { styles } from '@everscan/contract/endpoints/styles/saved-styles.ts'
import type { Input, Tool, ToolCall, ToolResult } from './tool.ts'
import { fieldsOf, outputSchema, partsOf, pick } from './tool-schemas.ts'

/** A tool that sends one request and returns its record or page. */
function reading(endpoint: Endpoint, names: Pick<Tool, 'name' | 'title' | 'description'>): Tool {
  // A tool returns JSON, whatever else the endpoint has.
  const { format: _, ...fields } = fieldsOf(endpoint)
  return {
    ...names,
    endpoint,
    input: strictObject(fields),
    ...(endpoint.response !== undefined && { output: outputSchema(endpoint.response) }),
    run: async ({ send }, input) => ({ data: (await send(endpoint, partsOf(endpoint, input))).json() }),
  }
}

const pictureFormats = ['png', 'svg'] as const
const pictureSizeDefault = 512
const pictureSizeMax = 1_024

async function downloadPicture({ send }: ToolCall, input: Input): Promise<ToolResult> {
  const { format = 'png', size = pictureSizeDefault, ...others } = input
  const { body } = await send(downloads.download, partsOf(downloads.download, { ...others, format, size }))
  if (body.length > limits.mcpPictureBytesMax)
    throw new ApiError(
      413,
      'PAYLOAD_TOO_LARGE',
      problem('pictureTooLarge', { bytes: body.length, max: limits.mcpPictureBytesMax }),
    )
  if (format === 'svg') return { content: [{ type: 'text', text: body.toString() }] }
  return { content: [{ type: 'image', data: body.toString('base64'), mimeType: downloadFormats.png }] }
}

export const readingTools: readonly Tool[] = [
  reading(qrCodes.list, {
    name: 'find_qr_codes',
    title: 'Find QR codes',
    description: 'Finds QR codes by name, type, folder, tags and status. Returns a page of records.',
  }),
  reading(qrCodes.read, {
    name: 'get_qr_code',
    title: 'Read a QR code',
    description: 'Returns the record of a QR code: content, style, short URL, folder, tags, scans so far.',
  }),
  reading(folders.list, {
    name: 'list_folders',
    title: 'List folders',
    description: 'Lists the folders of QR codes, newest first.',
  }),
  reading(tags.list, {
    name: 'list_tags',
    title: 'List tags',
    description: 'Lists the tags of QR codes, most used first.',
  }),
  reading(styles.list, {
    name: 'list_styles',
    title: 'List styles',
    description: 'Lists the saved styles (colors, shapes, logo, frame), newest first.',
  }),
  {
    name: 'download_qr_code',
    title: 'Download the picture of a QR code',
    description: 'Returns the picture of a QR code: PNG as an image, or SVG as text.',
    endpoint: downloads.download,
    input: strictObject({
      ...pick(fieldsOf(downloads.download), ['id', 'margin', 'errorCorrection', 'content']),
      format: Type.Optional(oneOf(pictureFormats, { description: 'Picture format.', default: 'png' })),
      size: Type.Optional(
        Type.Integer({
          description: 'Width in pixels.',
          minimum: 64,
          maximum: pictureSizeMax,
          default: pictureSizeDefault,
        }),
      ),
    }),
    run: downloadPicture,
  },
  reading(analytics.ofQrCode, {
    name: 'get_qr_code_analytics',
    title: 'Analytics of a QR code',
    description:
      'Returns the scans of one QR code over a period: totals, timeline, countries, cities, devices, referrers, languages, hours, and the rules that answered.',
  }),
  reading(analytics.ofOrganization, {
    name: 'get_organization_analytics',
    title: 'Analytics of all QR codes',
    description:
      'Returns the scans of all QR codes, or of those of a folder, tag, type or list, over a period, and the codes with the most scans.',
  }),
  reading(imports.read, {
    name: 'get_import',
    title: 'State of an import',
    description: 'Returns the progress of an import, and the rows that failed, with the reasons.',
  }),
]
