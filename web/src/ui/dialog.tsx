import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useState, type ReactNode } from 'react'
import { commonWords } from '../words/common-words.ts'
import { Button, buttonClass } from './button.tsx'
import { Notice } from './surfaces.tsx'
import { problemText } from './problems.ts'

type Props = {
  title: string
  /** Purpose in one sentence. Screen readers read it when the dialog opens. */
  text?: string
  /** Without it, the user must choose one of the buttons inside. */
  onClose?: () => void
  wide?: boolean | 'page'
  children?: ReactNode
}

const widths: Readonly<Record<string, string>> = {
  false: 'sm:max-w-md',
  true: 'sm:max-w-2xl',
  page: 'sm:max-w-5xl',
}

/**
 * Shows a window over the page while it is rendered. It keeps the focus, and gives it back. It
 * closes with Escape, a press beside it, or its cross. If it can open over another window, its
 * first control needs `data-autofocus` besides `autoFocus`.
 */
export function Dialog({ title, text, onClose, wide = false, children }: Props) {
  const [opener] = useState(() => document.activeElement)
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose?.()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 bg-black/50" />
        <Radix.Content
          {...(text === undefined && { 'aria-describedby': undefined })}
          onOpenAutoFocus={focusMarked}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (opener instanceof HTMLElement) opener.focus()
          }}
          className={`fixed inset-x-3 bottom-3 z-30 max-h-[calc(100dvh-1.5rem)] overflow-auto rounded-card border border-line bg-surface p-5 shadow-xl sm:inset-x-auto sm:bottom-auto sm:start-1/2 sm:top-1/2 sm:w-[calc(100%-1.5rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:p-6 rtl:sm:translate-x-1/2 ${widths[String(wide)] ?? ''}`}
        >
          <div className="mb-3 flex items-start gap-3">
            <Radix.Title className="flex-1 pt-1.5 text-lg font-semibold">{title}</Radix.Title>
            {onClose !== undefined && (
              <Radix.Close aria-label={commonWords.close} className={`${buttonClass('quiet')} -me-2`}>
                <X size={18} aria-hidden />
              </Radix.Close>
            )}
          </div>
          {text !== undefined && <Radix.Description className="mb-4 text-soft">{text}</Radix.Description>}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The attribute `autoFocus` works too early over another window, which still keeps the focus. */
function focusMarked(event: Event): void {
  const marked = (event.currentTarget as HTMLElement).querySelector<HTMLElement>('[data-autofocus]')
  if (marked === null) return
  event.preventDefault()
  marked.focus()
}

type FormButtonsProps = {
  /** Label of the button that sends the form: a verb and a noun. */
  action: string
  look?: 'primary' | 'danger'
  busy: boolean
  disabled?: boolean
  onClose: () => void
  /** Stands beside the buttons, or above them. */
  children?: ReactNode
}

/** Ends the form of a dialog: with the button that sends it, and the one that does not. */
export function FormButtons(props: FormButtonsProps) {
  const { action, look = 'primary', busy, disabled = false, onClose, children } = props
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {children}
      <Button onClick={onClose}>{commonWords.cancel}</Button>
      <Button type="submit" look={look} busy={busy} disabled={disabled}>
        {action}
      </Button>
    </div>
  )
}

type ConfirmProps = {
  title: string
  text: string
  /** Label of the button that runs the action: a verb and a noun. */
  action: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks before an action that cannot be undone, and reports its failure. */
export function ConfirmDialog({ title, text, action, onConfirm, onClose }: ConfirmProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setProblem(error)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} text={text} onClose={onClose}>
      {problem !== undefined && (
        <div className="mb-4">
          <Notice kind="problem">{problemText(problem)}</Notice>
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{commonWords.cancel}</Button>
        <Button look="danger" busy={busy} onClick={() => void confirm()}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
