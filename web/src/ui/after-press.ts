/** Longer than any press that is not a drag. */
const pressMsMax = 1_000

/**
 * Runs a function now, or after the pointer that is down is released. A shift of the page before
 * the release would move the pressed button away from the pointer.
 */
export function afterPress(run: () => void): void {
  if (document.querySelector('body :active') === null) return run()
  const released = new AbortController()
  const end = () => {
    if (released.signal.aborted) return
    released.abort()
    // After the click.
    setTimeout(run)
  }
  addEventListener('mouseup', end, { capture: true, signal: released.signal })
  setTimeout(end, pressMsMax)
  return undefined
}
