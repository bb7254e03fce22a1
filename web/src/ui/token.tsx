import { X } from 'lucide-react'

/** An entry of a list, with a button that removes it. */
export function Token({
  name,
  removeLabel,
  onRemove,
  isWrong = false,
}: {
  name: string
  removeLabel: string
  onRemove: () => void
  isWrong?: boolean
}) {
  return (
    <li
      className={`flex max-w-full items-center rounded-control bg-raised ps-3 text-sm ${isWrong ? 'text-danger' : ''}`}
    >
      <span className="truncate">{name}</span>
      <button
        type="button"
        aria-label={removeLabel}
        onClick={onRemove}
        className="flex size-10 shrink-0 cursor-pointer items-center justify-center text-soft hover:text-ink"
      >
        <X size={16} aria-hidden />
      </button>
    </li>
  )
}
