import type { Download } from '@everscan/client/create-client.ts'

/** Long enough for every browser to begin reading the file. */
const keptMs = 60_000

/** Saves a download under the name that the service gave it. */
export function saveDownload({ bytes, contentType, fileName }: Download): void {
  saveFile(new Blob([bytes], { type: contentType }), fileName)
}

/** Saves a file as the browser saves downloads. */
export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), keptMs)
}

/** Saves a table as a file. The mark at its beginning tells spreadsheets that it is UTF-8. */
export function saveCsv(csv: string, fileName: string): void {
  saveFile(new Blob(['\ufeff', csv], { type: 'text/csv;charset=utf-8' }), fileName)
}
