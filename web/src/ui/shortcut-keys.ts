import { useEffect } from 'react'

/** Types of input that take no letters. */
const ticks: ReadonlySet<string> = new Set(['checkbox', 'radio'])

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)) &&
  !(target instanceof HTMLInputElement && ticks.has(target.type))

/**
 * Runs a function when a single key is pressed on the page, but not while the user is writing or a
 * dialog is open.
 */
export function useShortcut(key: string, run: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== key || event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented)
        return
      if (isWriting(event.target) || document.querySelector('[role=dialog]') !== null) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [key, run])
}
