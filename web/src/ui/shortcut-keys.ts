import { useEffect } from 'react'

/** Inputs that take no letters. */
const ticks: ReadonlySet<string> = new Set(['checkbox', 'radio'])

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)) &&
  !(target instanceof HTMLInputElement && ticks.has(target.type))

/** Does something when a single key is pressed on the page, and not while somebody writes or a window is open. */
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
