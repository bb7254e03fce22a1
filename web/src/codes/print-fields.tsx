import { colorSpaces, type ColorSpace, type DownloadQuery } from '@everscan/contract/resources/downloads.ts'
import { formatNumber } from '../ui/format.ts'
import { editorWords } from '../words/editor-words.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { ChoiceField } from '../ui/choice.tsx'

const text = editorWords.print
const bleeds = ['0', '1', '2', '3', '4', '5'] as const

/** Options of the files for print shops. */
export type PrintChoice = {
  colorSpace: ColorSpace | 'auto'
  /** Millimetres. */
  bleed: (typeof bleeds)[number]
  cropMarks: boolean
}

export const plainPrint: PrintChoice = { colorSpace: 'auto', bleed: '0', cropMarks: false }

/** Returns the parameters of a download. A plain print has none. */
export function printQuery({ colorSpace, bleed, cropMarks }: PrintChoice) {
  return {
    ...(colorSpace !== 'auto' && { colorSpace }),
    ...(bleed !== '0' && { bleed: Number(bleed) }),
    ...(cropMarks && { cropMarks }),
  } satisfies DownloadQuery
}

type Props = { value: PrintChoice; onChange: (value: PrintChoice) => void }

/** Shows the options of PDF and EPS. */
export function PrintFields({ value, onChange }: Props) {
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">{text.legend}</legend>
      <div className="grid grid-cols-2 items-start gap-3">
        <ChoiceField
          label={text.colors}
          value={value.colorSpace}
          options={(['auto', ...colorSpaces] as const).map((one) => [one, text.colorSpaces[one]] as const)}
          onChoose={(colorSpace) => onChange({ ...value, colorSpace })}
        />
        <ChoiceField
          label={text.bleed}
          value={value.bleed}
          options={bleeds.map(
            (one) => [one, one === '0' ? text.noBleed : text.mm(formatNumber(Number(one)))] as const,
          )}
          onChoose={(bleed) => onChange({ ...value, bleed })}
        />
      </div>
      <p className="text-sm text-soft">{text.colorHints[value.colorSpace]}</p>
      <Checkbox
        withLabel
        label={text.cropMarks}
        hint={text.cropMarksHint}
        checked={value.cropMarks}
        onChange={({ target }) => onChange({ ...value, cropMarks: target.checked })}
      />
    </fieldset>
  )
}
