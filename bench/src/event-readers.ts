// Readers of the live stream in a separate process, so that reading doesn't slow the generator of
// scans.
import { get } from 'node:http'

export type ReadersOrder = {
  url: string
  apiKey: string
  /** The code of each reader; null for all codes. */
  codes: readonly (string | null)[]
}
/** The age of each scan when a reader received it. */
export type ReadersResult = { latenciesMs: readonly number[] }

const latenciesMs: number[] = []

function read(url: string, apiKey: string): void {
  get(url, { headers: { 'x-api-key': apiKey }, agent: false }, (response) => {
    let rest = ''
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      const nowMs = Date.now()
      const text = rest + chunk
      const end = text.lastIndexOf('\n') + 1
      for (const [, time = ''] of text.slice(0, end).matchAll(/"createdAt":"([^"]+)"/g))
        latenciesMs.push(nowMs - Date.parse(time))
      rest = text.slice(end)
    })
    response.on('error', () => undefined)
  })
}

process.on('message', (message: ReadersOrder | 'end') => {
  if (message === 'end') process.send?.({ latenciesMs } satisfies ReadersResult)
  else
    for (const code of message.codes)
      read(message.url + (code === null ? '' : `&qrCodeId=${code}`), message.apiKey)
})
