// Readers of the live stream in a process of their own, so that reading is not what the generator of scans waits for.
import { get } from 'node:http'

export type ReadersOrder = {
  url: string
  apiKey: string
  /** The code that each reader follows; null: all. */
  codes: readonly (string | null)[]
}
/** How old each scan was when a reader had it. */
export type ReadersResult = { latenciesMs: readonly number[] }

const latenciesMs: number[] = []

function read(url: string, apiKey: string): void {
  get(url, { headers: { 'x-api-key': apiKey }, agent: false }, (answer) => {
    let rest = ''
    answer.setEncoding('utf8')
    answer.on('data', (chunk: string) => {
      const nowMs = Date.now()
      const text = rest + chunk
      const end = text.lastIndexOf('\n') + 1
      for (const [, time = ''] of text.slice(0, end).matchAll(/"createdAt":"([^"]+)"/g))
        latenciesMs.push(nowMs - Date.parse(time))
      rest = text.slice(end)
    })
    answer.on('error', () => undefined)
  })
}

process.on('message', (message: ReadersOrder | 'end') => {
  if (message === 'end') process.send?.({ latenciesMs } satisfies ReadersResult)
  else
    for (const code of message.codes)
      read(message.url + (code === null ? '' : `&qrCodeId=${code}`), message.apiKey)
})
