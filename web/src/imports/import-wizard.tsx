import type { ImportJob } from '@everscan/client/create-client.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { useState } from 'react'
import { formatNumber } from '../ui/format.ts'
import { importsWords } from '../words/imports-words.ts'
import { Button } from '../ui/button.tsx'
import { CheckedFile } from './checked-file.tsx'
import { ChooseFile, type ChosenFile } from './choose-file.tsx'
import { guessType } from './column-choices.ts'
import { megabytes, readImportFile } from './import-files.ts'

const text = importsWords

type Props = { orgId: string; onStarted: (job: ImportJob, folder: string | undefined) => void }

/**
 * Turns a file into an import: shows its columns and first rows, checks every row, and only then
 * creates codes.
 */
export function ImportWizard({ orgId, onStarted }: Props) {
  const [chosen, setChosen] = useState<ChosenFile>()
  const [type, setType] = useState<QrCodeType>('URL')
  if (chosen === undefined)
    return (
      <div className="grid gap-4">
        <ChooseFile
          words={{
            label: text.drop,
            action: text.choose,
            hint: text.dropHint(formatNumber(limits.importRowsMax), megabytes(limits.importBytesMax)),
          }}
          accept=".csv,.tsv,.txt,.xlsx,text/csv"
          read={async (file) => readImportFile(orgId, file)}
          onChosen={(one) => {
            setChosen(one)
            setType(guessType(orgId, one.read.header))
          }}
        />
      </div>
    )
  const { file } = chosen
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
        chosen={chosen}
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
