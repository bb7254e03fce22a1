import { tag, type Database } from '../database.ts'

/** A certificate in the catalogue. */
export type StoredCertificate = {
  hostname: string
  /** PEM: the certificate, then those of its issuers. */
  chain: string
  /** Sealed PEM. */
  privateKey: string
  expiresAtMs: number
}

/** Returns all certificates, or those of one host name. */
export async function readCertificates(db: Database, hostname?: string): Promise<StoredCertificate[]> {
  const rows = await db.kysely
    .selectFrom('certificates')
    .select(['hostname', 'chain', 'private_key as privateKey', 'expires_at_ms as expiresAtMs'])
    .where('chain', 'is not', null)
    .$if(hostname !== undefined, (query) => query.where('hostname', '=', hostname ?? ''))
    .modifyEnd(tag('db.certificates'))
    .execute()
  return rows.flatMap(({ chain, privateKey, expiresAtMs, ...row }) =>
    chain === null || privateKey === null || expiresAtMs === null
      ? []
      : [{ ...row, chain, privateKey, expiresAtMs }],
  )
}

/** A challenge of tls-alpn-01 (RFC 8737) that waits for an authority. */
export type AlpnChallenge = {
  hostname: string
  /** Sealed: JSON of a certificate and its key, both PEM. */
  answer: string
}

/** Returns the challenges of tls-alpn-01 that wait, of all host names or of one. */
export async function readAlpnChallenges(db: Database, hostname?: string): Promise<AlpnChallenge[]> {
  const rows = await db.kysely
    .selectFrom('acme_challenges')
    .select(['hostname', 'answer'])
    .where('hostname', 'is not', null)
    .$if(hostname !== undefined, (query) => query.where('hostname', '=', hostname ?? ''))
    .orderBy('created_at_ms')
    .modifyEnd(tag('db.alpnChallenges'))
    .execute()
  return rows.flatMap(({ hostname: name, answer }) => (name === null ? [] : [{ hostname: name, answer }]))
}

/** Returns the answer to a challenge (RFC 8555, 8.3), or undefined for an unknown token. */
export async function readChallenge(db: Database, token: string): Promise<string | undefined> {
  const row = await db.kysely
    .selectFrom('acme_challenges')
    .select('answer')
    .where('token', '=', token)
    .where('hostname', 'is', null)
    .modifyEnd(tag('db.challenge'))
    .executeTakeFirst()
  return row?.answer
}
