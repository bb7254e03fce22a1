import type { Installation } from '@everscan/client/create-client.ts'
import { formatAge, formatBytes, formatTime } from '../ui/format.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import { LearnMore } from '../ui/learn-more.tsx'
import { Card, Notice } from '../ui/surfaces.tsx'
import { machinesWords } from '../words/settings-words.ts'
import { sayProblem } from '../words/problems/say-problem.ts'
import { sayProblems } from '../words/problems/say-problems.ts'

const text = machinesWords

type Machine = Installation['machines'][number]

const tones: Readonly<Record<Machine['state'], BadgeTone>> = {
  LIVE: 'good',
  SILENT: 'problem',
  STOPPED: 'plain',
}

/**
 * Shows the machines of the installation, and settings that differ between them. A single machine
 * has nothing to compare.
 */
export function MachinesCard({ installation }: { installation: Installation }) {
  const { machines, differences, differenceDetails } = installation
  if (machines.length < 2) return null
  return (
    <Card title={text.title}>
      <p className="text-soft">
        {text.text} <LearnMore about="machines" />
      </p>
      {differences.length > 0 && (
        <div className="mt-4">
          <Notice kind="problem">
            {differences.map((message, at) => (
              <p key={message} className="break-words">
                {sayProblem({ ...differenceDetails[at], message })}
              </p>
            ))}
          </Notice>
        </div>
      )}
      <ul className="mt-4 divide-y divide-line">
        {machines.map((machine) => (
          <MachineRow key={machine.name} machine={machine} />
        ))}
      </ul>
    </Card>
  )
}

function MachineRow({ machine }: { machine: Machine }) {
  const { name, state, release, seenAt, startedAt, waitingBytes, problem, problemDetails } = machine
  const since = state === 'LIVE' ? startedAt : seenAt
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <bdi className="min-w-0 font-medium break-all">{name}</bdi>
        <Badge tone={tones[state]}>{text.states[state]}</Badge>
      </p>
      <p className="text-sm text-soft">
        {text.since[state]}{' '}
        <time dateTime={since} title={formatTime(since)}>
          {formatAge(since)}
        </time>
        {' · '}
        {text.release(release)}
        {' · '}
        {waitingText(waitingBytes)}
      </p>
      {state === 'SILENT' && <p className="mt-1 text-sm text-danger">{text.silent}</p>}
      {problem !== null && (
        <p className="mt-1 text-sm break-words text-danger">
          {sayProblems({ message: problem, details: problemDetails })}
        </p>
      )}
    </li>
  )
}

function waitingText(bytes: number | null): string {
  if (bytes === null) return text.waitingUnknown
  return bytes === 0 ? text.waitingNone : text.waiting(formatBytes(bytes))
}
