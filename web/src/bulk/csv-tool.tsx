import { qrCodeTypes, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { writeImportFile, type ExportedCode } from '@everscan/contract/code-types/import-file.ts'
import type { Domain } from '@everscan/contract/domains/domains.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import { Download, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { queries } from '../session/api.ts'
import { domainsQuery } from '../session/domains.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { formatNumber } from '../ui/format.ts'
import { showProblem } from '../ui/problems.ts'
import { saveCsv } from '../ui/save-file.ts'
import { showToast } from '../ui/toasts.ts'
import { tableWords } from '../words/bulk-table-words.ts'
import { commonWords } from '../words/common-words.ts'
import { readBulkCsv, writeBulkCsv, type BulkCsv, type FolderLabel } from './bulk-csv.ts'
import { readRows } from './bulk-queries.ts'
import type { BulkRow } from './bulk-rows.ts'
import { ChangePreview } from './change-preview.tsx'
import type { CellValue } from './use-bulk-rows.ts'

const text = tableWords.csv

type Props = {
  orgId: string
  rows: readonly BulkRow[]
  folders: readonly FolderLabel[]
  styles: readonly SavedStyle[]
  /** Called with codes of a file that are not in the table, and its cells. */
  onApply: (added: readonly BulkRow[], values: CellValue[]) => void
}

/** Downloads the table as a file, and takes an edited file back. Shows each change first. */
export function CsvTool({ orgId, rows, folders, styles, onApply }: Props) {
  const [read, setRead] = useState<Extract<BulkCsv, { problem: undefined }>>()
  const [busy, setBusy] = useState(false)
  const open = async (file: File) => {
    setBusy(true)
    try {
      const domains = await queries.fetchQuery(domainsQuery(orgId))
      const exactDomains = new Set(
        domains.flatMap(({ codes, hostname }) => (codes === 'exact' ? [hostname] : [])),
      )
      const found = await readBulkCsv(file, {
        rows,
        exactDomains,
        folders,
        styles,
        find: async (wanted) => readRows(orgId, { ...wanted, styles }),
      })
      if (found.problem === undefined) setRead(found)
      else showToast({ kind: 'problem', text: problems[found.problem] })
    } catch (error) {
      showProblem(error)
    }
    setBusy(false)
  }
  return (
    <div className="grid gap-3">
      <p className="text-sm text-soft">{text.text}</p>
      <div className="flex flex-wrap gap-2">
        {rows.length > 0 && (
          <Button onClick={() => saveCsv(writeBulkCsv(rows, { folders, styles }), text.fileName)}>
            <Download size={18} aria-hidden />
            {text.download}
          </Button>
        )}
        <UploadButton busy={busy} onFile={open} />
      </div>
      {rows.length > 0 && <ImportFiles orgId={orgId} rows={rows} folders={folders} />}
      {read !== undefined && (
        <CsvDialog
          read={read}
          onClose={() => setRead(undefined)}
          onApply={() => {
            setRead(undefined)
            onApply(read.added, read.changes)
          }}
        />
      )}
    </div>
  )
}

function UploadButton({ busy, onFile }: { busy: boolean; onFile: (file: File) => Promise<void> }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button busy={busy} onClick={() => input.current?.click()}>
        <Upload size={18} aria-hidden />
        {text.upload}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        aria-label={text.upload}
        className="hidden"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file !== undefined) void onFile(file)
        }}
      />
    </>
  )
}

/** Downloads a file for each type in the table, which an import reads. */
function ImportFiles({ orgId, rows, folders }: Pick<Props, 'orgId' | 'rows' | 'folders'>) {
  const types = qrCodeTypes.filter((type) => rows.some(({ code }) => code.type === type))
  const save = async (type: QrCodeType) => {
    const domains = await queries.fetchQuery(domainsQuery(orgId))
    const codes = rows.flatMap(({ code }) =>
      code.type === type ? [exportedCode(code, { folders, domains })] : [],
    )
    const { csv, leftOut } = writeImportFile(type, codes)
    saveCsv(csv, `${type.toLowerCase()}-import.csv`)
    if (leftOut > 0) showToast({ kind: 'problem', text: text.leftOut(leftOut, formatNumber(leftOut)) })
  }
  return (
    <>
      <p className="text-sm text-soft">{text.forImportText}</p>
      <div className="flex flex-wrap gap-2">
        {types.map((type) => (
          <Button key={type} onClick={() => void save(type).catch(showProblem)}>
            <Download size={18} aria-hidden />
            {text.forImport(commonWords.types[type])}
          </Button>
        ))}
      </div>
    </>
  )
}

/** Returns a code as it is stored, with names in place of ids. */
function exportedCode(
  code: BulkRow['code'],
  { folders, domains }: { folders: readonly FolderLabel[]; domains: readonly Domain[] },
): ExportedCode {
  const { type, name, data, tags, shortCode, createdAt, status, metadata } = code
  const folder = folders.find(({ id }) => id === code.folderId)?.name ?? ''
  const domain = domains.find(({ id }) => id === code.domainId)?.hostname ?? ''
  return { type, name, data, tags, shortCode, createdAt, status, metadata, folder, domain }
}

const problems = {
  noKey: text.noKey,
  unreadable: text.unreadable,
  tooLarge: text.tooLarge(formatNumber(limits.batchMax)),
} as const

type DialogProps = {
  read: Extract<BulkCsv, { problem: undefined }>
  onApply: () => void
  onClose: () => void
}

/** Shows the changes and the problems of a file, by the rows that a spreadsheet shows. */
function CsvDialog({ read, onApply, onClose }: DialogProps) {
  const { changes, problems: found, added } = read
  return (
    <Dialog title={text.title} onClose={onClose} wide>
      <div className="grid gap-4">
        {found.length > 0 && (
          <div role="alert" className="text-sm text-danger">
            <p className="font-medium">{text.problems(found.length, formatNumber(found.length))}</p>
            <ul tabIndex={0} aria-label={text.title} className="max-h-40 list-disc overflow-auto ps-5">
              {found.map(({ row, text: why }, index) => (
                <li key={index} className="break-words">
                  {text.row(row, why)}
                </li>
              ))}
            </ul>
          </div>
        )}
        {changes.length === 0 ? (
          <p>{text.noChanges}</p>
        ) : (
          <ChangePreview
            title={tableWords.preview.cells(changes.length, formatNumber(changes.length))}
            lines={changes.map(({ row, id, field, name, before, after }) => ({
              key: `${id} ${field}`,
              name: text.row(row, `${name}, ${tableWords.columns[field]}`),
              before,
              after,
            }))}
          />
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{commonWords.cancel}</Button>
          {(changes.length > 0 || added.length > 0) && (
            <Button look="primary" onClick={onApply}>
              {text.apply(changes.length, formatNumber(changes.length))}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}
