import type { ImportJob } from '@everscan/client/create-client.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { useState } from 'react'
import { formatNumber } from '../ui/format.ts'
import { guessType } from './column-choices.ts'
import { readImportFile, type ImportFile } from './import-files.ts'
import { showProblem } from '../ui/problems.ts'
import { commonWords } from '../words/common-words.ts'
import { importsWords } from '../words/imports-words.ts'
import { Button } from '../ui/button.tsx'
import { FileDrop } from '../ui/file-drop.tsx'
import { CheckedFile } from './checked-file.tsx'
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
    const read = await readImportFile(orgId, file)
    setChosen({ file, read, number: ++chosenSoFar })
    if (read.problem === undefined) setType(guessType(orgId, read.header))
  }
  const megabytes = formatNumber(limits.importBytesMax / bytesInMegabyte)
  const drop = (
    <FileDrop
      label={text.drop}
      action={text.choose}
      hint={text.dropHint(formatNumber(limits.importRowsMax), megabytes)}
      accept=".csv,.tsv,.txt,.xlsx,text/csv"
      onFile={(file) => void choose(file).catch(showProblem)}
    />
  )
  if (chosen === undefined) return drop
  const { file, read } = chosen
  if (read.problem !== undefined) {
    const problem = read.problem === 'refused' ? read.why : text.problems[read.problem]
    return (
      <div className="grid gap-4">
        <Notice kind="problem">
          {file.name}
          {commonWords.colon} {typeof problem === 'string' ? problem : problem(megabytes)}
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

function sizeText(bytes: number): string {
  const kilobytes = bytes / 1024
  return kilobytes < 1024
    ? text.size.kilobytes(formatNumber(Math.max(1, Math.round(kilobytes))))
    : text.size.megabytes(formatNumber(Math.round(kilobytes / 102.4) / 10))
}
