import {
  mapMoveColumns,
  moveFields,
  requiredMoveFields,
  type MoveField,
  type MoveMapping,
  type MoveSource,
} from '@everscan/contract/moves/move-sources.ts'
import { CircleAlert } from 'lucide-react'
import { Choice } from '../../ui/choice.tsx'
import { movesWords } from '../../words/moves-words.ts'

const text = movesWords.columns
const { fields } = movesWords
/** Stands for the columns that were recognized, which may be several. */
const recognized = 'recognized'
const none = 'none'

type Props = {
  source: MoveSource
  header: readonly string[]
  rows: readonly (readonly string[])[]
  mapping: MoveMapping
  onChoose: (field: MoveField, columns: string[]) => void
}

/** Shows which column of the file has each field, with its first value. */
export function MoveColumns({ source, header, rows, mapping, onChoose }: Props) {
  const guessed = mapMoveColumns(source, header)
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h3 className="font-medium">{text.title}</h3>
        <p className="text-sm text-soft">{text.text}</p>
      </div>
      <table className="w-full table-fixed border-separate border-spacing-y-1 text-sm">
        <thead className="text-start text-soft">
          <tr>
            <th className="w-[36%] text-start font-normal sm:w-[24%]">{text.field}</th>
            <th className="text-start font-normal">{text.inFile}</th>
            <th className="hidden w-[34%] ps-3 text-start font-normal sm:table-cell">{text.firstValue}</th>
          </tr>
        </thead>
        <tbody>
          {moveFields.map((field) => {
            const value = firstValue(mapping[field], header, rows)
            const isMissing = requiredMoveFields.includes(field) && mapping[field].length === 0
            return (
              <tr key={field}>
                <th scope="row" className="pe-3 text-start font-medium">
                  {fields[field]}
                </th>
                <td className="align-top">
                  <Choice
                    label={text.columnOf(fields[field])}
                    value={valueOf(mapping[field], guessed[field], header)}
                    className={isMissing ? 'border-danger!' : ''}
                    options={optionsOf(field, guessed[field], header)}
                    onChoose={(one) => onChoose(field, columnsOf(one, guessed[field], header))}
                  />
                  {isMissing && (
                    <p className="mt-1 flex items-center gap-1 text-danger">
                      <CircleAlert size={14} aria-hidden className="shrink-0" />
                      {text.missing(fields[field])}
                    </p>
                  )}
                </td>
                <td title={value} className="hidden truncate ps-3 text-soft sm:table-cell">
                  {value}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

// A column is known by its place, because any text may be a name.

function optionsOf(field: MoveField, guessed: readonly string[], header: readonly string[]) {
  const [first = '', second = ''] = guessed
  return [
    ...(guessed.length > 1 ? [[recognized, text.both(first, second)] as const] : []),
    [none, requiredMoveFields.includes(field) ? text.choose : text.none] as const,
    ...header.map((name, at) => [String(at), name] as const).filter(([, name]) => name !== ''),
  ]
}

function valueOf(columns: readonly string[], guessed: readonly string[], header: readonly string[]): string {
  const [first] = columns
  if (first === undefined) return none
  const isGuessed = columns.length > 1 && columns.join('\n') === guessed.join('\n')
  return isGuessed ? recognized : String(header.indexOf(first))
}

function columnsOf(value: string, guessed: readonly string[], header: readonly string[]): string[] {
  if (value === recognized) return [...guessed]
  const name = header[Number(value)]
  return value === none || name === undefined ? [] : [name]
}

/** Returns the first cell that is not empty in any of the columns. */
function firstValue(
  columns: readonly string[],
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const places = columns.map((name) => header.indexOf(name))
  return rows.flatMap((cells) => places.map((at) => cells[at] ?? '')).find((cell) => cell.trim() !== '') ?? ''
}
