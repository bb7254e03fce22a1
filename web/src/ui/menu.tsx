import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'

const contentClass =
  'z-40 max-h-(--radix-dropdown-menu-content-available-height) min-w-56 overflow-auto rounded-card border border-line bg-surface p-1.5 shadow-lg'
/** Classes of a menu item, also for links and choices in a menu. */
export const menuItemClass =
  'flex min-h-10 cursor-pointer items-center gap-2 rounded-control px-3 text-sm outline-none data-disabled:cursor-default data-disabled:opacity-50 data-highlighted:bg-raised'

type Props = {
  /** Button that opens the menu. It receives the behavior and the state. */
  trigger: ReactNode
  align?: 'start' | 'end'
  children: ReactNode
}

/** Shows a button that opens a list of actions. */
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

/** Shows a menu item that leads to another page. Its child is a link. */
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
