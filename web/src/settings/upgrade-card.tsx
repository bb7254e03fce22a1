import type { Installation } from '@everscan/client/create-client.ts'
import { formatAge, formatNumber, formatTime } from '../ui/format.ts'
import { Card, Notice } from '../ui/surfaces.tsx'
import { machinesWords } from '../words/settings-words.ts'

const text = machinesWords.upgrade

/** Shows how far the upgrade of the scan store is, while old rows are left. */
export function UpgradeCard({ installation: { upgrade } }: { installation: Installation }) {
  if (upgrade === null) return null
  const { rows, rowsDone, endsAt, problem } = upgrade
  return (
    <Card title={text.title}>
      <p className="text-soft">{text.text}</p>
      <progress
        className="mt-4 h-2.5 w-full accent-brand"
        aria-label={text.title}
        max={rows}
        value={rowsDone}
      />
      <p className="mt-1 text-sm">
        {text.done(formatNumber(rowsDone), formatNumber(rows))}
        {endsAt !== null && (
          <>
            {' · '}
            <time dateTime={endsAt} title={formatTime(endsAt)}>
              {text.endsAt(formatAge(endsAt))}
            </time>
          </>
        )}
      </p>
      {problem !== null && (
        <div className="mt-4">
          <Notice kind="problem">
            <p>{text.problem}</p>
            <p className="break-words">{problem}</p>
          </Notice>
        </div>
      )}
    </Card>
  )
}
