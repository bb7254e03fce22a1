import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Keeps secrets that must be used again: at rest they can be read with the installation's SECRET only. */
export type SecretBox = {
  /** `name` is whose secret it is; it can be opened under the same name only. */
  seal: (secret: string, name: string) => string
  /** Undefined: it was sealed under another SECRET or name, or is damaged. */
  open: (sealed: string, name: string) => string | undefined
}

const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM with a key of its own, derived from SECRET (HKDF, RFC 5869). */
export function createSecretBox(installationSecret: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', installationSecret, '', 'everscan webhook secrets', 32))
  return {
    seal: (secret, name) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name))
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open: (sealed, name) => {
      const bytes = Buffer.from(sealed, 'base64url')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
        decipher.setAAD(Buffer.from(name))
        decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
        return (
          decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
        )
      } catch {
        return undefined
      }
    },
  }
}
