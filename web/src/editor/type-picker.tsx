import { qrCodeTypes, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { commonWords } from '../words/common-words.ts'
import { editorWords } from '../words/editor-words.ts'
import { Options } from '../ui/options.tsx'
import { Card } from '../ui/surfaces.tsx'
import { typeIcons } from '../codes/type-icons.ts'

const text = editorWords

/** Offers every type with its icon. */
export function TypePicker({ value, onChoose }: { value: QrCodeType; onChoose: (type: QrCodeType) => void }) {
  return (
    <Card title={text.type}>
      <Options
        legend={text.type}
        legendHidden
        value={value}
        className="grid grid-cols-3 gap-2 sm:grid-cols-4"
        options={qrCodeTypes.map((type) => [type, <TypeLabel key={type} type={type} />] as const)}
        onChoose={onChoose}
      />
    </Card>
  )
}

function TypeLabel({ type }: { type: QrCodeType }) {
  const Icon = typeIcons[type]
  return (
    <span className="flex w-full min-w-0 flex-col items-center gap-1 py-1 text-center sm:flex-row sm:gap-2.5 sm:text-start">
      <Icon size={20} aria-hidden className="shrink-0 text-brand" />
      <span className="min-w-0">
        <span className="block">{commonWords.types[type]}</span>
        <span aria-hidden className="hidden text-xs font-normal text-soft sm:block">
          {text.typeHints[type]}
        </span>
      </span>
    </span>
  )
}
