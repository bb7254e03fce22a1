/** Copies a text, also where browsers keep their clipboard from pages: over plain http, as on a network of one's own. */
export async function copyText(text: string): Promise<void> {
  // oxlint-disable-next-line no-unnecessary-condition -- absent over plain http, whatever the types say
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('aria-hidden', 'true')
  area.style.position = 'fixed'
  const focused = document.activeElement
  // Beside the button: a window over the page lets nothing outside of it have the focus.
  ;(focused?.parentElement ?? document.body).append(area)
  area.select()
  // oxlint-disable-next-line no-deprecated -- the only way that is left
  document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
}
