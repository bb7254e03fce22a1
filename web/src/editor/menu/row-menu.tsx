import { ArrowDown, ArrowUp, Copy, EllipsisVertical, Trash2, Wheat } from 'lucide-react'
import { menuWords } from '../../words/menu-words.ts'
import { iconButtonClass } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'

const text = menuWords

type Props = {
  /** The dish or section that the actions are for: "dish 3". */
  name: string
  /** Absent: it cannot. */
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  /** Absent: it has no marks. */
  onMarks?: () => void
  onDuplicate: () => void
  onRemove: (() => void) | undefined
}

/** Offers what can be done with a dish or a section. */
export function RowMenu({ name, onUp, onDown, onMarks, onDuplicate, onRemove }: Props) {
  return (
    <Menu
      trigger={
        <button type="button" aria-label={text.actions(name)} className={iconButtonClass}>
          <EllipsisVertical size={18} aria-hidden />
        </button>
      }
    >
      <MenuItem disabled={onUp === undefined} onSelect={() => onUp?.()}>
        <ArrowUp size={16} aria-hidden />
        {text.up}
      </MenuItem>
      <MenuItem disabled={onDown === undefined} onSelect={() => onDown?.()}>
        <ArrowDown size={16} aria-hidden />
        {text.down}
      </MenuItem>
      {onMarks !== undefined && (
        <MenuItem onSelect={onMarks}>
          <Wheat size={16} aria-hidden />
          {text.marks}
        </MenuItem>
      )}
      <MenuItem onSelect={onDuplicate}>
        <Copy size={16} aria-hidden />
        {text.duplicate}
      </MenuItem>
      <MenuLine />
      <MenuItem danger disabled={onRemove === undefined} onSelect={() => onRemove?.()}>
        <Trash2 size={16} aria-hidden />
        {text.remove}
      </MenuItem>
    </Menu>
  )
}
