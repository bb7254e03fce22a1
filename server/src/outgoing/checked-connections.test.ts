import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import type { Problem } from '@everscan/contract/problems/problem.ts'

/**
 * Makes calls like a worker whose machine trusts the authorities of `NODE_EXTRA_CA_CERTS`. Every
 * name leads to this machine.
 */
const program = `
  import { createWebhookCaller } from '${import.meta.dirname}/../jobs/webhooks/webhook-calls.ts'
  const caller = createWebhookCaller({ allowPrivate: true, resolveName: async () => ['127.0.0.1'] })
  const outcomes = []
  for (const url of process.argv.slice(1)) outcomes.push(await caller.call(url, { headers: {}, body: '{}' }))
  caller.close()
  process.stdout.write(JSON.stringify(outcomes))`

let directory: string
const servers: Server[] = []
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'everscan-tls-'))
})
after(() => {
  for (const server of servers) server.close()
  rmSync(directory, { recursive: true, force: true })
})

/**
 * Encodes one value of DER. https://www.rfc-editor.org/rfc/rfc5280#appendix-A defines how the
 * values form a certificate.
 */
function der(type: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255]
  return Buffer.concat([Buffer.from([type, ...length]), content])
}
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const nameOf = (text: string): Buffer =>
  sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(text)))))
const timeOf = (ms: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().replaceAll(/\D/g, '').slice(2, 14)}Z`))
const signedWithEcdsa = sequence(identifier('2a8648ce3d040302'))

type Authority = { name: string; privateKey: KeyObject }

/** Returns a certificate in PEM that ends `endsInMs` from now. */
function certificate(
  issuer: Authority,
  subject: { name: string; publicKey: KeyObject; extension: Buffer },
  endsInMs = 3_600_000,
): string {
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, ...randomBytes(8)])),
    signedWithEcdsa,
    nameOf(issuer.name),
    sequence(timeOf(Date.now() - 2 * 3_600_000), timeOf(Date.now() + endsInMs)),
    nameOf(subject.name),
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(subject.extension)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, issuer.privateKey))
  const base64 = sequence(content, signedWithEcdsa, signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

function makeAuthority(name: string): Authority & { cert: string } {
  const { privateKey, publicKey } = newKeys()
  const isAuthority = der(0x04, sequence(der(0x01, Buffer.from([255]))))
  const extension = sequence(identifier('551d13'), der(0x01, Buffer.from([255])), isAuthority)
  return { name, privateKey, cert: certificate({ name, privateKey }, { name, publicKey, extension }) }
}

/** Creates the key and the certificate of a host. */
function makeHost(authority: Authority, name: string, endsInMs?: number): { key: string; cert: string } {
  const { privateKey, publicKey } = newKeys()
  const names = der(0x04, sequence(der(0x82, Buffer.from(name))))
  const extension = sequence(identifier('551d11'), names)
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { key, cert: certificate(authority, { name, publicKey, extension }, endsInMs) }
}

async function startServer(options: { key: string; cert: string }) {
  let requests = 0
  const server = createServer(options, (_request, response) => {
    requests++
    response.writeHead(204).end()
  })
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  return { port: (server.address() as AddressInfo).port, requests: () => requests }
}

test('over https, only a certificate of a trusted authority for that very host is called', async () => {
  const trusted = makeAuthority('trusted')
  const bundle = join(directory, 'trusted.pem')
  writeFileSync(bundle, trusted.cert)
  const good = await startServer(makeHost(trusted, 'shop.example'))
  const strange = await startServer(makeHost(makeAuthority('unknown'), 'shop.example'))
  const over = await startServer(makeHost(trusted, 'shop.example', -60_000))
  const urls = [
    `https://shop.example:${good.port}/`,
    `https://other.example:${good.port}/`,
    `https://127.0.0.1:${good.port}/`,
    `https://shop.example:${strange.port}/`,
    `https://shop.example:${over.port}/`,
  ]
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', program, ...urls],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: bundle } },
  )
  const outcomes = JSON.parse(stdout) as { status?: number; problem?: Problem }[]
  assert.deepEqual(
    outcomes.map(({ status, problem }) => status ?? problem?.message),
    [
      204,
      'The TLS connection failed: ERR_TLS_CERT_ALTNAME_INVALID.',
      'The TLS connection failed: ERR_TLS_CERT_ALTNAME_INVALID.',
      'The TLS connection failed: UNABLE_TO_VERIFY_LEAF_SIGNATURE.',
      'The TLS connection failed: CERT_HAS_EXPIRED.',
    ],
  )
  assert.deepEqual([good.requests(), strange.requests(), over.requests()], [1, 0, 0])
})
