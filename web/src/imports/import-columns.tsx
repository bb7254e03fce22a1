import type { ImportHeader, ImportMapping } from '@everscan/contract/code-types/import-mapping.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { CircleAlert } from 'lucide-react'
import { columnOptions } from './import-files.ts'
import { importsWords } from '../words/imports-words.ts'
import { commonWords } from '../words/common-words.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { LearnMore } from '../ui/learn-more.tsx'
import { Notice } from '../ui/surfaces.tsx'

const text = importsWords
const ignored = '-'
const unchosen = ''

type Props = {
  type: QrCodeType
  header: ImportHeader
  rows: readonly (readonly string[])[]
  onChoose: (mapping: ImportMapping) => void
  onIgnoreUnknown: () => void
}

/** Shows the columns of a file with their first values, and what each of them becomes. */
export function ImportColumns({
  type,
  header: { columns, missing },
  rows,
  onChoose,
  onIgnoreUnknown,
}: Props) {
  const unknown = columns.filter(({ column }) => column === undefined).length
  const isChosen = columns.some(({ column }) => column !== undefined && column !== null)
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 className="font-medium">{text.columns}</h2>
      <table className="w-full table-fixed border-separate border-spacing-y-1 text-sm">
        <thead className="text-start text-soft">
          <tr>
            <th className="w-[30%] text-start font-normal">{text.inFile}</th>
            <th className="hidden text-start font-normal sm:table-cell">{text.firstValues}</th>
            <th className="w-[55%] text-start font-normal sm:w-[35%]">{text.becomes}</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((one, at) => (
            <ColumnRow
              // Columns have no ids, and two may have one name.
              // oxlint-disable-next-line no-array-index-key
              key={at}
              type={type}
              column={one}
              values={rows.map((cells) => cells[at] ?? '').filter((value) => value.trim() !== '')}
              onChoose={onChoose}
            />
          ))}
        </tbody>
      </table>
      <p className="text-sm text-soft">
        {text.required} <LearnMore about="importColumns" />
      </p>
      {unknown > 0 && (
        <div className="flex flex-wrap items-center gap-3">
          <Notice kind="problem">{text.unknownColumns(unknown)}</Notice>
          {isChosen && <Button onClick={onIgnoreUnknown}>{text.ignoreUnknown(unknown)}</Button>}
        </div>
      )}
      {missing.length > 0 && (
        <Notice kind="problem">{text.missingColumns(commonWords.types[type], missing.join(', '))}</Notice>
      )}
    </section>
  )
}

type RowProps = Pick<Props, 'type' | 'onChoose'> & {
  column: ImportHeader['columns'][number]
  /** The first values that are not empty. */
  values: readonly string[]
}

function ColumnRow({ type, column: one, values, onChoose }: RowProps) {
  const { name, column, repeated } = one
  const shown = name === '' ? text.noName : name
  const isWrong = column === undefined || repeated
  return (
    <tr className={column === null ? 'text-soft' : ''}>
      <th scope="row" title={shown} className="truncate pe-3 text-start font-medium">
        {shown}
      </th>
      <td title={values.join('\n')} className="hidden truncate pe-3 text-soft sm:table-cell">
        {values.join(' · ')}
      </td>
      <td className="align-top">
        <Choice
          label={text.columnOf(shown)}
          value={column === null ? ignored : (column ?? unchosen)}
          className={isWrong ? 'border-danger!' : ''}
          options={[
            ...(column === undefined ? [[unchosen, text.chooseColumn] as const] : []),
            [ignored, text.ignore] as const,
            ...columnOptions(type, one),
          ]}
          onChoose={(chosen) => {
            if (chosen !== unchosen) onChoose({ [name]: chosen === ignored ? null : chosen })
          }}
        />
        {repeated && (
          <p className="mt-1 flex items-center gap-1 text-danger">
            <CircleAlert size={14} aria-hidden className="shrink-0" />
            {text.repeatedColumn}
          </p>
        )}
      </td>
    </tr>
  )
}
