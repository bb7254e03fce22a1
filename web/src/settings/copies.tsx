import type { Installation } from '@everscan/client/create-client.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { CopyRow } from './copy-row.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { SettingsHead } from './settings-head.tsx'
import { Card, Failure, Notice } from '../ui/surfaces.tsx'
import { formatAge, formatBytes, formatNumber, formatTime } from '../ui/format.ts'
import { MachinesCard } from './machines-card.tsx'
import { SentMailsCard } from './sent-mails-card.tsx'
import { daysText, noteText } from './installation-notes.ts'
import { installationQuery } from './installation.ts'
import { problemsToShow } from './problems-to-show.ts'
import { sayProblem } from '../words/problems/say-problem.ts'
import { sayProblems } from '../words/problems/say-problems.ts'
import { UpgradeCard } from './upgrade-card.tsx'
import { useOrganization } from '../session/session.ts'
import { commonWords } from '../words/common-words.ts'
import { copiesWords, settingsWords } from '../words/settings-words.ts'
import { LearnMore } from '../ui/learn-more.tsx'

const text = copiesWords
const route = getRouteApi('/$orgId/settings/copies')

type Copies = Installation['copies']

/** Shows whether there are reliable copies of the whole installation, and what happened to it. */
export function CopiesPage() {
  useTitle(text.title)
  const { orgId } = route.useParams()
  const { role } = useOrganization(orgId)
  return (
    <>
      <SettingsHead orgId={orgId} role={role} />
      {role === 'ADMIN' ? (
        <OfInstallation orgId={orgId} />
      ) : (
        <p className="text-soft">{settingsWords.onlyAdmins}</p>
      )}
    </>
  )
}

function OfInstallation({ orgId }: { orgId: string }) {
  const installation = useQuery(installationQuery(orgId))
  if (installation.isError)
    return <Failure error={installation.error} onRetry={() => void installation.refetch()} />
  if (installation.data === null) return <p className="text-soft">{text.onlyOperator}</p>
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-5">
      <p className="text-soft">
        {text.text} <LearnMore about="copies" />
      </p>
      {installation.data === undefined ? (
        <div
          role="status"
          aria-label={commonWords.loading}
          className="h-72 animate-pulse rounded-card border border-line bg-surface"
        />
      ) : (
        <>
          <WrongNow installation={installation.data} />
          <Lost lost={installation.data.lostScans} />
          <UpgradeCard installation={installation.data} />
          <State copies={installation.data.copies} />
          {installation.data.copies.recent.length > 0 && (
            <Card title={text.recent}>
              <ul className="divide-y divide-line">
                {installation.data.copies.recent.map((copy) => (
                  <CopyRow key={copy.id} copy={copy} />
                ))}
              </ul>
            </Card>
          )}
          <MachinesCard installation={installation.data} />
          <SentMailsCard orgId={orgId} />
          <Places geography={installation.data.geography} />
          <History installation={installation.data} />
        </>
      )}
    </div>
  )
}

/** Shows what is wrong with this machine, unless another card does. */
function WrongNow({ installation }: { installation: Installation }) {
  const shown = problemsToShow(installation)
  if (shown.length === 0) return null
  return (
    <Card title={text.wrongNow}>
      <Notice kind="problem">
        {shown.map(({ part, message, ...told }) => (
          <p key={part} className="break-words">
            {sayProblem({ ...told, message: `${part}: ${message}` })}
          </p>
        ))}
      </Notice>
    </Card>
  )
}

/** Shows scans that are lost until they return, or until the operator accepts the loss. */
function Lost({ lost }: { lost: Installation['lostScans'] }) {
  if (lost === null) return null
  return (
    <div>
      <Notice kind="problem">
        {text.lost(formatNumber(lost.hits), daysText(lost.firstDay, lost.lastDay))}
      </Notice>
      <p className="mt-2 text-sm text-soft">{text.lostWhatToDo}</p>
    </div>
  )
}

function State({ copies }: { copies: Copies }) {
  if (!copies.isScheduled) return <SetUp />
  const {
    problem,
    problemDetails,
    notice,
    noticeDetails,
    last,
    lastVerified,
    dir,
    everyHours,
    keep,
    isEncrypted,
  } = copies
  return (
    <Card title={text.state}>
      {problem !== null && (
        <div className="mb-5">
          <Notice kind="problem">
            <span className="break-words">{sayProblems({ message: problem, details: problemDetails })}</span>
          </Notice>
          <p className="mt-2 text-sm text-soft">{text.whatToDo(everyHours)}</p>
        </div>
      )}
      {problem === null && notice !== null && (
        <p role="status" className="mb-5 break-words">
          {sayProblems({ message: notice, details: noticeDetails })}
        </p>
      )}
      <dl className="grid grid-cols-1 gap-x-6 gap-y-1.5 sm:grid-cols-[auto_1fr]">
        <Entry name={text.last}>
          {last === null ? text.none : <Time iso={last.madeAt} />}
          {last !== null && (
            <span className="block text-sm text-soft">
              {text.holds(
                formatBytes(last.bytes ?? 0),
                formatNumber(last.codes ?? 0),
                formatNumber(last.scans ?? 0),
              )}
            </span>
          )}
        </Entry>
        <Entry name={text.lastVerified}>
          {lastVerified?.verifiedAt == null ? text.never : <Time iso={lastVerified.verifiedAt} />}
          <span className="block text-sm text-soft">{text.verifiedMeans}</span>
        </Entry>
        <Entry name={text.schedule}>{text.scheduleText(everyHours, keep)}</Entry>
        <Entry name={text.dir}>
          <code className="font-mono text-sm break-all">{dir}</code>
        </Entry>
        <Entry name={text.encryption}>{isEncrypted ? text.encrypted : text.notEncrypted}</Entry>
      </dl>
    </Card>
  )
}

function SetUp() {
  return (
    <Card title={text.setUp}>
      <p className="text-soft">{text.setUpText}</p>
      <div className="mt-3 flex items-start gap-2">
        <pre
          dir="ltr"
          className="min-w-0 flex-1 rounded-control bg-raised px-3 py-2 font-mono text-sm break-all whitespace-pre-wrap select-all"
        >
          {text.settings}
        </pre>
        <CopyButton text={text.settings} label={text.copySettings} />
      </div>
      <p className="mt-3 text-soft">{text.setUpMore}</p>
    </Card>
  )
}

/** Shows how old the data is that turns networks into places. */
function Places({ geography: { ipv4BuiltAt, ipv6BuiltAt } }: { geography: Installation['geography'] }) {
  return (
    <Card title={text.places}>
      <p className="text-soft">
        {text.placesText} <LearnMore about="places" />
      </p>
      <dl className="mt-3 grid grid-cols-1 gap-x-6 gap-y-1.5 sm:grid-cols-[auto_1fr]">
        <Entry name={text.placesIpv4}>
          {ipv4BuiltAt === null ? text.placesUnreadable : <Time iso={ipv4BuiltAt} />}
        </Entry>
        <Entry name={text.placesIpv6}>
          {ipv6BuiltAt === null ? text.placesUnreadable : <Time iso={ipv6BuiltAt} />}
        </Entry>
      </dl>
    </Card>
  )
}

function History({ installation: { notes, reservedCodes, release } }: { installation: Installation }) {
  return (
    <Card title={text.history}>
      {notes.length === 0 && <p className="text-soft">{text.noNotes}</p>}
      {notes.length > 0 && (
        <ol className="grid gap-3">
          {notes.map((note) => (
            <li key={`${note.at} ${note.kind}`}>
              <p>{noteText(note)}</p>
              <p className="text-sm text-soft">
                <Time iso={note.at} />
              </p>
            </li>
          ))}
        </ol>
      )}
      {reservedCodes > 0 && (
        <p className="mt-4">{text.reserved(reservedCodes, formatNumber(reservedCodes))}</p>
      )}
      <p className="mt-4 text-sm text-soft">{text.release(release)}</p>
    </Card>
  )
}

function Entry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 max-sm:mb-2">{children}</dd>
    </div>
  )
}

function Time({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={formatTime(iso)}>
      {formatAge(iso)}
    </time>
  )
}
