import type { CreateQrCode } from '@everscan/contract/qr-codes.ts'
import type { ChangeOrigin } from '../catalogue/change-origins.ts'
import type { NewQrCode } from '../catalogue/qr-codes.ts'
import type { ApiContext } from './endpoint.ts'
import { checkData, checkShortCode } from './qr-code-checks.ts'
import { pictureOf, shortUrlOf } from './qr-code-records.ts'
import { checkScannable } from './scannability.ts'

/** A code that may be made of a body that fits its schema. Throws ApiError 400 or 422 for what the schema cannot say. */
export function newQrCode(
  body: CreateQrCode,
  origin: ChangeOrigin,
  { config, clock }: ApiContext,
): NewQrCode {
  const { style = {} } = body
  checkData(body.type, body.data, config.publicUrl)
  checkShortCode(body.shortCode)
  checkScannable(style)
  return {
    ...body,
    picture: (shortCode) => pictureOf(shortUrlOf(shortCode, config.publicUrl), style),
    origin,
    nowMs: clock(),
  }
}
