import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import {
  machineFacts,
  readMachines,
  silentMachines,
  type Machine,
} from '../catalogue/installation/machines.ts'
import { readLateWork, type LateWork } from '../jobs/late-work.ts'
import { readQueueLengths, type QueueLengths } from '../jobs/queue-lengths.ts'
import { cityFile } from '../visitors/geography/geography.ts'
import { readBuildTimes, type GeographyBuiltMs } from '../visitors/geography/geography-age.ts'
import type { Config } from '../settings/settings.ts'
import { countText, dayText, daysBefore, someOf } from '../amounts.ts'
import { findProblem } from '../problems/parts.ts'
import { failed, naming, notice, ok, warning, type CheckGroup, type Finding } from './check.ts'
import { reasonOf } from './own-paths.ts'

const lateMs = 10 * 60_000
const queueMax = 1_000
const mailMsMax = 5_000

export const workChecks: CheckGroup = {
  title: 'Work',
  checks: [
    {
      name: 'work.queues',
      title: 'Queues',
      run: async ({ catalogue }) => judgeQueues(await readQueueLengths(await catalogue())),
    },
    {
      name: 'work.late',
      title: 'Late work',
      run: async ({ catalogue, nowMs, isRunning }) =>
        judgeLateWork(await readLateWork(await catalogue(), { nowMs, lateMs }), isRunning),
    },
    {
      name: 'work.webhooks',
      title: 'Webhooks',
      run: async ({ catalogue, nowMs }) =>
        judgeWebhooks((await readLateWork(await catalogue(), { nowMs, lateMs })).webhooks),
    },
    {
      name: 'work.machines',
      title: 'Machines',
      run: async ({ catalogue }) => judgeMachines(await readMachines(await catalogue())),
    },
    {
      name: 'work.geography',
      title: 'Age of the city databases',
      run: async ({ config, nowMs }) => {
        const built = await readBuildTimes(config)
        return naming(judgeGeography(built, nowMs), geographyProblem(built, config, nowMs))
      },
    },
    {
      name: 'work.mail',
      title: 'Mail server',
      run: async ({ config: { smtpUrl } }, signal) =>
        smtpUrl === undefined
          ? ok('none is set: admins pass on links themselves')
          : judgeGreeting(new URL(smtpUrl).host, await greetingOf(smtpUrl, signal)),
    },
  ],
}

export function judgeQueues({ imports, webhookDeliveries, eventPages }: QueueLengths): Finding {
  const says = `${imports} imports, ${webhookDeliveries} webhook deliveries, ${eventPages} event pages`
  return Math.max(imports, webhookDeliveries, eventPages) <= queueMax
    ? ok(says)
    : warning(says, 'docs/operations.md, EverscanQueueLong, says what each queue waits for')
}

/** Judges the machines of the last day. */
export function judgeMachines(machines: readonly Machine[]): Finding {
  const found = findProblem('machines', machineFacts(machines))
  return naming(findingOfMachines(machines, found), found)
}

function findingOfMachines(machines: readonly Machine[], found: Problem | undefined): Finding {
  const silent = silentMachines(machines).map(({ name }) => name)
  if (found !== undefined && found.problem !== 'machineSilent')
    return warning(found.message, 'set it to one value on all machines, and restart those that had another')
  if (silent.length > 0)
    return warning(
      `${someOf(silent)} ${silent.length === 1 ? 'has' : 'have'} gone silent: scans in the journal there may be nowhere else`,
      'start the service there again; if it runs, it cannot reach the database',
    )
  const live = machines.filter(({ state }) => state === 'LIVE').length
  return ok(
    live === 0 ? 'none has reported within 90 s' : `${countText(live, 'machine')}, with equal settings`,
  )
}

export function judgeLateWork({ imports, deliveries, accessEvents }: LateWork, isRunning: boolean): Finding {
  if (imports + deliveries + accessEvents === 0) return ok('none')
  const says = `${countText(imports, 'import')}, ${countText(deliveries, 'webhook delivery', 'webhook deliveries')} and ${countText(accessEvents, 'event')} of opened, ended or full codes have been due for ten minutes`
  return isRunning
    ? warning(says, 'see the part worker-0 of /readyz, and the log of worker')
    : notice(`${says}, while the service does not run`, './everscan start')
}

export function judgeWebhooks(webhooks: LateWork['webhooks']): Finding {
  if (webhooks.length === 0) return ok('all work')
  const disabled = webhooks.filter(({ isDisabled }) => isDisabled)
  const failing = webhooks.filter(({ isDisabled }) => !isDisabled)
  const texts = [
    ...disabled.map(
      ({ url, reason }) => `${originOf(url)} is disabled${reason === null ? '' : ` (${reason})`}`,
    ),
    ...failing.map(({ url, failuresInARow }) => `${originOf(url)} failed ${failuresInARow} times in a row`),
  ]
  return (failing.length > 0 ? warning : notice)(
    someOf(texts),
    'see the answers of each receiver in the dashboard, under Developers, Webhooks, and enable the webhook there again',
  )
}

/** Judges the city databases by build time; undefined for a file that cannot be read. */
export function judgeGeography(built: GeographyBuiltMs, nowMs: number): Finding {
  const unreadable = Object.entries(built).filter(([, atMs]) => atMs === undefined)
  if (unreadable.length > 0)
    return failed(
      `the city database for IP${unreadable.map(([family]) => family).join(' and IP')} cannot be read: its scans get no country and city`,
      'correct GEOIP_CITY_V4 and GEOIP_CITY_V6, or unset them to use the packaged files',
    )
  const oldestMs = Math.min(built.v4 ?? Infinity, built.v6 ?? Infinity)
  const days = daysBefore(oldestMs, nowMs)
  const says = `from ${dayText(oldestMs)}, ${countText(days, 'day')} old`
  return findProblem('geography', { told: undefined, builtMs: oldestMs, nowMs }) === undefined
    ? ok(says)
    : warning(
        `${says}: some countries and cities are wrong`,
        'set GEOIP_CITY_V4 and GEOIP_CITY_V6 to files that you replace each month (no restart is needed for that), or update Everscan',
      )
}

function geographyProblem(
  { v4, v6 }: GeographyBuiltMs,
  { geoipCityV4: cityV4, geoipCityV6: cityV6 }: Pick<Config, 'geoipCityV4' | 'geoipCityV6'>,
  nowMs: number,
): Problem | undefined {
  const family = v4 === undefined ? 'v4' : v6 === undefined ? 'v6' : undefined
  const told =
    family &&
    problem('geographyUnreadable', { family, path: cityFile({ cityV4, cityV6 }, family), code: 'INVALID' })
  const builtMs = Math.min(v4 ?? nowMs, v6 ?? nowMs)
  return findProblem('geography', { told, builtMs, nowMs })
}

export function judgeGreeting(host: string, greeting: string): Finding {
  if (greeting.startsWith('220')) return ok(`${host} greets; nothing was sent`)
  return warning(
    `${host} does not greet like a mail server: ${greeting}`,
    'correct SMTP_URL (smtp:// for 25 and 587, smtps:// for 465), or check the firewall on the route',
  )
}

/** Returns the first line of a mail server, or why there is none. Sends nothing. */
async function greetingOf(smtpUrl: string, signal: AbortSignal): Promise<string> {
  const { protocol, hostname, port } = new URL(smtpUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket: Socket =
    protocol === 'smtps:'
      ? connectTls({ host, port: Number(port || 465), servername: host })
      : connectPlain({ host, port: Number(port || 587) })
  try {
    return await new Promise<string>((resolve, reject) => {
      socket.setTimeout(mailMsMax, () => reject(new Error(`no answer within ${mailMsMax / 1000} s`)))
      socket.once('error', reject)
      socket.once('end', () => reject(new Error('it closed the connection')))
      socket.once('data', (bytes: Buffer) => resolve(bytes.toString('latin1').split('\r\n')[0] ?? ''))
      signal.addEventListener('abort', () => reject(new Error('it took too long')), { once: true })
    })
  } catch (error) {
    return reasonOf(error)
  } finally {
    socket.destroy()
  }
}

/** Returns the URL without its path, which may hold a secret of the receiver. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url.slice(0, 40)
}
