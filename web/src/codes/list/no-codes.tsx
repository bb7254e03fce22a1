import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { EmptyState } from '../../ui/surfaces.tsx'
import { codesWords, foldersWords } from '../../words/codes-words.ts'
import { isFiltered, noFilters, type CodeSearch } from '../code-search.ts'
import { folderQuery, unfiled } from '../folders.ts'

const text = codesWords

type Props = {
  orgId: string
  search: CodeSearch
  onNarrow: (changes: Partial<CodeSearch>) => void
  /** Link that creates a code. */
  children: ReactNode
}

/** Says why no code is listed, and offers what lists some. */
export function NoCodes({ orgId, search, onNarrow, children }: Props) {
  const { folder, own } = search
  const { data } = useQuery(folderQuery(orgId, folder))
  const below = data?.qrCodesBelow ?? 0
  if (isFiltered(search))
    return (
      <EmptyState title={text.nothingFound.title} text={text.nothingFound.text}>
        <Button onClick={() => onNarrow({ ...noFilters, folder, own })}>{text.nothingFound.clear}</Button>
      </EmptyState>
    )
  if (own === true && below > 0)
    return (
      <EmptyState
        title={text.onlyBelow.title}
        text={text.onlyBelow.text(foldersWords.codes(below, formatNumber(below)))}
      >
        <Button onClick={() => onNarrow({ own: undefined })}>{text.onlyBelow.show}</Button>
      </EmptyState>
    )
  if (folder === unfiled)
    return (
      <EmptyState title={text.noneUnfiled.title} text={text.noneUnfiled.text}>
        <Button onClick={() => onNarrow(noFilters)}>{text.emptyFolder.all}</Button>
      </EmptyState>
    )
  if (folder !== undefined)
    return (
      <EmptyState title={text.emptyFolder.title} text={text.emptyFolder.text}>
        <Button onClick={() => onNarrow(noFilters)}>{text.emptyFolder.all}</Button>
      </EmptyState>
    )
  return (
    <EmptyState title={text.none.title} text={text.none.text}>
      {children}
      <a href="/docs" className={buttonClass()}>
        {text.none.link}
      </a>
    </EmptyState>
  )
}
