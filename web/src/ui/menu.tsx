import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'

const contentClass =
  'z-40 max-h-(--radix-dropdown-menu-content-available-height) min-w-56 overflow-auto rounded-card border border-line bg-surface p-1.5 shadow-lg'
/** The look of a line of a menu, also for links and choices in it. */
export const menuItemClass =
  'flex min-h-10 cursor-pointer items-center gap-2 rounded-control px-3 text-sm outline-none data-disabled:cursor-default data-disabled:opacity-50 data-highlighted:bg-raised'

type Props = {
  /** The button that opens it; it gets its behaviour and its state. */
  trigger: ReactNode
  align?: 'start' | 'end'
  children: ReactNode
}

/** A button that opens a list of things to do. */
export function Menu({ trigger, align = 'end', children }: Props) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align={align} sideOffset={6} className={contentClass}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

type ItemProps = { onSelect: () => void; danger?: boolean; disabled?: boolean; children: ReactNode }

export function MenuItem({ onSelect, danger = false, disabled = false, children }: ItemProps) {
  return (
    <DropdownMenu.Item
      disabled={disabled}
      onSelect={onSelect}
      className={`${menuItemClass} ${danger ? 'text-danger' : ''}`}
    >
      {children}
    </DropdownMenu.Item>
  )
}

/** A line of a menu that leads to another page: its child is a link. */
export function MenuLink({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Item asChild className={menuItemClass}>
      {children}
    </DropdownMenu.Item>
  )
}

export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />
}
