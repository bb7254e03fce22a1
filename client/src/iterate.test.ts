import assert from 'node:assert/strict'
import { test } from 'node:test'
import { iterate } from './iterate.ts'
import { readAll, toReadableStream } from './streamed-files.ts'
import { json, startFakeService } from './testing/server.ts'

test('iterate yields every record of a list and requests no page before it is needed', async (t) => {
  const { client, received } = await startFakeService(t, (response, { url }) => {
    const page = Number(new URL(url, 'http://service').searchParams.get('page'))
    const data = [{ tag: `a${page}` }, { tag: `b${page}` }]
    json(response, 200, { data, pagination: { page, hasNext: page < 3 } })
  })
  const tags: string[] = []
  for await (const { tag } of iterate((page) => client.tags.list('org_1', { search: 'x', ...page }))) {
    tags.push(tag)
    assert.equal(received.length, Math.ceil(tags.length / 2))
  }
  assert.deepEqual(tags, ['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
  assert.equal(received[2]?.url, '/api/v1/organizations/org_1/tags?search=x&page=3&limit=100')
})

test('a file as a stream becomes bytes or a web stream, and leaving it ends the download', async () => {
  let ended = 0
  const file = () => ({ body: pieces(() => ended++), contentType: 'text/csv', fileName: 'a.csv' })
  assert.equal(new TextDecoder().decode(await readAll(file())), 'a,b\n1,2\n')
  assert.equal(await new Response(toReadableStream(file())).text(), 'a,b\n1,2\n')
  assert.equal(ended, 2)
  const reader = toReadableStream(file()).getReader()
  await reader.read()
  await reader.cancel()
  assert.equal(ended, 3)
})

async function* pieces(onEnd: () => void): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (const text of ['a,b\n', '1,2', '\n']) yield new TextEncoder().encode(text)
  } finally {
    onEnd()
  }
}
