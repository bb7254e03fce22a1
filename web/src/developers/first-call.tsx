import type { Role } from '@everscan/contract/schema/common.ts'
import { words } from '../words/words.ts'
import { CopyButton } from '../ui/copy-button.tsx'

const text = words.developers
const placeholder = 'YOUR_API_KEY'

/** Shows a command that works when it is pasted into a terminal, once it contains a key. */
export function FirstCall({ orgId, apiKey, role }: { orgId: string; apiKey?: string; role: Role }) {
  const command = curlOf(orgId, { apiKey: apiKey ?? placeholder, role })
  return (
    <div className="min-w-0">
      <h2 className="font-semibold">{text.tryIt}</h2>
      <p className="mt-1 mb-3 text-soft">
        {apiKey === undefined ? text.tryItNoKey : role === 'VIEWER' ? text.tryItRead : text.tryItText}
      </p>
      {/* Focusable, so that the keyboard can scroll it. */}
      <pre
        tabIndex={0}
        aria-label={text.tryIt}
        dir="ltr"
        className="overflow-x-auto rounded-control bg-raised p-4 font-mono text-sm"
      >
        <code>{command}</code>
      </pre>
      <div className="mt-3">
        <CopyButton text={command} label={text.copyCurl} look="plain" withLabel />
      </div>
    </div>
  )
}

/** Returns a command for any Unix shell. No value in it contains a single quote. */
function curlOf(orgId: string, { apiKey, role }: { apiKey: string; role: Role }): string {
  const lines = [
    `curl '${location.origin}/api/v1/organizations/${orgId}/qr-codes'`,
    `-H 'X-API-Key: ${apiKey}'`,
    ...(role === 'VIEWER'
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify({ type: 'URL', name: 'My first code', data: { url: 'https://example.com/' } })}'`,
        ]),
  ]
  return lines.join(' \\\n  ')
}
