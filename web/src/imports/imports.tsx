import type { ImportJobSummary } from '@everscan/client/create-client.ts'
import { qrCodeTypes } from '@everscan/contract/code-types/code-types.ts'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { Button, buttonClass } from '../ui/button.tsx'
import { ImportProgress } from './import-progress.tsx'
import { ImportWizard } from './import-wizard.tsx'
import { JobLine, lineClass, PastJobs } from './past-jobs.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { Card } from '../ui/surfaces.tsx'
import { api } from '../session/api.ts'
import { formatNumber } from '../ui/format.ts'
import { showProblem } from '../ui/problems.ts'
import { useMay } from '../session/roles.ts'
import { saveCsv } from '../ui/save-file.ts'
import { commonWords } from '../words/common-words.ts'
import { importsWords } from '../words/imports-words.ts'
import { movesWords } from '../words/moves-words.ts'
import { LearnMore } from '../ui/learn-more.tsx'

const text = importsWords
const route = getRouteApi('/$orgId/imports')

/** Shows the imports of an organization. The URL names the one that is open. */
export function ImportsPage() {
  useTitle(text.title)
  const { orgId } = route.useParams()
  const { job, folder, page = 1 } = route.useSearch()
  const navigate = useNavigate({ from: '/$orgId/imports' })
  const mayEdit = useMay(orgId, 'EDITOR')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div>
        <h1 className="text-2xl font-semibold">{text.title}</h1>
        <p className="mt-1 text-soft">{text.text}</p>
      </div>
      {job !== undefined ? (
        <Card>
          <ImportProgress key={job} orgId={orgId} id={job} folder={folder} mayEdit={mayEdit} />
        </Card>
      ) : mayEdit ? (
        <Card>
          <ImportWizard
            key={orgId}
            orgId={orgId}
            onStarted={({ id }, into) => void navigate({ search: { job: id, folder: into } })}
          />
        </Card>
      ) : (
        <p className="text-soft">{text.viewer}</p>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <PastJobs
          words={text}
          queryKey={['imports', orgId]}
          read={async (query, options) => api.imports.list(orgId, query, options)}
          line={(one) => <HistoryLine orgId={orgId} job={one} page={page} />}
          page={page}
          onGo={(next) => void navigate({ search: { job, folder, page: next === 1 ? undefined : next } })}
        />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <MoveOffer orgId={orgId} />
          <Templates orgId={orgId} />
        </div>
      </div>
    </div>
  )
}

/** Leads to the move of links that already have short codes elsewhere. */
function MoveOffer({ orgId }: { orgId: string }) {
  return (
    <Card title={movesWords.offer.title}>
      <p className="mb-3 text-sm text-soft">{movesWords.offer.text}</p>
      <Link to="/$orgId/imports/move" params={{ orgId }} className={buttonClass()}>
        {movesWords.offer.action}
      </Link>
    </Card>
  )
}

function HistoryLine({ orgId, job, page }: { orgId: string; job: ImportJobSummary; page: number }) {
  const { id, type, status, dryRun, repairOf, successCount, errorCount } = job
  const failed = text.rows(errorCount, formatNumber(errorCount))
  const facts = [
    commonWords.types[type],
    dryRun && text.checked,
    (!dryRun || status !== 'COMPLETED') && text.statuses[status],
    repairOf !== null && text.repairOf,
    // A check makes no codes, and skips no rows.
    dryRun
      ? text.job.validRows(text.rows(successCount, formatNumber(successCount)))
      : text.codes(successCount, formatNumber(successCount)),
    errorCount > 0 && (dryRun ? text.job.faulty(failed) : text.job.rejected(failed)),
  ]
  return (
    <Link
      to="/$orgId/imports"
      params={{ orgId }}
      search={{ job: id, page: page === 1 ? undefined : page }}
      className={lineClass}
    >
      <JobLine job={job} facts={facts} isQuiet={dryRun} />
    </Link>
  )
}

function Templates({ orgId }: { orgId: string }) {
  const save = (type: (typeof qrCodeTypes)[number]) => {
    api.imports
      .sample(orgId, type)
      .then((csv) => saveCsv(csv, `${type.toLowerCase()}-import.csv`))
      .catch(showProblem)
  }
  return (
    <Card title={text.templates}>
      <p className="mb-3 text-sm text-soft">
        {text.templatesText} <LearnMore about="importColumns" />
      </p>
      <ul className="grid grid-cols-2 gap-2">
        {qrCodeTypes.map((type) => (
          <li key={type}>
            <Button
              aria-label={text.template(commonWords.types[type])}
              onClick={() => save(type)}
              className="w-full justify-start!"
            >
              <Download size={16} aria-hidden className="shrink-0 text-soft" />
              <span className="min-w-0 text-start leading-tight">{commonWords.types[type]}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
