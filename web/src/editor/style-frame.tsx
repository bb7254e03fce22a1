import { limits } from '@everscan/contract/schema/limits.ts'
import { frameStyles } from '@everscan/contract/resources/styles.ts'
import { darkColors, lightColor } from '@everscan/qr/drawing/contrast.ts'
import { pictureDefaults } from '@everscan/qr/picture.ts'
import { editorWords } from '../words/editor-words.ts'
import { Field } from '../ui/field.tsx'
import { Options } from '../ui/options.tsx'
import type { StylePartProps } from './style-parts.ts'
import { ColorField } from './style-inputs.tsx'

const text = editorWords.style

export function StyleFrame({ style, onChange, problem }: StylePartProps & { problem: string | undefined }) {
  const { frame } = style
  const [dark] = darkColors(style)
  return (
    <>
      <Options
        legend={text.frameStyle}
        value={frame?.style ?? 'none'}
        options={[
          ['none', text.frameStyles.none],
          ...frameStyles.map((one) => [one, text.frameStyles[one]] as const),
        ]}
        onChoose={(one) =>
          onChange({
            frame:
              one === 'none'
                ? null
                : {
                    color: dark?.color ?? pictureDefaults.foreground,
                    text: text.frameTextDefault,
                    ...frame,
                    style: one,
                  },
          })
        }
      />
      {frame !== undefined && (
        <>
          {frame.style !== 'border' && (
            <Field
              label={text.frameText}
              hint={text.frameTextHint}
              problem={problem}
              maxLength={limits.frameTextCharsMax}
              value={frame.text ?? ''}
              onChange={(event) => onChange({ frame: { ...frame, text: event.target.value } })}
            />
          )}
          <div className="grid gap-4 sm:grid-cols-2">
            <ColorField
              label={text.frameColor}
              value={frame.color ?? style.foregroundColor ?? pictureDefaults.foreground}
              onChange={(color) => onChange({ frame: { ...frame, color } })}
            />
            {frame.style !== 'border' && (
              <ColorField
                label={text.textColor}
                value={frame.textColor ?? lightColor(style)}
                onChange={(textColor) => onChange({ frame: { ...frame, textColor } })}
              />
            )}
          </div>
        </>
      )}
    </>
  )
}
