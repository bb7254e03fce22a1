import { CreateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import { ApiError, type ProblemDetail } from '../../errors.ts'
import { checkData } from './checks.ts'
import { validatorOf } from '../http/validation.ts'

const validate = validatorOf(CreateQrCode, 'body')

/** Everything that is wrong with the body that would create a code, as creating it would say. */
export function qrCodeBodyProblems(body: CreateQrCode, publicUrl: string): readonly ProblemDetail[] {
  return [
    ...problemsOf(() => validate(body)),
    ...problemsOf(() => checkData(body.type, body.data, publicUrl)),
  ]
}

function problemsOf(check: () => void): readonly ProblemDetail[] {
  try {
    check()
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.details ?? [{ path: '', message: error.message }]
  }
}
