import type { Download } from '@everscan/client/create-client.ts'

/** Long enough for every browser to have begun to read it. */
const keptMs = 60_000

/** Hands what was downloaded to the person, under the name that the service gave it. */
export function saveDownload({ bytes, contentType, fileName }: Download): void {
  saveFile(new Blob([bytes], { type: contentType }), fileName)
}

/** Hands a file to the person, as their browser saves downloads. */
export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), keptMs)
}

/** A table as a file. The mark at its beginning tells spreadsheets that it is UTF-8. */
export function saveCsv(csv: string, fileName: string): void {
  saveFile(new Blob(['\ufeff', csv], { type: 'text/csv;charset=utf-8' }), fileName)
}
