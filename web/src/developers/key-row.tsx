import type { ApiKey } from '@everscan/client/create-client.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { formatDay, formatTime, formatWhen } from '../ui/format.ts'
import { developersWords } from '../words/developers-words.ts'
import { membersWords } from '../words/settings-words.ts'
import { networksText } from './networks-text.ts'
import { commonWords } from '../words/common-words.ts'

const text = developersWords

/** Shows a key in the list: its limits, its use and its creator. */
export function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { name, prefix, role, createdAt, madeBy, lastUsedAt, expiresAt, revokedAt } = apiKey
  const isOver = expiresAt !== null && new Date(expiresAt).getTime() <= Date.now()
  return (
    <li className="flex min-h-17 items-center gap-3 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className={`truncate font-medium ${revokedAt === null ? '' : 'text-soft'}`}>{name}</span>
          <Badge>{membersWords.roles[role]}</Badge>
          {revokedAt !== null && <Badge tone="problem">{text.revoked}</Badge>}
          {revokedAt === null && isOver && <Badge tone="problem">{text.expired}</Badge>}
        </p>
        <Bounds apiKey={apiKey} />
        <p className="text-sm text-soft">
          <bdi className="font-mono">{prefix}…</bdi>
          {' · '}
          {lastUsedAt === null ? (
            text.neverUsed
          ) : (
            <time dateTime={lastUsedAt} title={formatTime(lastUsedAt)}>
              {text.lastUsed(formatWhen(lastUsedAt))}
            </time>
          )}
          {' · '}
          <time dateTime={createdAt} title={formatTime(createdAt)}>
            {text.made(formatWhen(createdAt))}
          </time>
          {expiresAt !== null && revokedAt === null && !isOver && (
            <>
              {' · '}
              <time dateTime={expiresAt} title={formatTime(expiresAt)}>
                {endOf(expiresAt)}
              </time>
            </>
          )}
        </p>
        <p className="truncate text-sm text-soft">{text.madeBy[madeBy.kind](madeBy.name)}</p>
      </div>
      {revokedAt === null && (
        <Button onClick={onRevoke} aria-label={`${text.revoke}${commonWords.colon} ${name}`}>
          {text.revoke}
        </Button>
      )}
    </li>
  )
}

/** Scopes and networks, if the key has any. */
function Bounds({ apiKey: { scopes, networks } }: { apiKey: ApiKey }) {
  if (scopes === null && networks === null) return null
  return (
    <p className="text-sm break-words">
      {scopes !== null && (
        <span className="max-sm:block">
          {text.may(scopes.map((scope) => text.scopes[scope].inList).join(', '))}
        </span>
      )}
      {scopes !== null && networks !== null && <span className="max-sm:hidden">{' · '}</span>}
      {networks !== null && (
        <span className="max-sm:block" title={networks.join('\n')}>
          {text.from(networksText(networks))}
        </span>
      )}
    </p>
  )
}

/** An expiry that was given as a date is the first moment of the next day in UTC. */
function endOf(expiresAt: string): string {
  if (!expiresAt.endsWith('T00:00:00.000Z')) return text.ends(formatWhen(expiresAt))
  return text.endsAfter(formatDay(new Date(Date.parse(expiresAt) - 1).toISOString().slice(0, 10)))
}
