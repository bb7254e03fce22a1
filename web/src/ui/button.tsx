import type { ButtonHTMLAttributes } from 'react'

const looks = {
  primary: 'bg-brand text-on-brand hover:bg-brand-strong border-transparent',
  plain: 'bg-surface text-ink hover:bg-raised border-line',
  quiet: 'bg-transparent text-soft hover:text-ink hover:bg-raised border-transparent',
  danger: 'bg-danger text-on-danger hover:opacity-90 border-transparent',
} as const

export type ButtonLook = keyof typeof looks

/** Returns the classes of a button, also for links in the place of one. */
export function buttonClass(look: ButtonLook = 'plain'): string {
  return `inline-flex min-h-10 cursor-pointer items-center justify-center gap-2 rounded-control border px-3.5 py-2 text-sm font-medium transition-colors disabled:cursor-default disabled:opacity-60 ${looks[look]}`
}

/** Classes of a button that is only an icon. */
export const iconButtonClass =
  'inline-flex size-10 shrink-0 cursor-pointer items-center justify-center rounded-control text-soft transition-colors hover:bg-raised hover:text-ink'

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { look?: ButtonLook; busy?: boolean | undefined }

/** Shows a button. While it is `busy`, it cannot be pressed again. */
export function Button({ look, busy = false, className = '', type = 'button', disabled, ...props }: Props) {
  return (
    <button
      {...props}
      type={type}
      disabled={disabled === true || busy}
      aria-busy={busy}
      className={`${buttonClass(look)} ${className}`}
    />
  )
}
