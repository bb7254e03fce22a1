import type { ImportJob, ImportRepairs } from '@everscan/client/create-client.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { useState } from 'react'
import { formatNumber } from '../ui/format.ts'
import type { ChosenFile } from './choose-file.tsx'
import { guessType } from './column-choices.ts'
import { problemText } from '../ui/problems.ts'
import { importsWords } from '../words/imports-words.ts'
import { sayProblem } from '../words/problems/say-problem.ts'
import { Button } from '../ui/button.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportOptions } from './import-options.tsx'
import { ImportProblems } from './import-problems.tsx'
import { Notice } from '../ui/surfaces.tsx'
import { changedRows } from './repairs.ts'
import { useImportCheck, useImportColumns, useImportStart } from './use-checked-import.ts'

const text = importsWords

type Props = {
  orgId: string
  chosen: ChosenFile
  type: QrCodeType
  onType: (type: QrCodeType) => void
  onStarted: (job: ImportJob, folder: string | undefined) => void
}

/**
 * Shows what a file becomes: its columns, the rows that a check of all rows found faulty, and the
 * import. Rows are repaired here, and checked again before any code is created.
 */
export function CheckedFile({ orgId, chosen, type, onType, onStarted }: Props) {
  const { file, read, number } = chosen
  const [styleId, setStyleId] = useState('')
  const [folderId, setFolderId] = useState('')
  const mapped = useImportColumns(orgId, { type, names: read.header })
  const { columns, fits } = mapped
  const settings = { type, file, fileName: file.name, columns, ...(styleId !== '' && { styleId }) }
  const checking = useImportCheck(orgId, { number, settings, fits })
  const { repairs, checked, check, recheck } = checking
  const start = useImportStart(orgId, { settings, folderId, checking, onStarted })
  const problem = start.error ?? check.error
  const chooseType = (next: QrCodeType) => {
    checking.dropRepairs()
    onType(next)
  }
  return (
    <>
      <ImportOptions
        orgId={orgId}
        type={type}
        guessed={guessType(orgId, read.header)}
        onType={chooseType}
        styleId={styleId}
        onStyle={setStyleId}
        folderId={folderId}
        onFolder={setFolderId}
      />
      <ImportColumns
        type={type}
        header={mapped.header}
        rows={read.rows}
        onChoose={mapped.choose}
        onIgnoreUnknown={mapped.ignoreUnknown}
      />
      {problem !== null && <Notice kind="problem">{problemText(problem)}</Notice>}
      {fits && check.isFetching && (
        <p role="status" className="flex min-h-10 items-center text-soft">
          {text.checking}
        </p>
      )}
      {fits && check.data !== undefined && (
        <Result
          orgId={orgId}
          job={check.data}
          repairs={repairs}
          checked={checked}
          onRepairs={checking.setRepairs}
          isStarting={start.isPending}
          isChecking={recheck.isPending && !start.isPending}
          onCheck={() => recheck.mutate()}
          onStart={() => start.mutate()}
        />
      )}
    </>
  )
}

type ResultProps = {
  orgId: string
  job: ImportJob
  repairs: ImportRepairs
  checked: ImportRepairs
  onRepairs: (repairs: ImportRepairs) => void
  isStarting: boolean
  isChecking: boolean
  onCheck: () => void
  onStart: () => void
}

function Result(props: ResultProps) {
  const { orgId, job, repairs, checked, onRepairs, isStarting, isChecking, onCheck, onStart } = props
  const { successCount, errors } = job
  const repaired = changedRows(errors, repairs).length
  const codes = successCount + repaired
  return (
    <>
      <Notice kind={codes > 0 ? 'good' : 'problem'}>{resultText(job)}</Notice>
      <ImportProblems orgId={orgId} job={job} edit={{ repairs, onRepairs }}>
        {repaired > 0 && (
          <>
            <Button busy={isChecking} onClick={onCheck}>
              {text.errors.checkAgain}
            </Button>
            <Button look="quiet" onClick={() => onRepairs(checked)}>
              {text.errors.discard}
            </Button>
          </>
        )}
      </ImportProblems>
      {codes > 0 && (
        <div>
          <Button look="primary" busy={isStarting} onClick={onStart}>
            {text.start(text.codes(codes, formatNumber(codes)))}
          </Button>
        </div>
      )}
    </>
  )
}

function resultText(job: ImportJob): string {
  const { totalRows, successCount, errorCount, failureReason } = job
  if (failureReason !== null) return sayProblem({ ...job, message: failureReason })
  if (totalRows === 0) return text.noRows
  if (errorCount === 0) return text.allFine(totalRows, formatNumber(totalRows))
  if (successCount === 0) return text.noneFine
  const fine = text.rows(successCount, formatNumber(successCount))
  return text.someFine(fine, errorCount, formatNumber(errorCount))
}
