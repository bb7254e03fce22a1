import { Type } from 'typebox'

/**
 * Content whose shape depends on the type of the code. `qrCodeDataSchemas` and `qrCodeDataProblems`
 * validate it.
 */
export const OpenData = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Content; its shape depends on the type (schemas UrlData, VcardData, WifiData and so on).',
  examples: [{ url: 'https://example.com/spring' }],
})
