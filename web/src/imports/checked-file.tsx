import type { ImportJob, ImportRepairs } from '@everscan/client/create-client.ts'
import { readImportHeader, type ImportMapping } from '@everscan/contract/code-types/import-mapping.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '../session/api.ts'
import { formatNumber } from '../ui/format.ts'
import type { ImportFile } from './import-files.ts'
import { guessType, ignoringUnknown, mappingOf, rememberColumns } from './column-choices.ts'
import { problemText } from '../ui/problems.ts'
import { importsWords } from '../words/imports-words.ts'
import { Button } from '../ui/button.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportOptions } from './import-options.tsx'
import { ImportProblems } from './import-problems.tsx'
import { Notice } from '../ui/surfaces.tsx'
import { changedRows } from './repairs.ts'
import { randomKey } from './random-key.ts'

const text = importsWords

type Props = {
  orgId: string
  /** `number` tells files apart that the user chose one after the other. */
  chosen: { file: File; number: number; read: ImportFile & { problem: undefined } }
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
  const [choices, setChoices] = useState<ImportMapping>({})
  const [repairs, setRepairs] = useState<ImportRepairs>({})
  /** The repairs that the last check had. */
  const [checked, setChecked] = useState<ImportRepairs>({})
  const columns = mappingOf({ type, header: read.header, orgId }, choices)
  const header = readImportHeader(type, read.header, columns)
  const fits =
    header.missing.length === 0 &&
    header.columns.every(({ column, repeated }) => column !== undefined && !repeated)
  const choose = (mapping: ImportMapping) => {
    setChoices({ ...choices, ...mapping })
    rememberColumns(orgId, type, mapping)
  }
  const settings = { type, file, fileName: file.name, columns, ...(styleId !== '' && { styleId }) }
  const checkOf = (withRepairs: ImportRepairs) =>
    queryOptions({
      queryKey: ['import check', orgId, number, type, styleId, columns, withRepairs],
      queryFn: async ({ signal }) => {
        const options = { ...settings, dryRun: true, repairs: withRepairs }
        const { id } = await api.imports.start(orgId, options, { signal })
        const job = await api.imports.waitFor(orgId, id, { signal })
        void queries.invalidateQueries({ queryKey: ['imports', orgId, 'list'] })
        return job
      },
      // The file does not change.
      staleTime: Infinity,
    })
  const check = useQuery({ ...checkOf(checked), enabled: fits })
  const recheck = useMutation({
    mutationFn: async () => {
      const job = await queries.fetchQuery(checkOf(repairs))
      setChecked(repairs)
      return job
    },
  })
  // With this key the import happens once, however often the request is sent.
  const [idempotencyKey] = useState(randomKey)
  const start = useMutation({
    mutationFn: async () => {
      // Rows that the user repaired must become codes, or else be shown again.
      const changed = changedRows(check.data?.errors ?? [], repairs).map(({ row }) => row)
      if (changed.length > 0) {
        const { errors } = await recheck.mutateAsync()
        if (errors.some(({ row }) => changed.includes(row))) return undefined
      }
      return api.imports.start(
        orgId,
        { ...settings, repairs, ...(folderId !== '' && { folderId }) },
        { idempotencyKey: keyOf([idempotencyKey, type, styleId, folderId, columns, repairs]) },
      )
    },
    onSuccess: async (job) => {
      if (job === undefined) return
      await queries.invalidateQueries({ queryKey: ['imports'] })
      onStarted(job, folderId === '' ? undefined : folderId)
    },
  })
  const problem = start.error ?? check.error
  const chooseType = (next: QrCodeType) => {
    // Repairs are of columns that another type may not have.
    setRepairs({})
    setChecked({})
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
        header={header}
        rows={read.rows}
        onChoose={choose}
        onIgnoreUnknown={() => choose(ignoringUnknown(type, read.header, columns))}
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
          onRepairs={setRepairs}
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

function resultText({ totalRows, successCount, errorCount, failureReason }: ImportJob): string {
  if (failureReason !== null) return failureReason
  if (totalRows === 0) return text.noRows
  if (errorCount === 0) return text.allFine(totalRows, formatNumber(totalRows))
  if (successCount === 0) return text.noneFine
  const fine = text.rows(successCount, formatNumber(successCount))
  return text.someFine(fine, errorCount, formatNumber(errorCount))
}

/** A key must stay short, and be another one for other settings. */
function keyOf(parts: readonly unknown[]): string {
  let hash = 0
  for (const character of JSON.stringify(parts))
    hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0
  return `${String(parts[0])}-${hash >>> 0}`
}
