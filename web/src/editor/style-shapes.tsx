import { cornerDotStyles, cornerSquareStyles, dotStyles } from '@everscan/contract/resources/styles.ts'
import { editorWords } from '../words/editor-words.ts'
import { Options } from '../ui/options.tsx'
import type { StylePartProps } from './style-parts.ts'
import { Slider } from './style-inputs.tsx'

const text = editorWords.style

export function StyleShapes({ style, onChange }: StylePartProps) {
  const { dotStyle = 'square', cornerRadius = 0, cornerSquareStyle, cornerDotStyle } = style
  return (
    <>
      <Options
        legend={text.dots}
        value={dotStyle}
        options={dotStyles.map((one) => [one, text.dotStyles[one]] as const)}
        onChoose={(one) =>
          onChange({
            dotStyle: one,
            // Without any roundness, this style would look like the square one.
            ...(one === 'rounded' && cornerRadius === 0 && { cornerRadius: 50 }),
            ...(one === 'square' && { cornerRadius: null }),
          })
        }
      />
      {dotStyle === 'rounded' && (
        <Slider
          label={text.roundness}
          value={cornerRadius}
          min={0}
          max={100}
          step={5}
          shown={text.percent(String(cornerRadius))}
          onChange={(radius) => onChange({ cornerRadius: radius })}
        />
      )}
      <Options
        legend={text.cornerSquares}
        value={cornerSquareStyle ?? ''}
        options={[
          ['', text.asDots],
          ...cornerSquareStyles.map((one) => [one, text.cornerSquareStyles[one]] as const),
        ]}
        onChoose={(one) => onChange({ cornerSquareStyle: one === '' ? null : one })}
      />
      <Options
        legend={text.cornerDots}
        value={cornerDotStyle ?? ''}
        options={[
          ['', text.asDots],
          ...cornerDotStyles.map((one) => [one, text.cornerDotStyles[one]] as const),
        ]}
        onChoose={(one) => onChange({ cornerDotStyle: one === '' ? null : one })}
      />
    </>
  )
}
