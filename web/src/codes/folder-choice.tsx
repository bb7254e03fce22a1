import { Check, FolderClosed } from 'lucide-react'
import { useState } from 'react'
import { hasWords, searchWords } from '@everscan/contract/schema/folding.ts'
import type { FolderBranch } from './folders.ts'
import { foldersWords } from '../words/codes-words.ts'
import { inputClass } from '../ui/field.tsx'

const text = foldersWords
/** Number of folders from which there is a search field. */
const searchedFrom = 10
/** Number of folders that are shown. A search finds the others. */
const shownMax = 200

type Props = {
  branches: readonly FolderBranch[]
  /** Name of the choice of no folder. */
  none: string
  /** Current folder. Undefined if the codes are in several. */
  current: string | null | undefined
  busy: boolean
  onChoose: (id: string | null) => void
}

/** Offers folders to choose one from. */
export function FolderChoice({ branches, none, current, busy, onChoose }: Props) {
  const [typed, setTyped] = useState('')
  const words = searchWords(typed)
  const lines = branches
    .flatMap(({ folder, children }) => [
      { id: folder.id, name: folder.name, nested: false },
      ...children.map(({ id, name }) => ({ id, name, nested: true })),
    ])
    .filter(({ name }) => hasWords(name, words))
  return (
    <div className="grid gap-2">
      {branches.length >= searchedFrom && (
        <input
          type="search"
          aria-label={text.search}
          placeholder={text.search}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className={inputClass}
        />
      )}
      <div role="group" aria-label={text.label} className="max-h-72 overflow-auto p-0.5">
        {words.length === 0 && (
          <Line name={none} current={current === null} busy={busy} onChoose={() => onChoose(null)} />
        )}
        {lines.slice(0, shownMax).map(({ id, name, nested }) => (
          <Line
            key={id}
            name={name}
            nested={nested}
            current={current === id}
            busy={busy}
            onChoose={() => onChoose(id)}
          />
        ))}
        {lines.length > shownMax && <p className="p-3 text-sm text-soft">{text.tooMany}</p>}
        {words.length > 0 && lines.length === 0 && <p className="p-3 text-sm text-soft">{text.noneFound}</p>}
      </div>
    </div>
  )
}

type LineProps = { name: string; nested?: boolean; current: boolean; busy: boolean; onChoose: () => void }

function Line({ name, nested = false, current, busy, onChoose }: LineProps) {
  return (
    <button
      type="button"
      aria-current={current}
      disabled={busy || current}
      onClick={onChoose}
      className={`flex min-h-10 w-full cursor-pointer items-center gap-2 rounded-control px-3 text-start hover:bg-raised disabled:cursor-default disabled:hover:bg-transparent ${nested ? 'ps-9' : ''}`}
    >
      <FolderClosed size={18} aria-hidden className="shrink-0 text-soft" />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {current && <Check size={18} aria-hidden className="shrink-0 text-brand" />}
    </button>
  )
}
