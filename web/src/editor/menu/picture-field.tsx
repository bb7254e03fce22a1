import { ImagePlus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { commonWords } from '../../words/common-words.ts'
import { menuWords } from '../../words/menu-words.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/surfaces.tsx'

const text = menuWords
/** SVG is drawn here, because pages show pictures of pixels only. */
const fileTypes = 'image/png,image/jpeg,image/webp,image/svg+xml'

type Props = {
  label: string
  hint: string
  picture: string
  problem: string | undefined
  /** Makes a file small enough. Rejects if it is not a picture. */
  read: (file: File) => Promise<string>
  onChange: (picture: string | undefined) => void
}

/** Chooses a picture, shows it, and removes it. */
export function PictureField({ label, hint, picture, problem, read, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [isBroken, setBroken] = useState(false)
  const choose = async (file: File) => {
    setBroken(false)
    try {
      onChange(await read(file))
    } catch {
      setBroken(true)
    }
  }
  return (
    <fieldset className="grid min-w-0 content-start gap-2">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {(isBroken || problem !== undefined) && (
        <Notice kind="problem">{isBroken ? text.pictureBroken : problem}</Notice>
      )}
      {picture !== '' && (
        <img
          src={picture}
          alt={label}
          className="h-24 max-w-full justify-self-start rounded-control border border-line bg-white object-contain"
        />
      )}
      <div className="relative flex flex-wrap gap-2">
        <input
          ref={input}
          type="file"
          accept={fileTypes}
          aria-label={`${label}${commonWords.colon} ${text.choosePicture}`}
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            if (file !== undefined) void choose(file)
          }}
        />
        <Button onClick={() => input.current?.click()}>
          <ImagePlus size={16} aria-hidden />
          {picture === '' ? text.choosePicture : text.replacePicture}
        </Button>
        {picture !== '' && (
          <Button look="quiet" onClick={() => onChange(undefined)}>
            <Trash2 size={16} aria-hidden />
            {text.removePicture}
          </Button>
        )}
      </div>
      <p className="text-sm text-soft">{hint}</p>
    </fieldset>
  )
}
