import { useEffect } from 'react'

let count = 0

/** Whether a page has something that would be lost if the user left now. */
export const hasUnsaved = () => count > 0

/** Tells while it is rendered with `true` that the page has something unsaved. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined
    count++
    return () => {
      count--
    }
  }, [isUnsaved])
}

let isGivenUp = false

/** Whether the user has decided to lose what is unsaved, so that the browser must not ask again. */
export const hasGivenUp = () => isGivenUp

/** Loads the page anew, without what is unsaved. */
export function loadAnew(): void {
  isGivenUp = true
  location.reload()
}
