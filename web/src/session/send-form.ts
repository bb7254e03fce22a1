/**
 * Sends a form as `fetch` does, and reports the share that was sent, from 0 to 1. It uses
 * XMLHttpRequest because `fetch` reports nothing about what it sends. Rejects as `fetch` does.
 */
export async function sendForm(
  url: string,
  { method = 'POST', headers, signal }: RequestInit,
  { form, onSent }: { form: FormData; onSent: (share: number) => void },
): Promise<Response> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const request = new XMLHttpRequest()
  request.open(method, url)
  request.responseType = 'arraybuffer'
  for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
  request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total))
  request.addEventListener('load', () => {
    const { status, statusText, response } = request
    resolve(new Response(response as ArrayBuffer, { status, statusText, headers: headersOf(request) }))
  })
  request.addEventListener('error', () => reject(new TypeError('The request failed.')))
  request.addEventListener('abort', () => reject(signal?.reason as Error))
  const abort = () => request.abort()
  signal?.addEventListener('abort', abort)
  onSent(0)
  request.send(form)
  return promise.finally(() => signal?.removeEventListener('abort', abort))
}

function headersOf(request: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const at = line.indexOf(':')
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  return headers
}
