import { FileUp } from 'lucide-react'
import { useState, type DragEvent } from 'react'

type Props = {
  label: string
  /** Text below the label, such as "or choose one". */
  action: string
  hint: string
  /** Types that a file chooser offers, such as ".csv". */
  accept: string
  onFile: (file: File) => void
}

/** Takes a file that is dropped, or chosen after a press. */
export function FileDrop({ label, action, hint, accept, onFile }: Props) {
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file !== undefined) onFile(file)
  }
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`flex min-h-52 cursor-pointer flex-col items-center justify-center gap-1 rounded-card border-2 border-dashed p-6 text-center outline-offset-2 outline-brand transition-colors focus-within:outline-2 hover:border-brand ${over ? 'border-brand bg-raised' : 'border-line'}`}
    >
      <FileUp size={32} aria-hidden className="mb-2 text-soft" />
      <span className="font-medium">{label}</span>
      <span className="text-brand underline underline-offset-2">{action}</span>
      <span className="mt-2 text-sm text-soft">{hint}</span>
      <input
        type="file"
        accept={accept}
        className="sr-only"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // Lets the user choose the same file again after fixing it.
          event.target.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
    </label>
  )
}
