import { qrCodeTypes } from '@everscan/contract/code-types/code-types.ts'
import { useQuery } from '@tanstack/react-query'
import { hasScope, type AnalyticsSearch } from './analytics-search.ts'
import { FolderChoice } from '../codes/folder-choice.tsx'
import { foldersQuery, folderTree } from '../codes/folders.ts'
import { TagPicker } from '../codes/tag-picker.tsx'
import { problemText } from '../ui/problems.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { commonWords } from '../words/common-words.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { ChoiceField } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/surfaces.tsx'

const text = analyticsWords.scope

type Props = {
  orgId: string
  search: AnalyticsSearch
  onSearch: (changes: AnalyticsSearch) => void
  onClear: () => void
  onClose: () => void
}

/** Chooses codes by folder, type and tags. Each choice applies at once. */
export function ScopeDialog({ orgId, search, onSearch, onClear, onClose }: Props) {
  const folders = useQuery(foldersQuery(orgId))
  const { folder, type, tags = [] } = search
  return (
    <Dialog title={text.title} text={text.hint} onClose={onClose} wide>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <div className="grid content-start gap-4">
          <ChoiceField
            label={text.type}
            value={type ?? ''}
            options={[
              ['', text.anyType] as const,
              ...qrCodeTypes.map((one) => [one, commonWords.types[one]] as const),
            ]}
            onChoose={(chosen) => onSearch({ type: chosen === '' ? undefined : chosen })}
          />
          <section>
            <h3 className="mb-1 text-sm font-medium">{text.folder}</h3>
            {folders.isError && <Notice kind="problem">{problemText(folders.error)}</Notice>}
            <FolderChoice
              branches={folderTree(folders.data ?? [])}
              none={text.anyFolder}
              current={folder === 'none' ? undefined : (folder ?? null)}
              busy={false}
              onChoose={(id) => onSearch({ folder: id ?? undefined })}
            />
            <Checkbox
              label={text.onlyUnfiled}
              withLabel
              checked={folder === 'none'}
              onChange={(event) => onSearch({ folder: event.target.checked ? 'none' : undefined })}
              className="px-1"
            />
          </section>
        </div>
        <section>
          <h3 className="mb-1 text-sm font-medium">{text.tags}</h3>
          <TagPicker
            orgId={orgId}
            chosen={tags}
            onChoose={(chosen) => onSearch({ tags: chosen.length === 0 ? undefined : chosen })}
          />
        </section>
      </div>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        {hasScope(search) && <Button onClick={onClear}>{text.clear}</Button>}
        <Button look="primary" onClick={onClose}>
          {text.done}
        </Button>
      </div>
    </Dialog>
  )
}
