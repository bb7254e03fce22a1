import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, test, type TestContext } from 'node:test'
import { connect, createServer as createTlsServer } from 'node:tls'
import { pino } from 'pino'
import { changeOfHost, everyCode } from '../../db/feeds/changes.ts'
import type { StoredCertificate } from '../../db/scans/certificate-lookup.ts'
import { createSecretBox } from '../../secret-box.ts'
import { createTestIssuer, type TestIssuer } from '../testing/certificates.ts'
import { createChallengeAnswer } from './challenges.ts'
import { StoredCertificates } from './stored-certificates.ts'

const box = createSecretBox('s'.repeat(32), 'private keys of certificates')
const log = pino({ level: 'silent' })
const publicHost = 'qr.example.com'
const dayMs = 86_400_000
let issuer: TestIssuer
before(async () => {
  issuer = await createTestIssuer()
})

async function stored(hostname: string): Promise<StoredCertificate> {
  const { cert, key } = await issuer.issue([hostname])
  const expiresAtMs = Date.now() + 90 * dayMs
  return { hostname, chain: cert, privateKey: box.seal(key, hostname), expiresAtMs }
}

/** The rows of a catalogue, which can be away. */
function someCatalogue() {
  const rows = new Map<string, StoredCertificate>()
  const state = { isAway: false, reads: 0 }
  const read = async (hostname?: string): Promise<StoredCertificate[]> => {
    state.reads++
    if (state.isAway) throw new Error('away')
    return [...rows.values()].filter((row) => hostname === undefined || row.hostname === hostname)
  }
  return { rows, state, read }
}

async function listen(t: TestContext, certificates: StoredCertificates): Promise<number> {
  const server = createTlsServer({
    ...certificates.fallback(),
    SNICallback: (name, done) => {
      const context = certificates.contextOf(name)
      if (context instanceof Promise) context.then((later) => setImmediate(done, null, later), log.error)
      else done(null, context)
    },
  })
  server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    certificates.close()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Returns the names of the certificate that answers a handshake, or the code of its failure. */
async function namesAt(port: number, servername: string): Promise<string | undefined> {
  const socket = connect({ port, host: '127.0.0.1', servername, ca: issuer.ca })
  try {
    await once(socket, 'secureConnect')
    return socket.getPeerCertificate().subjectaltname
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  } finally {
    socket.destroy()
  }
}

test('each name has its certificate, follows the feed of changes, and stays while the catalogue is away', async (t) => {
  const { rows, state, read } = someCatalogue()
  for (const name of [publicHost, 'go.example.org']) rows.set(name, await stored(name))
  const changed: string[] = []
  const certificates: StoredCertificates = new StoredCertificates({
    read,
    box,
    publicHost,
    log,
    readChanges: () => void certificates.refresh(changed.splice(0)),
  })
  await certificates.refresh([])
  const port = await listen(t, certificates)
  assert.equal(await namesAt(port, 'go.example.org'), 'DNS:go.example.org')
  assert.equal(await namesAt(port, publicHost), `DNS:${publicHost}`)
  assert.equal(await namesAt(port, 'unknown.example.org'), 'ERR_TLS_CERT_ALTNAME_INVALID')

  rows.set('new.example.org', await stored('new.example.org'))
  changed.push(changeOfHost('new.example.org'), 'MENU')
  assert.equal(await namesAt(port, 'new.example.org'), 'DNS:new.example.org', 'in the first handshake')

  state.isAway = true
  changed.push(everyCode)
  assert.equal(await namesAt(port, 'new.example.org'), 'DNS:new.example.org')
  assert.equal(certificates.isValidFor('new.example.org', Date.now()), true)
  assert.equal(certificates.isValidFor('new.example.org', Date.now() + 91 * dayMs), false)
  state.isAway = false
  rows.delete('new.example.org')
  await new Promise(setImmediate)
  await certificates.refresh([changeOfHost(publicHost)])
  assert.equal(certificates.isValidFor('new.example.org', Date.now()), false)
  assert.equal(certificates.size, 2)
})

test('contexts are bounded, a renewed certificate replaces its context, and the fallback is told', async (t) => {
  const { rows, read } = someCatalogue()
  const names = [publicHost, 'a.example.org', 'b.example.org', 'c.example.org']
  for (const name of names) rows.set(name, await stored(name))
  const certificates = new StoredCertificates({ read, box, publicHost, log, contextsMax: 2 })
  let told = 0
  certificates.onFallback(() => told++)
  assert.equal(certificates.fallback(), undefined)
  await certificates.refresh([])
  assert.equal(told, 1)
  t.after(() => certificates.close())
  const first = certificates.contextOf('a.example.org')
  assert.equal(certificates.contextOf('a.example.org'), first)
  for (const name of names) assert.ok(certificates.contextOf(name))
  assert.notEqual(certificates.contextOf('a.example.org'), first, 'made again')

  const former = certificates.fallback()
  rows.set(publicHost, await stored(publicHost))
  await certificates.refresh([changeOfHost(publicHost)])
  assert.equal(told, 2)
  assert.notEqual(certificates.fallback()?.cert, former?.cert)
  rows.set('a.example.org', { ...(await stored('a.example.org')), privateKey: 'v1.of another key' })
  await certificates.refresh([changeOfHost('a.example.org')])
  assert.equal(certificates.contextOf('a.example.org'), undefined)
})

test('a challenge is answered on every host, an unknown token is 404', async (t) => {
  const asked: string[] = []
  const answer = createChallengeAnswer(async (token) => {
    asked.push(token)
    if (token === 'away') throw new Error('away')
    return token === 'known' ? 'known.of-the-account' : undefined
  })
  const server = createServer((request, response) => {
    if (!answer(request, response)) response.end('not a challenge')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const get = async (path: string): Promise<[number | undefined, string]> => {
    const sent = httpRequest({ port, host: '127.0.0.1', path, headers: { host: 'any.example.org' } })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of response) text += String(chunk)
    return [response.statusCode, text]
  }
  const path = '/.well-known/acme-challenge/'
  assert.deepEqual(await get(`${path}known`), [200, 'known.of-the-account'])
  assert.match((await get(`${path}unknown`)).join(' '), /^404 .*NOT_FOUND/)
  assert.match((await get(`${path}a/b`)).join(' '), /^404 /)
  assert.match((await get(`${path}%00`)).join(' '), /^404 /)
  await assert.rejects(get(`${path}away`))
  assert.deepEqual(await get('/MENU'), [200, 'not a challenge'])
  assert.deepEqual(asked, ['known', 'unknown', 'away'])
})
