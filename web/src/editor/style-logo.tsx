import { ImagePlus, Trash2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { formatNumber } from '../ui/format.ts'
import { logoFileTypes, readLogoFile } from './logo-files.ts'
import { editorWords } from '../words/editor-words.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Notice } from '../ui/surfaces.tsx'
import type { StylePartProps } from './style-parts.ts'
import { Slider } from './style-inputs.tsx'

const text = editorWords.style

export function StyleLogo({
  style: { logo },
  onChange,
  problem,
}: StylePartProps & { problem: string | undefined }) {
  const [isBroken, setBroken] = useState(false)
  const hintId = useId()
  const choose = async (file: File) => {
    setBroken(false)
    try {
      const dataUri = await readLogoFile(file)
      onChange({ logo: { ...logo, dataUri } })
    } catch {
      setBroken(true)
    }
  }
  return (
    <>
      {(isBroken || problem !== undefined) && (
        <Notice kind="problem">{isBroken ? text.logoBroken : problem}</Notice>
      )}
      <LogoFile logo={logo} hintId={hintId} onFile={choose} onChange={onChange} />
      <p id={hintId} className="text-sm text-soft">
        {text.logoHint}
      </p>
      {logo !== undefined && <LogoFit logo={logo} onChange={onChange} />}
    </>
  )
}

type Logo = NonNullable<StylePartProps['style']['logo']>
type FileProps = Pick<StylePartProps, 'onChange'> & {
  logo: Logo | undefined
  hintId: string
  onFile: (file: File) => Promise<void>
}

function LogoFile({ logo, hintId, onFile, onChange }: FileProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="relative flex flex-wrap items-center gap-3">
      {logo !== undefined && (
        <img
          src={logo.dataUri}
          alt=""
          className="size-12 rounded-control border border-line bg-white object-contain"
        />
      )}
      <input
        ref={input}
        type="file"
        accept={logoFileTypes}
        aria-label={text.logoUpload}
        aria-describedby={hintId}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file !== undefined) void onFile(file)
        }}
      />
      <Button onClick={() => input.current?.click()}>
        <ImagePlus size={16} aria-hidden />
        {logo === undefined ? text.logoUpload : text.logoReplace}
      </Button>
      {logo !== undefined && (
        <Button look="quiet" onClick={() => onChange({ logo: null })}>
          <Trash2 size={16} aria-hidden />
          {text.logoRemove}
        </Button>
      )}
    </div>
  )
}

function LogoFit({ logo, onChange }: Pick<StylePartProps, 'onChange'> & { logo: Logo }) {
  const { scale = 0.2, margin = 1, round } = logo
  const percent = Math.round(scale * 100)
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Slider
          label={text.logoSize}
          value={percent}
          min={10}
          max={30}
          shown={text.percent(String(percent))}
          onChange={(next) => onChange({ logo: { ...logo, scale: next / 100 } })}
        />
        <Slider
          label={text.logoMargin}
          value={margin}
          min={0}
          max={4}
          step={0.5}
          shown={text.modules(margin, formatNumber(margin))}
          onChange={(next) => onChange({ logo: { ...logo, margin: next } })}
        />
      </div>
      <Checkbox
        withLabel
        label={text.logoRound}
        checked={round === true}
        onChange={({ target }) => onChange({ logo: { ...logo, round: target.checked } })}
      />
    </>
  )
}
