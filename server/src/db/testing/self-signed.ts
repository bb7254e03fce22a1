import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/**
 * Returns a self-signed certificate for `localhost` and its key, as PEM. Generated, so that the
 * repository contains no key.
 */
export function makeSelfSigned(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  // RFC 8410: the algorithm has no parameters.
  const ed25519 = sequence(der(0x06, Buffer.from('2b6570', 'hex')))
  const commonName = sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from('localhost')))
  const name = sequence(der(0x31, commonName))
  const validity = sequence(
    der(0x17, Buffer.from('200101000000Z')),
    der(0x18, Buffer.from('21000101000000Z')),
  )
  // RFC 5280, section 4.1: version 1, which needs no extensions.
  const toBeSigned = sequence(
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ed25519,
    name,
    validity,
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign(null, toBeSigned, privateKey)]))
  const body = sequence(toBeSigned, ed25519, signature).toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
