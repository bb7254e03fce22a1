/**
 * Copies a text, even where browsers deny pages the clipboard: over plain http, as on a private
 * network.
 */
export async function copyText(text: string): Promise<void> {
  // oxlint-disable-next-line no-unnecessary-condition -- absent over plain http, despite the types
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('aria-hidden', 'true')
  area.style.position = 'fixed'
  const focused = document.activeElement
  // Added beside the button, because an open dialog lets nothing outside of it have the focus.
  ;(focused?.parentElement ?? document.body).append(area)
  area.select()
  // oxlint-disable-next-line no-deprecated -- the only way that is left
  document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
}
