import { qrCodeTypes, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../session/api.ts'
import { foldersQuery, folderTree } from '../codes/folders.ts'
import { commonWords } from '../words/common-words.ts'
import { importsWords } from '../words/imports-words.ts'
import { ChoiceField } from '../ui/choice.tsx'

const text = importsWords

type Props = {
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

/** Asks for the type, the style and the folder of the codes of a file. */
export function ImportOptions({ orgId, type, guessed, onType, styleId, onStyle, folderId, onFolder }: Props) {
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
