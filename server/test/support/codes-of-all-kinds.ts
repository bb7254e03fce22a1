import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { AnyCreateQrCode, Client, TypedQrCode } from '@everscan/client/create-client.ts'

const perBatch = 100

/** Creates codes of every kind of answer, in turn. */
export async function createCodesOfAllKinds(
  client: Client,
  orgId: string,
  count: number,
): Promise<TypedQrCode[]> {
  const codes: TypedQrCode[] = []
  for (let from = 0; from < count; from += perBatch) {
    const some = Array.from({ length: Math.min(perBatch, count - from) }, (_, i) => created(from + i))
    const { data, errors } = await client.batches.create(orgId, some)
    assert.deepEqual(errors, [])
    codes.push(...data)
    const archived = data.filter(({ name }) => name === 'Archived').map(({ id }) => id)
    await client.batches.update(orgId, archived, { status: 'ARCHIVED' })
  }
  return codes
}

/** An answer to a scan, as far as a visitor sees it. */
export type Answer = { status: number; type: string | undefined; location: string | undefined; body: string }

/** Asks for a path of a host, as a browser in English does. */
export async function answerOf(port: number, host: string, path: string): Promise<Answer> {
  const headers = { host, 'accept-language': 'en' }
  const asked = request({ host: '127.0.0.1', port, path, headers }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const body = await text(response)
  const { statusCode: status = 0, headers: sent } = response
  const isRedirect = status === 302
  return {
    status,
    type: isRedirect ? undefined : sent['content-type'],
    // Caddy's settings need braces percent-encoded.
    location: sent.location?.replaceAll('{', '%7B').replaceAll('}', '%7D'),
    // nginx adds a page to a redirect, which nobody sees.
    body: isRedirect ? '' : body,
  }
}

const created = (i: number): AnyCreateQrCode => {
  const name = `Code ${i}`
  const url = `https://example.com/${i}?a=$b&q={x}\`;'"#$c`
  const closed = { message: `Closed ${i}` }
  const kinds: readonly (() => AnyCreateQrCode)[] = [
    () => ({ type: 'URL', name, data: { url } }),
    () => ({ type: 'TEXT', name, data: { text: `Text ${i} <b>` } }),
    () => ({ type: 'VCARD', name, data: { firstName: 'Ada', lastName: `No ${i}`, phone: '+4930123' } }),
    () => ({ type: 'WIFI', name, data: { ssid: `Net ${i}`, password: 'secret12', encryption: 'WPA' } }),
    () => ({ type: 'URL', name, data: { url }, access: { startsAt: '2099-01-01T00:00:00Z', closed } }),
    () => ({ type: 'URL', name, data: { url }, access: { endsAt: '2020-01-01T00:00:00Z', closed } }),
    () => ({
      type: 'URL',
      name,
      data: { url },
      access: { endsAt: '2020-01-01T00:00:00Z', closed: { url: `https://example.com/closed/${i}` } },
    }),
    () => ({ type: 'URL', name: 'Archived', data: { url } }),
    () => ({
      type: 'APP',
      name,
      data: { iosUrl: 'https://apps.apple.com/app/id1', fallbackUrl: `https://example.com/app/${i}` },
    }),
    () => ({ type: 'URL', name, shortCode: `Shop-Oil-${i}`, data: { url } }),
  ]
  return (kinds[i % kinds.length] ?? assert.fail())()
}
