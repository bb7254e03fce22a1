import type { Copy } from '@everscan/client/create-client.ts'
import { formatAge, formatBytes, formatTime } from '../ui/format.ts'
import { sayProblems } from '../words/problems/say-problems.ts'
import { copiesWords } from '../words/settings-words.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'

const text = copiesWords
const tones: Readonly<Record<Copy['state'], BadgeTone>> = {
  MAKING: 'warning',
  CHECKED: 'plain',
  VERIFIED: 'good',
  PARTIAL: 'problem',
  FAILED: 'problem',
}

/** Shows a copy of the installation as a row. */
export function CopyRow({
  copy: { state, madeAt, bytes, path, machine, problem, problemDetails },
}: {
  copy: Copy
}) {
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <time dateTime={madeAt} title={formatTime(madeAt)} className="font-medium">
          {formatAge(madeAt)}
        </time>
        <Badge tone={tones[state]}>{text.states[state]}</Badge>
        {bytes !== null && <span className="text-sm text-soft">{formatBytes(bytes)}</span>}
      </p>
      <p className="text-sm break-all text-soft">
        {bytes === null ? text.onMachine(machine) : <bdi>{path}</bdi>}
      </p>
      {problem !== null && (
        <p className="mt-1 text-sm break-words text-danger">
          {sayProblems({ message: problem, details: problemDetails })}
        </p>
      )}
    </li>
  )
}
