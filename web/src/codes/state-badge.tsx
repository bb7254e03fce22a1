import type { TypedQrCode } from '@everscan/client/create-client.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import { accessWords } from '../words/access-words.ts'

const tones = {
  LIVE: 'good',
  SCHEDULED: 'warning',
  ENDED: 'warning',
  FULL: 'problem',
  ARCHIVED: 'warning',
} as const satisfies Record<TypedQrCode['state'], BadgeTone>

/** Shows whether visitors get the content of a code now. */
export function StateBadge({ code: { state } }: { code: Pick<TypedQrCode, 'state'> }) {
  return <Badge tone={tones[state]}>{accessWords.states[state]}</Badge>
}
