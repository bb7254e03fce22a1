import { networkInterfaces } from 'node:os'
import { createMatrix } from '@everscan/qr/content/matrix.ts'
import { encodePayload } from '@everscan/qr/content/payload.ts'
import { pictureOf } from '@everscan/qr/shapes/encodings.ts'
import { drawTerminal } from '@everscan/qr/writers/terminal.ts'
import { createQrCode } from '../../catalogue/codes/qr-codes.ts'
import { systemOrigin } from '../../catalogue/rows/change-origins.ts'
import type { Config } from '../../settings/settings.ts'
import type { Database } from '../../db/database.ts'
import { addressOnNetwork } from './network-address.ts'
import type { Example } from './welcome.ts'
import { shortUrlOf } from '../records/qr-code-records.ts'

const text = `It works! Your own server sent this page, and Everscan counted the scan.

Change this text in the dashboard and scan the same code again.`

/** Whether this start is a trial: it has none of the settings that an operator would choose. */
export function isTrial({ publicUrl, port, bootstrapApiKey, bootstrapPassword }: Config): boolean {
  return (
    publicUrl === `http://localhost:${port}` &&
    bootstrapApiKey === undefined &&
    bootstrapPassword === undefined
  )
}

/**
 * Creates a code that a phone can scan at once. Returns its short URL as phones in this network
 * reach it, with its picture for a terminal, or undefined if this machine has no address for them:
 * then nothing is created.
 */
export async function createExample(
  db: Database,
  organizationId: string,
  { host, port, publicUrl }: Config,
): Promise<Example | undefined> {
  const address = addressOnNetwork(host, networkInterfaces())
  if (address === undefined) return undefined
  const { shortCode } = await createQrCode(db, organizationId, {
    type: 'TEXT',
    name: 'Example',
    data: { text },
    picture: (drawn) => pictureOf(shortUrlOf({ shortCode: drawn }, publicUrl), {}),
    origin: systemOrigin,
  })
  const url = shortUrlOf({ shortCode }, `http://${address}:${port}`)
  return { url, drawing: drawTerminal(createMatrix({ text: encodePayload(url), errorCorrection: 'L' })) }
}
