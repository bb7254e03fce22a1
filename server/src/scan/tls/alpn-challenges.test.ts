import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import { connect as connectPlain, type AddressInfo } from 'node:net'
import { before, test, type TestContext } from 'node:test'
import { connect } from 'node:tls'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { changeOfHost } from '../../db/feeds/changes.ts'
import type { AlpnChallenge } from '../../db/scans/certificate-lookup.ts'
import { createSecretBox } from '../../secret-box.ts'
import { createTestIssuer, type TestIssuer } from '../testing/certificates.ts'
import { AlpnChallenges, challengeProtocol } from './alpn-challenges.ts'
import { readClientHello } from './client-hello.ts'

const box = createSecretBox('s'.repeat(32), 'private keys of certificates')
const log = pino({ level: 'silent' })
const hostname = 'go.example.org'
let issuer: TestIssuer
before(async () => {
  issuer = await createTestIssuer()
})

/** A server of https with a certificate of its own, and the challenges that wait beside it. */
async function start(t: TestContext) {
  const rows = new Map<string, AlpnChallenge>()
  const changed: string[] = []
  let reads = 0
  const challenges: AlpnChallenges = new AlpnChallenges({
    read: async (name) => {
      reads++
      await sleep(5)
      return [...rows.values()].filter((row) => name === undefined || row.hostname === name)
    },
    box,
    log,
    readChanges: () => {
      if (changed.length > 0) void challenges.refresh(changed.splice(0))
    },
  })
  await challenges.refresh([])
  const server: Server = createServer(
    { ...(await issuer.issue([hostname])), ALPNProtocols: ['http/1.1'] },
    (_request, response) => void response.end('a visitor'),
  )
  challenges.serve(server)
  server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    add: async (name: string) => {
      const pair = await issuer.issue([`challenge.${name}`])
      rows.set(name, { hostname: name, answer: box.seal(JSON.stringify(pair), name) })
      changed.push(changeOfHost(name))
    },
    remove: (name: string) => {
      rows.delete(name)
      changed.push(changeOfHost(name))
    },
    reads: () => reads,
  }
}

/** Returns what a client gets: the names of the certificate, and the protocol. */
async function shakeHands(port: number, protocols: string[], servername = hostname) {
  const options = { port, host: '127.0.0.1', servername, ALPNProtocols: protocols, rejectUnauthorized: false }
  const socket = connect(options)
  try {
    await once(socket, 'secureConnect')
    return [socket.getPeerCertificate().subjectaltname, socket.alpnProtocol]
  } catch (error) {
    return [(error as NodeJS.ErrnoException).code]
  } finally {
    socket.destroy()
  }
}

/** Sends a request in pieces, and returns the body of the answer. */
async function visit(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', servername: hostname, ca: issuer.ca })
  socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text.split('\r\n\r\n')[1] ?? ''
}

test('an authority gets the challenge of its name while it waits; visitors of that name notice nothing', async (t) => {
  const { port, add, remove, reads } = await start(t)
  const own = [`DNS:${hostname}`, 'http/1.1']
  assert.deepEqual(await shakeHands(port, ['h2', 'http/1.1']), own)
  const known = reads()
  await add(hostname)
  const challenge = [`DNS:challenge.${hostname}`, challengeProtocol]
  assert.deepEqual(await shakeHands(port, [challengeProtocol]), challenge, 'in the next handshake')
  assert.equal(reads(), known + 1)
  assert.deepEqual(await shakeHands(port, [challengeProtocol], 'GO.example.org'), challenge)
  assert.deepEqual(await shakeHands(port, ['http/1.1']), own)
  assert.match((await visit(port)).replaceAll('\r\n', ''), /a visitor/)
  assert.notEqual((await shakeHands(port, [challengeProtocol], 'other.example.org'))[1], challengeProtocol)
  remove(hostname)
  assert.notEqual((await shakeHands(port, [challengeProtocol]))[1], challengeProtocol)
  assert.match((await visit(port)).replaceAll('\r\n', ''), /a visitor/)
})

test('while a challenge waits, slow, foreign and broken beginnings harm nobody', async (t) => {
  const { port, add } = await start(t)
  await add(hostname)
  assert.equal((await shakeHands(port, [challengeProtocol]))[1], challengeProtocol)
  for (const bytes of [
    'GET / HTTP/1.1\r\n\r\n',
    '\x16\x03\x01\x00\x02\x01\x00',
    '\x16\x03\x01\xff\xff',
    '',
  ]) {
    const socket = connectPlain({ port, host: '127.0.0.1' }).on('error', () => undefined)
    socket.resume().end(Buffer.from(bytes, 'latin1'))
    await once(socket, 'close')
  }
  assert.match((await visit(port)).replaceAll('\r\n', ''), /a visitor/)
})

test('the first message of a client is read piece by piece, and no bytes of it can break the reader', async () => {
  const received: Buffer[] = []
  const { createServer: createPlain } = await import('node:net')
  const server = createPlain((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', (bytes) => {
        received.push(bytes)
        socket.destroy()
      })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await shakeHands(port, ['h2', challengeProtocol], 'Go.Example.org')
  server.close()
  const hello = Buffer.concat(received)
  assert.deepEqual(readClientHello(hello), {
    serverName: 'go.example.org',
    protocols: ['h2', challengeProtocol],
  })
  for (let length = 0; length < hello.length; length++)
    assert.equal(readClientHello(hello.subarray(0, length)), 'more', String(length))
  for (let at = 0; at < hello.length; at++)
    for (const value of [0, 1, 127, 255]) {
      const broken = Buffer.from(hello)
      broken[at] = value
      readClientHello(broken)
    }
})
