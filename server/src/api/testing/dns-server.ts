import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

/** Records by name in lower case and kind. */
export type Zone = Record<string, Partial<Record<'TXT' | 'A' | 'CNAME', readonly string[]>>>

/** RFC 1035, section 3.2.2. */
const kinds = { 1: 'A', 5: 'CNAME', 16: 'TXT' } as const

/**
 * Starts a DNS server over UDP on a free port of this machine. It answers from `zone`, which a test
 * may change; a name that is not there does not exist. With `isBroken` it answers SERVFAIL.
 */
export async function startDnsServer(zone: Zone) {
  const socket = createSocket('udp4')
  const state = { isBroken: false }
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query, 12)
    const kind = kinds[query.readUInt16BE(end) as keyof typeof kinds]
    const records = zone[name.toLowerCase()]
    const values = state.isBroken || kind === undefined ? [] : (records?.[kind] ?? [])
    const code = state.isBroken ? 2 : records === undefined ? 3 : 0
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8580 | code, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(values.length, 6)
    const answers = values.map((value) => record(query.readUInt16BE(end), value))
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...answers]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    state,
    close: () => socket.close(),
  }
}

function readName(message: Buffer, from: number): { name: string; end: number } {
  const labels: string[] = []
  let at = from
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}

/** Returns a record of the name in the question. */
function record(kind: number, value: string): Buffer {
  const data = dataOf(kind, value)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(kind, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function dataOf(kind: number, value: string): Buffer {
  if (kind === 1 && isIPv4(value)) return Buffer.from(value.split('.').map(Number))
  const parts = kind === 16 ? [value] : [...value.split('.'), '']
  return Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length]), Buffer.from(part)]))
}
