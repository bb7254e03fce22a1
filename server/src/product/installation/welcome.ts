import type { Config } from '../../settings/settings.ts'

/** A code that phones on this network can scan. */
export type Example = { url: string; drawing: string }

type Made = { organizationId: string; email: string; password: string; apiKey: string }

/**
 * Returns the text that a start prints: the address of the dashboard and, on the first start, the
 * new credentials, a code to scan and a command to try. A password or key that the operator chose
 * is not repeated, because logs are stored and read by more people. A log gets no picture.
 */
export function welcome(
  config: Pick<Config, 'publicUrl' | 'bootstrapPassword' | 'bootstrapApiKey'>,
  made: Made | undefined,
  { example, isTerminal = false }: { example?: Example | undefined; isTerminal?: boolean } = {},
): string {
  const { publicUrl, bootstrapPassword, bootstrapApiKey } = config
  const lines = ['', 'Everscan is starting.', '', `  Dashboard    ${publicUrl}/app`]
  if (made === undefined) return [...lines, '', ''].join('\n')
  lines.push(
    `  Account      ${made.email}`,
    `  Password     ${bootstrapPassword === undefined ? made.password : 'as you set it in BOOTSTRAP_PASSWORD'}`,
    `  API key      ${bootstrapApiKey === undefined ? made.apiKey : 'as you set it in BOOTSTRAP_API_KEY'}`,
    '',
    ...shownOnce(config),
    ...scanIt(example, isTerminal),
    'Create a code:',
    '',
    `  curl -X POST ${publicUrl}/api/v1/organizations/${made.organizationId}/qr-codes \\`,
    `    -H ${bootstrapApiKey === undefined ? `'X-API-Key: ${made.apiKey}'` : '"X-API-Key: $BOOTSTRAP_API_KEY"'} -H 'Content-Type: application/json' \\`,
    `    -d '{"type":"URL","name":"My first code","data":{"url":"https://example.com/"}}'`,
    '',
    'The answer has the address of its picture in "imageUrl" (use the same key), and its short URL in "shortUrl".',
  )
  if (new URL(publicUrl).hostname === 'localhost')
    lines.push(
      'Phones cannot open localhost: before you print a code, set PUBLIC_URL to an address that phones reach and that you will keep.',
    )
  return [...lines, '', ''].join('\n')
}

function scanIt(example: Example | undefined, isTerminal: boolean): string[] {
  if (example === undefined) return []
  if (!isTerminal) return [`Open ${example.url} on a phone in this network: that is the first scan.`, '']
  return [
    'Scan this with a phone in the same network. The dashboard shows the scan.',
    '',
    example.drawing,
    `  ${example.url}`,
    '',
  ]
}

function shownOnce({
  bootstrapPassword,
  bootstrapApiKey,
}: Pick<Config, 'bootstrapPassword' | 'bootstrapApiKey'>): string[] {
  const made = [
    ...(bootstrapPassword === undefined ? ['password'] : []),
    ...(bootstrapApiKey === undefined ? ['key'] : []),
  ].join(' and ')
  if (made === '') return []
  const isOne = bootstrapPassword !== undefined || bootstrapApiKey !== undefined
  return [
    `The ${made} ${isOne ? 'is shown only this once: store it' : 'are shown only this once: store them'} now.`,
    '',
  ]
}
