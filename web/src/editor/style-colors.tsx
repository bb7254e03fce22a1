import type { Gradient } from '@everscan/contract/resources/styles.ts'
import { pictureDefaults } from '@everscan/qr/picture.ts'
import { editorWords } from '../words/editor-words.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Options } from '../ui/options.tsx'
import type { StylePartProps } from './style-parts.ts'
import { ColorField, OwnColorField, Slider } from './style-inputs.tsx'

const text = editorWords.style

export function StyleColors({ style, onChange }: StylePartProps) {
  const { gradient } = style
  const { from, to } = fillOf(style)
  const begin = (type: Gradient['type']): Gradient => ({
    type,
    ...(type === 'linear' && { angle: gradient?.angle ?? 45 }),
    colors: [from, to],
  })
  return (
    <>
      <Options
        legend={text.fill}
        value={gradient?.type ?? 'plain'}
        options={[
          ['plain', text.fills.plain],
          ['linear', text.fills.linear],
          ['radial', text.fills.radial],
        ]}
        onChoose={(fill) =>
          onChange(fill === 'plain' ? { gradient: null, foregroundColor: from } : { gradient: begin(fill) })
        }
      />
      <FillColors style={style} onChange={onChange} />
      <div className="grid gap-4 sm:grid-cols-2">
        <OwnColorField
          label={text.cornerSquare}
          value={style.cornerSquareColor}
          follows={from}
          onChange={(cornerSquareColor) => onChange({ cornerSquareColor })}
        />
        <OwnColorField
          label={text.cornerDot}
          value={style.cornerDotColor}
          follows={style.cornerSquareColor ?? from}
          onChange={(cornerDotColor) => onChange({ cornerDotColor })}
        />
      </div>
      <div>
        <Checkbox
          withLabel
          label={text.transparent}
          checked={style.transparent === true}
          onChange={({ target }) => onChange({ transparent: target.checked ? true : null })}
        />
        <p className="text-sm text-soft">{text.transparentHint}</p>
      </div>
    </>
  )
}

/** Returns the colors of the modules. Without a gradient, all three are the same. */
function fillOf({ foregroundColor, gradient }: StylePartProps['style']) {
  const foreground = foregroundColor ?? pictureDefaults.foreground
  const [from = foreground, to = foreground] = gradient?.colors ?? []
  return { foreground, from, to }
}

function FillColors({ style, onChange }: StylePartProps) {
  const { gradient } = style
  const { foreground, from, to } = fillOf(style)
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {gradient === undefined ? (
        <ColorField
          label={text.foreground}
          value={foreground}
          onChange={(foregroundColor) => onChange({ foregroundColor })}
        />
      ) : (
        <>
          <ColorField
            label={text.from}
            value={from}
            onChange={(color) => onChange({ gradient: { ...gradient, colors: [color, to] } })}
          />
          <ColorField
            label={text.to}
            value={to}
            onChange={(color) => onChange({ gradient: { ...gradient, colors: [from, color] } })}
          />
        </>
      )}
      <ColorField
        label={text.background}
        value={style.backgroundColor ?? pictureDefaults.background}
        onChange={(backgroundColor) => onChange({ backgroundColor })}
      />
      {gradient?.type === 'linear' && (
        <Slider
          label={text.angle}
          value={gradient.angle ?? 0}
          min={0}
          max={360}
          step={15}
          shown={text.degrees(String(gradient.angle ?? 0))}
          onChange={(angle) => onChange({ gradient: { ...gradient, angle } })}
        />
      )}
    </div>
  )
}
