import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Seals texts that must be readable again, but only with SECRET: not from the catalogue alone. */
export type SecretBox = {
  /** `name` identifies the owner of the text, such as an id; `open` needs the same name. */
  seal: (text: string, name: string) => string
  /** Returns undefined for another SECRET, purpose or name, and for a damaged text. */
  open: (sealed: string, name: string) => string | undefined
}

/** Derives a key for one purpose from SECRET (HKDF, RFC 5869): 64 hexadecimal characters. */
export function derivedKey(secret: string, purpose: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', `everscan ${purpose}`, 32)).toString('hex')
}

/** The purpose of the box of private keys in the catalogue. */
export const certificatesPurpose = 'private keys of certificates'

/** Prefix of each sealed text, so that another format can be distinguished later. */
const form = 'v1.'
const cipherName = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Creates a box that uses AES-256-GCM with a key for this purpose alone, derived from SECRET (HKDF,
 * RFC 5869).
 */
export function createSecretBox(secret: string, purpose: string): SecretBox {
  const key = Buffer.from(derivedKey(secret, purpose), 'hex')
  return {
    seal: (text, name) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(cipherName, key, nonce).setAAD(Buffer.from(name))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return form + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open: (sealed, name) => {
      const bytes = Buffer.from(sealed.slice(form.length), 'base64url')
      const rest = nonceBytes + tagBytes
      if (!sealed.startsWith(form) || bytes.length < rest) return undefined
      try {
        const decipher = createDecipheriv(cipherName, key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
        decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(nonceBytes, rest))
        return Buffer.concat([decipher.update(bytes.subarray(rest)), decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
