import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import { mergeStyle, type Style, type UpdateStyle } from '@everscan/contract/resources/styles.ts'
import { BookmarkPlus } from 'lucide-react'
import { useState } from 'react'
import { isSame } from './code-drafts.ts'
import { stylePresets } from '../codes/style-presets.ts'
import { editorWords } from '../words/editor-words.ts'
import { Button } from '../ui/button.tsx'
import { Folded } from '../ui/options.tsx'
import { Card } from '../ui/surfaces.tsx'
import type { FormPaths } from './schema-fields.tsx'
import { SaveStyleDialog } from './save-style-dialog.tsx'
import { StyleColors } from './style-colors.tsx'
import { StyleFineTuning } from './style-fine-tuning.tsx'
import { StyleFrame } from './style-frame.tsx'
import { StyleLogo } from './style-logo.tsx'
import { StyleShapes } from './style-shapes.tsx'
import { StyleThumbnail } from './style-thumbnail.tsx'

const text = editorWords.style

type Props = {
  orgId: string
  style: Style
  saved: readonly SavedStyle[]
  form: FormPaths
  onChange: (style: Style) => void
}

/** Edits the look of a code: a style to start from, and every part of it. */
export function StyleCard({ orgId, style, saved, form, onChange }: Props) {
  const [isSaving, setSaving] = useState(false)
  const change = (changes: UpdateStyle) => onChange(mergeStyle(style, changes))
  const part = { style, onChange: change }
  return (
    <Card title={text.title}>
      <Looks
        legend={text.presets}
        looks={stylePresets.map(([name, look]) => ({ id: name, name: text.presetNames[name], style: look }))}
        style={style}
        // A logo is not part of a preset, so it stays.
        onChoose={(look) => onChange({ ...look, ...(style.logo && { logo: style.logo }) })}
        keepsLogo
      />
      {saved.length > 0 && (
        <Looks
          legend={text.saved}
          // A changed style has another picture.
          looks={saved.map((one) => ({ ...one, id: `${one.id} ${one.updatedAt}` }))}
          style={style}
          onChoose={onChange}
        />
      )}
      <div className="mb-3">
        <Button onClick={() => setSaving(true)}>
          <BookmarkPlus size={16} aria-hidden />
          {text.saveAs}
        </Button>
      </div>
      <Folded title={text.colors} open>
        <StyleColors {...part} />
      </Folded>
      <Folded title={text.shapes}>
        <StyleShapes {...part} />
      </Folded>
      <Folded title={text.logo} open={style.logo !== undefined}>
        <StyleLogo {...part} problem={form.problemAt('style.logo.dataUri')} />
      </Folded>
      <Folded title={text.frame} open={style.frame !== undefined}>
        <StyleFrame {...part} problem={form.problemAt('style.frame.text')} />
      </Folded>
      <Folded title={text.fine}>
        <StyleFineTuning {...part} />
      </Folded>
      {isSaving && <SaveStyleDialog orgId={orgId} style={style} onClose={() => setSaving(false)} />}
    </Card>
  )
}

type Look = { id: string; name: string; style: Style }

function Looks({
  legend,
  looks,
  style,
  onChoose,
  keepsLogo = false,
}: {
  legend: string
  looks: readonly Look[]
  style: Style
  onChoose: (style: Style) => void
  keepsLogo?: boolean
}) {
  const { logo: _logo, ...withoutLogo } = style
  return (
    <div role="group" aria-label={legend} className="mb-4">
      <p aria-hidden className="mb-2 text-sm font-medium">
        {legend}
      </p>
      <div className="grid grid-cols-4 gap-2 sm:grid-cols-5">
        {looks.map((look) => (
          <button
            key={look.id}
            type="button"
            aria-pressed={isSame(keepsLogo ? withoutLogo : style, look.style)}
            onClick={() => onChoose(look.style)}
            className="flex min-w-0 cursor-pointer flex-col items-center gap-1 rounded-control border border-line p-1.5 text-xs hover:bg-raised aria-pressed:border-brand aria-pressed:ring-1 aria-pressed:ring-brand"
          >
            <StyleThumbnail id={look.id} style={look.style} />
            <span className="-mx-1 max-w-[calc(100%+0.5rem)] truncate">{look.name}</span>
          </button>
        ))}
      </div>
    </div>
  )
}
