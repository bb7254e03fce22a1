import type { CreatedApiKey } from '@everscan/client/create-client.ts'
import { scopesAllow } from '@everscan/contract/resources/api-keys.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { developersWords } from '../words/developers-words.ts'
import { networksText } from './networks-text.ts'

const text = developersWords
const placeholder = 'YOUR_API_KEY'

const intros = { create: text.tryItText, list: text.tryItRead, organization: text.tryItOrganization } as const
type Call = keyof typeof intros

/** Shows a command that works when it is pasted into a terminal, once it contains a key. */
export function FirstCall({ orgId, made }: { orgId: string; made?: CreatedApiKey }) {
  const call = made === undefined ? 'create' : callOf(made)
  const command = curlOf(orgId, { apiKey: made?.key ?? placeholder, call })
  return (
    <div className="min-w-0">
      <h2 className="font-semibold">{text.tryIt}</h2>
      <p className="mt-1 mb-3 text-soft">
        {made === undefined ? text.tryItNoKey : intros[call]}
        {made !== undefined && made.networks !== null && ` ${text.tryItFrom(networksText(made.networks))}`}
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

/** The most telling call that the key may make. */
function callOf({ role, scopes }: CreatedApiKey): Call {
  if (role !== 'VIEWER' && scopesAllow(scopes, 'codes:write')) return 'create'
  return scopesAllow(scopes, 'codes:read') ? 'list' : 'organization'
}

/** Returns a command for any Unix shell. No value in it contains a single quote. */
function curlOf(orgId: string, { apiKey, call }: { apiKey: string; call: Call }): string {
  const lines = [
    `curl '${location.origin}/api/v1/organizations/${orgId}${call === 'organization' ? '' : '/qr-codes'}'`,
    `-H 'X-API-Key: ${apiKey}'`,
    ...(call === 'create'
      ? [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify({ type: 'URL', name: 'My first code', data: { url: 'https://example.com/' } })}'`,
        ]
      : []),
  ]
  return lines.join(' \\\n  ')
}
