import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import type { KeyPair } from '../tls/certificate-source.ts'

x509.cryptoProvider.set(crypto)

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 86_400_000

/** An issuer of certificates for tests, whose own certificate clients trust. */
export type TestIssuer = {
  /** The certificate of the issuer, as PEM. */
  ca: string
  /** Makes a certificate and its key for host names. */
  issue: (names: readonly string[], times?: Times & { isRsa?: boolean }) => Promise<KeyPair>
  /** Makes the certificate for a request (PKCS #10, DER). */
  sign: (request: Buffer, times?: Times & { names?: readonly string[] }) => Promise<string>
}
type Times = { fromMs?: number; untilMs?: number }

/** Creates an issuer with a key of its own. */
export async function createTestIssuer(): Promise<TestIssuer> {
  const keys = await newKeys()
  const name = 'CN=Issuer of tests'
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    signingAlgorithm: algorithm,
    notAfter: new Date(Date.now() + 3_650 * dayMs),
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  })
  const certify = async (publicKey: x509.PublicKeyType, names: readonly string[], times: Times) => {
    const { fromMs = Date.now() - dayMs, untilMs = Date.now() + 90 * dayMs } = times
    const leaf = await x509.X509CertificateGenerator.create({
      issuer: name,
      subject: `CN=${names[0]}`,
      publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      notBefore: new Date(fromMs),
      notAfter: new Date(untilMs),
      extensions: [
        new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value }))),
      ],
    })
    return `${leaf.toString('pem')}\n`
  }
  return {
    ca: root.toString('pem'),
    issue: async (names, times = {}) => {
      const own = await (times.isRsa === true ? newRsaKeys() : newKeys())
      const key = await crypto.subtle.exportKey('pkcs8', own.privateKey)
      return {
        cert: await certify(own.publicKey, names, times),
        key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
      }
    },
    sign: async (request, times = {}) => {
      const csr = new x509.Pkcs10CertificateRequest(new Uint8Array(request))
      const asked = csr.extensions.find((one) => one instanceof x509.SubjectAlternativeNameExtension)
      const names = asked?.names.items.map(({ value }) => value) ?? []
      return certify(csr.publicKey, times.names ?? names, times)
    },
  }
}

function newRsaKeys(): Promise<CryptoKeyPair> {
  const publicExponent = new Uint8Array([1, 0, 1])
  const rsa = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent, hash: 'SHA-256' }
  return crypto.subtle.generateKey(rsa, true, ['sign', 'verify'])
}

function newKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}
