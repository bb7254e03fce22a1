import type { Config } from '../config.ts'

type Made = { organizationId: string; email: string; password: string; apiKey: string }

/** What a person reads after the start: where to go, and on the first start what was made and a command to try. */
export function welcome(config: Pick<Config, 'publicUrl'>, made: Made | undefined): string {
  const { publicUrl } = config
  const lines = ['', 'Everscan is starting.', '', `  Dashboard    ${publicUrl}/app`]
  if (made === undefined) return [...lines, '', ''].join('\n')
  lines.push(
    `  Account      ${made.email}`,
    `  Password     ${made.password}`,
    `  API key      ${made.apiKey}`,
    '',
    'Password and key are shown this once: keep them. Create your first code:',
    '',
    `  curl -X POST ${publicUrl}/api/v1/organizations/${made.organizationId}/qr-codes \\`,
    `    -H 'X-API-Key: ${made.apiKey}' -H 'Content-Type: application/json' \\`,
    `    -d '{"type":"URL","name":"My first code","data":{"url":"https://example.com/"}}'`,
    '',
    'Its picture is at the "imageUrl" of the answer (same key), its short URL at "shortUrl".',
  )
  if (new URL(publicUrl).hostname === 'localhost')
    lines.push(
      'Phones cannot open localhost: before you print a code, set PUBLIC_URL to an address that they reach and that you keep.',
    )
  return [...lines, '', ''].join('\n')
}
