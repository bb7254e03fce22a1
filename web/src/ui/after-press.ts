/** Longer than anybody presses who does not drag. */
const pressMsMax = 1_000

/**
 * Does something now, or when the pointer that is down is up again: what moves the page between the two would take the button that is
 * pressed away from under it.
 */
export function afterPress(run: () => void): void {
  if (document.querySelector('body :active') === null) return run()
  const released = new AbortController()
  const end = () => {
    if (released.signal.aborted) return
    released.abort()
    // Behind the click.
    setTimeout(run)
  }
  addEventListener('mouseup', end, { capture: true, signal: released.signal })
  setTimeout(end, pressMsMax)
  return undefined
}
