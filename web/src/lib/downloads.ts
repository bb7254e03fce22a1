import type { Download } from '@everscan/client/create-client.ts'

/** Hands a file to the browser under the name that the service gave it. */
export function saveFile({ bytes, contentType, fileName }: Download): void {
  const address = URL.createObjectURL(new Blob([bytes], { type: contentType }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // Some browsers begin to read it a little later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
