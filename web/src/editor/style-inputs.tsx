import { useState } from 'react'
import { editorWords } from '../words/editor-words.ts'
import { inputClass, Labelled } from '../ui/field.tsx'
import { Checkbox } from '../ui/checkbox.tsx'

const text = editorWords.style
const hexPattern = /^#?([0-9a-f]{6})$/i

type ColorProps = {
  label: string
  value: string
  onChange: (color: string) => void
}

/** Edits a color, with the color picker of the device or as a hex value. */
export function ColorField({ label, value, onChange }: ColorProps) {
  const [typed, setTyped] = useState(value)
  const [shownFor, setShownFor] = useState(value)
  // Shows a color that was chosen elsewhere, by a preset or the color picker.
  if (shownFor !== value) {
    setShownFor(value)
    setTyped(value)
  }
  return (
    <Labelled label={label}>
      {({ className: _look, ...described }) => (
        <div className="flex gap-2">
          <input
            {...described}
            type="color"
            value={value.toLowerCase()}
            onChange={(event) => onChange(event.target.value.toUpperCase())}
            className="h-10 w-12 shrink-0 cursor-pointer rounded-control border border-line bg-surface p-1"
          />
          <input
            aria-label={text.hex(label)}
            dir="ltr"
            value={typed}
            maxLength={7}
            spellCheck={false}
            onChange={(event) => {
              setTyped(event.target.value)
              const [, hex] = hexPattern.exec(event.target.value.trim()) ?? []
              if (hex === undefined) return
              const color = `#${hex.toUpperCase()}`
              setShownFor(color)
              onChange(color)
            }}
            onBlur={() => setTyped(value)}
            className={`${inputClass} min-w-0 font-mono text-sm`}
          />
        </div>
      )}
    </Labelled>
  )
}

/** Edits a color that follows another one until it gets its own. */
export function OwnColorField({
  label,
  value,
  follows,
  onChange,
}: {
  label: string
  value: string | undefined
  /** Color that it follows. */
  follows: string
  onChange: (color: string | null) => void
}) {
  return (
    <div className="grid content-start gap-1">
      <Checkbox
        withLabel
        label={text.own(label)}
        checked={value !== undefined}
        onChange={({ target }) => onChange(target.checked ? follows : null)}
      />
      {value !== undefined && <ColorField label={label} value={value} onChange={onChange} />}
    </div>
  )
}

/** Edits a number on a scale, and shows it beside the scale as people say it. */
export function Slider({
  label,
  hint,
  value,
  min,
  max,
  step = 1,
  shown,
  onChange,
}: {
  label: string
  hint?: string
  value: number
  min: number
  max: number
  step?: number
  shown: string
  onChange: (value: number) => void
}) {
  return (
    <Labelled label={label} hint={hint}>
      {({ className: _look, ...described }) => (
        <div className="flex min-h-10 items-center gap-3">
          <input
            {...described}
            type="range"
            value={value}
            min={min}
            max={max}
            step={step}
            aria-valuetext={shown}
            onChange={(event) => onChange(Number(event.target.value))}
            className="min-w-0 flex-1 cursor-pointer accent-brand"
          />
          <span className="w-24 text-end text-sm text-soft tabular-nums">{shown}</span>
        </div>
      )}
    </Labelled>
  )
}
