import { errorCorrections } from '@everscan/contract/resources/styles.ts'
import { pictureDefaults, pictureLimits } from '@everscan/qr/picture.ts'
import { formatNumber } from '../ui/format.ts'
import { editorWords } from '../words/editor-words.ts'
import { ChoiceField } from '../ui/choice.tsx'
import type { StylePartProps } from './style-parts.ts'
import { Slider } from './style-inputs.tsx'

const text = editorWords.style

export function StyleFineTuning({ style, onChange }: StylePartProps) {
  const margin = style.margin ?? pictureDefaults.marginModules
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Slider
        label={text.margin}
        hint={text.marginHint}
        value={margin}
        min={0}
        max={pictureLimits.marginModulesMax}
        shown={text.modules(margin, formatNumber(margin))}
        onChange={(modules) => onChange({ margin: modules })}
      />
      <ChoiceField
        label={text.errorCorrection}
        hint={text.errorCorrectionHint}
        value={style.errorCorrection ?? 'auto'}
        options={[
          ['auto', text.levels.auto],
          ...errorCorrections.map((level) => [level, text.levels[level]] as const),
        ]}
        onChoose={(level) => onChange({ errorCorrection: level === 'auto' ? null : level })}
      />
    </div>
  )
}
