import type { ImportJob } from '@everscan/client/create-client.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { readImportHeader } from '@everscan/contract/code-types/import-columns.ts'
import { qrCodeTypes, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '../session/api.ts'
import { foldersQuery, folderTree } from '../codes/folders.ts'
import { formatNumber } from '../ui/format.ts'
import { columnNames, guessType, readImportFile, type ImportFile } from './import-files.ts'
import { problemText } from '../ui/problems.ts'
import { commonWords } from '../words/common-words.ts'
import { importsWords } from '../words/imports-words.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceField } from '../ui/choice.tsx'
import { FileDrop } from '../ui/file-drop.tsx'
import { ImportPreview } from './import-preview.tsx'
import { ImportProblems } from './import-problems.tsx'
import { Notice } from '../ui/surfaces.tsx'

const text = importsWords
const bytesInMegabyte = 1024 ** 2

type Chosen = { file: File; read: ImportFile; number: number }
type Props = { orgId: string; onStarted: (job: ImportJob, folder: string | undefined) => void }

let chosenSoFar = 0

/**
 * Turns a file into an import: shows its columns and first rows, checks every row, and only then
 * creates codes.
 */
export function ImportWizard({ orgId, onStarted }: Props) {
  const [chosen, setChosen] = useState<Chosen>()
  const [type, setType] = useState<QrCodeType>('URL')
  const choose = async (file: File) => {
    const read = await readImportFile(file)
    setChosen({ file, read, number: ++chosenSoFar })
    if (read.problem === undefined) setType(guessType(read.header))
  }
  const megabytes = formatNumber(limits.importBytesMax / bytesInMegabyte)
  const drop = (
    <FileDrop
      label={text.drop}
      action={text.choose}
      hint={text.dropHint(formatNumber(limits.importRowsMax), megabytes)}
      accept=".csv,.tsv,.txt,text/csv"
      onFile={(file) => void choose(file)}
    />
  )
  if (chosen === undefined) return drop
  const { file, read } = chosen
  if (read.problem !== undefined) {
    const problem = text.problems[read.problem]
    return (
      <div className="grid gap-4">
        <Notice kind="problem">
          {file.name}: {typeof problem === 'string' ? problem : problem(megabytes)}
        </Notice>
        {drop}
      </div>
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1">
          <span className="block truncate font-medium">{file.name}</span>
          <span className="text-sm text-soft">{sizeText(file.size)}</span>
        </p>
        <Button onClick={() => setChosen(undefined)}>{text.another}</Button>
      </div>
      <CheckedFile
        key={chosen.number}
        orgId={orgId}
        chosen={{ ...chosen, read }}
        type={type}
        onType={setType}
        onStarted={onStarted}
      />
    </div>
  )
}

type CheckedProps = Props & {
  chosen: Chosen & { read: ImportFile & { problem: undefined } }
  type: QrCodeType
  onType: (type: QrCodeType) => void
}

function CheckedFile({ orgId, chosen, type, onType, onStarted }: CheckedProps) {
  const { file, read, number } = chosen
  const [styleId, setStyleId] = useState('')
  const [folderId, setFolderId] = useState('')
  const { columns, missing } = readImportHeader(type, read.header)
  const unknown = columns.filter(({ column }) => column === undefined)
  const fits = unknown.length === 0 && missing.length === 0
  const settings = { type, file, fileName: file.name, ...(styleId !== '' && { styleId }) }
  const check = useQuery({
    queryKey: ['import check', orgId, number, type, styleId],
    queryFn: async ({ signal }) => {
      const { id } = await api.imports.start(orgId, { ...settings, dryRun: true }, { signal })
      const job = await api.imports.waitFor(orgId, id, { signal })
      void queries.invalidateQueries({ queryKey: ['imports', orgId, 'list'] })
      return job
    },
    enabled: fits,
    // The file does not change.
    staleTime: Infinity,
  })
  // With this key the import happens once, however often the request is sent.
  const [idempotencyKey] = useState(randomKey)
  const start = useMutation({
    mutationFn: async () =>
      api.imports.start(
        orgId,
        { ...settings, ...(folderId !== '' && { folderId }) },
        { idempotencyKey: [idempotencyKey, type, styleId, folderId].join('-') },
      ),
    onSuccess: async (job) => {
      await queries.invalidateQueries({ queryKey: ['imports'] })
      onStarted(job, folderId === '' ? undefined : folderId)
    },
  })
  const problem = start.error ?? check.error
  return (
    <>
      <Options
        orgId={orgId}
        type={type}
        guessed={guessType(read.header)}
        onType={onType}
        styleId={styleId}
        onStyle={setStyleId}
        folderId={folderId}
        onFolder={setFolderId}
      />
      <ImportPreview columns={columns} rows={read.rows} />
      {!fits && (
        <Notice kind="problem">
          {unknown.length > 0 &&
            `${text.unknownColumns(unknown.map(({ name }) => name || text.noName).join(', '))} `}
          {missing.length > 0 && `${text.missingColumns(missing.join(', '))} `}
          {text.knownColumns(commonWords.types[type], columnNames(type))}
        </Notice>
      )}
      {problem !== null && <Notice kind="problem">{problemText(problem)}</Notice>}
      {fits && check.isFetching && (
        <p role="status" className="flex min-h-10 items-center text-soft">
          {text.checking}
        </p>
      )}
      {fits && check.data !== undefined && (
        <Result orgId={orgId} job={check.data} busy={start.isPending} onStart={() => start.mutate()} />
      )}
    </>
  )
}

type ResultProps = { orgId: string; job: ImportJob; busy: boolean; onStart: () => void }

function Result({ orgId, job, busy, onStart }: ResultProps) {
  const { totalRows, successCount, errorCount, failureReason } = job
  const said =
    failureReason ??
    (totalRows === 0
      ? text.noRows
      : errorCount === 0
        ? text.allFine(totalRows, formatNumber(totalRows))
        : successCount === 0
          ? text.noneFine
          : text.someFine(
              text.rows(successCount, formatNumber(successCount)),
              errorCount,
              formatNumber(errorCount),
            ))
  return (
    <>
      <Notice kind={successCount > 0 ? 'good' : 'problem'}>{said}</Notice>
      {successCount > 0 && (
        <div>
          <Button look="primary" busy={busy} onClick={onStart}>
            {text.start(text.codes(successCount, formatNumber(successCount)))}
          </Button>
        </div>
      )}
      <ImportProblems orgId={orgId} job={job} />
    </>
  )
}

type OptionsProps = {
  orgId: string
  type: QrCodeType
  guessed: QrCodeType
  onType: (type: QrCodeType) => void
  styleId: string
  onStyle: (id: string) => void
  folderId: string
  onFolder: (id: string) => void
}

/** Number of styles offered. An organization has at most twice as many. */
const stylesShown = 100

function Options({ orgId, type, guessed, onType, styleId, onStyle, folderId, onFolder }: OptionsProps) {
  const styles = useQuery({
    queryKey: ['styles', orgId, 'choice'],
    queryFn: async ({ signal }) => api.styles.list(orgId, { limit: stylesShown }, { signal }),
  })
  const folders = useQuery(foldersQuery(orgId))
  const lines = folderTree(folders.data ?? []).flatMap(({ folder, children }) => [
    [folder.id, folder.name] as const,
    ...children.map(({ id, name }) => [id, `${folder.name} / ${name}`] as const),
  ])
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <div>
        <ChoiceField
          label={text.type}
          value={type}
          options={qrCodeTypes.map((one) => [one, commonWords.types[one]] as const)}
          onChoose={onType}
        />
        {type === guessed && <p className="mt-1 text-sm text-soft">{text.typeGuessed}</p>}
      </div>
      <ChoiceField
        label={text.style}
        value={styleId}
        options={[
          ['', text.defaultStyle] as const,
          ...(styles.data?.data ?? []).map(({ id, name }) => [id, name] as const),
        ]}
        onChoose={onStyle}
      />
      <div>
        <ChoiceField
          label={text.folder}
          value={folderId}
          options={[['', text.noFolder] as const, ...lines]}
          onChoose={onFolder}
        />
        <p className="mt-1 text-sm text-soft">{text.folderHint}</p>
      </div>
    </div>
  )
}

function sizeText(bytes: number): string {
  const kilobytes = bytes / 1024
  return kilobytes < 1024
    ? text.size.kilobytes(formatNumber(Math.max(1, Math.round(kilobytes))))
    : text.size.megabytes(formatNumber(Math.round(kilobytes / 102.4) / 10))
}

/** Returns a random key. `crypto.randomUUID` does not exist on pages without https. */
function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
