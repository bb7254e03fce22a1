import type { Config } from '../settings/settings.ts'
import { errorMessage } from '../errors.ts'
import { CannotTell } from './cannot-tell.ts'

const answerMsMax = 5_000

/** Returns the address at which this machine reaches the public port. */
export function ownAddress({ host, httpPort: port }: Config): string {
  const near = host === '0.0.0.0' || host === '' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${near.includes(':') ? `[${near}]` : near}:${port}`
}

/**
 * Returns the answer of the running service on one of its paths. Throws `CannotTell` if it does not
 * answer, or refuses.
 */
export async function readOwnPath(
  config: Config,
  isRunning: boolean,
  path: string,
): Promise<{ status: number; text: string }> {
  if (!isRunning) throw new CannotTell('the service does not run', './everscan start')
  const address = ownAddress(config)
  const headers = config.metricsToken === undefined ? {} : { Authorization: `Bearer ${config.metricsToken}` }
  let answer: { status: number; text: string }
  try {
    const response = await fetch(`${address}${path}`, { headers, signal: AbortSignal.timeout(answerMsMax) })
    answer = { status: response.status, text: await response.text() }
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      throw new CannotTell(
        `${address}${path} did not answer within ${answerMsMax / 1_000} s`,
        'run ./everscan doctor again when the machine is less busy; if it stays so, see the log of front',
        { cause: error },
      )
    throw new CannotTell(
      `${address}${path} does not answer (${reasonOf(error)})`,
      'give this command PORT and HOST of the service; if they are right, see the log of front',
      { cause: error },
    )
  }
  if (answer.status === 401 || answer.status === 403)
    throw new CannotTell(
      `${address}${path} refuses this caller`,
      'give this command METRICS_TOKEN of the service',
    )
  return answer
}

/** Returns the reason of an error: `fetch` puts it into the cause. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  const text = errorMessage(cause)
  return text === '' ? code : text
}
