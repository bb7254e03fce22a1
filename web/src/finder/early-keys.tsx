import { useLayoutEffect } from 'react'

/** Keys that the user pressed before the window was there. */
export type EarlyKeys = { text: string; hasEntered: boolean }

/** Takes keys while the window loads. Otherwise they would work on the page below. */
export function EarlyKeyTaker({ keys: early, onClose }: { keys: EarlyKeys; onClose: () => void }) {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key } = event
      if (event.metaKey || event.ctrlKey || event.altKey) return
      if (key === 'Escape') onClose()
      else if (key === 'Enter') early.hasEntered = true
      else if (key === 'Backspace') early.text = early.text.slice(0, -1)
      else if (key.length === 1) early.text += key
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('keydown', press, { capture: true })
    return () => removeEventListener('keydown', press, { capture: true })
  }, [early, onClose])
  return null
}
