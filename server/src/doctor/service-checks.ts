import { connect } from 'node:net'
import type { Readiness } from '@everscan/contract/resources/health.ts'
import { countText } from '../amounts.ts'
import { failed, naming, notice, ok, unknown, warning, type CheckGroup, type Finding } from './check.ts'
import { CannotTell } from './cannot-tell.ts'
import { memoryText, readMemory } from '../processes/memory-limits.ts'
import { startFirst } from './context.ts'
import { knownProblem, presentProblems } from '../problems/parts.ts'
import { upgradePartName } from '../processes/messages.ts'
import { labelOf, metricOf } from './metric-values.ts'
import { ownAddress } from './own-paths.ts'

const connectMsMax = 2_000

export const serviceChecks: CheckGroup = {
  title: 'Service',
  checks: [
    {
      name: 'service.running',
      title: 'Running',
      run: ({ isRunning, config }) =>
        isRunning
          ? ok(`on ${config.dataDir}`)
          : notice(
              'no: facts that only a running service reports are unknown',
              `${startFirst}, and ./everscan doctor again`,
            ),
    },
    {
      name: 'service.port',
      title: 'Port',
      run: async ({ config, isRunning }) =>
        judgePort(ownAddress(config), isRunning, await lookAtPort(ownAddress(config))),
    },
    {
      name: 'service.parts',
      title: 'Parts',
      run: async ({ readiness }) => {
        const found = await readiness()
        return naming(judgeReadiness(found), ...presentProblems(found.parts ?? {}))
      },
    },
    {
      name: 'service.release',
      title: 'Release',
      run: async ({ metrics, isRunning, parts: { release } }) => {
        if (!isRunning) return ok(`${release}; the service does not run`)
        const text = await metrics()
        return judgeRelease(labelOf(text, 'build_info', 'version'), release)
      },
    },
    {
      name: 'service.restarts',
      title: 'Restarted processes',
      run: async ({ metrics }) => judgeRestarts(await metrics()),
    },
  ],
}

/** `late`: neither an answer nor a refusal came in time. */
type PortState = 'open' | 'closed' | 'late'

export function judgePort(address: string, isRunning: boolean, port: PortState): Finding {
  if (port === 'late')
    return warning(
      `${address} did not answer within ${connectMsMax / 1_000} s`,
      'run ./everscan doctor again when the machine is less busy; if it stays so, look for a firewall between this command and that address',
    )
  if (isRunning)
    return port === 'open'
      ? ok(`${address} is open`)
      : failed(
          `nothing listens on ${address}, although the service runs`,
          'give this command PORT and HOST of the service; if they are right, see the log of front',
        )
  return port === 'open'
    ? failed(
        `another program listens on ${address}: a start would be refused`,
        'stop it, or set another PORT; ss -ltnp names it',
      )
    : ok(`${address} is free for the next start`)
}

export function judgeReadiness({ status, parts }: Readiness): Finding {
  if (parts === undefined)
    return unknown(
      `the service says ${status}, and no more to this caller`,
      'give this command METRICS_TOKEN of the service',
    )
  const down = Object.entries(parts).filter(([, { ok: isUp }]) => !isUp)
  const upgrade = parts[upgradePartName]
  if (upgrade !== undefined)
    return warning(
      `the catalogue ${upgrade.detail}; codes redirect again after it`,
      'wait, and do not stop it: the log of main says how far it is',
    )
  if (status === 'starting')
    return warning(
      `the service is starting: ${down.map(([name]) => name).join(', ')} are not up yet`,
      'wait a minute, and run ./everscan doctor again',
    )
  if (down.length === 0) {
    const details = Object.entries(parts).flatMap(([name, { detail }]) =>
      detail === undefined ? [] : [`${name} ${detail}`],
    )
    return ok(
      `${countText(Object.keys(parts).length, 'part')} are up${details.length === 0 ? '' : ` (${details.join('; ')})`}`,
    )
  }
  return failed(
    down
      .map(([name, { detail }]) => `${name} is down${detail === undefined ? '' : `: ${detail}`}`)
      .join('; '),
    `${placesOf(down.map(([, { problem }]) => problem))}; the log says why`,
  )
}

/** Returns the places in the documents that say what to do about problems. */
function placesOf(names: readonly (string | undefined)[]): string {
  const places = names.map((name) => knownProblem(name ?? '')?.docs ?? 'operations.md#health')
  return `see ${[...new Set(places)].map((place) => `docs/${place}`).join(', ')}`
}

export function judgeRelease(running: string | undefined, installed: string): Finding {
  if (running === undefined) throw new CannotTell('the service does not report its release', startFirst)
  return running === installed
    ? ok(`${installed} runs`)
    : warning(
        `${running} runs, but ${installed} is installed`,
        'restart the service; ./everscan upgrade --check shows what its start does',
      )
}

/** `metrics` is the text of `/metrics`, which counts since the start of the service. */
export function judgeRestarts(metrics: string): Finding {
  const of = (reason: string) => metricOf(metrics, 'process_restarts_total', `reason="${reason}"`)
  const [died, killed, hung, stalled] = [of('died'), of('killed'), of('hung'), of('stalled')]
  if (died + killed + hung + stalled === 0) return ok('none since the start')
  if (killed > 0)
    return warning(
      `since the start, ${killed} were killed from outside, as the kernel does for lack of memory (${memoryText(readMemory())}); ${died} ended by themselves, ${hung} hung and ${stalled} stalled; all were restarted`,
      'give the machine, the container or the systemd unit (MemoryMax) more memory; dmesg names what the kernel killed',
    )
  return warning(
    `since the start, ${died} ended by themselves, ${hung} hung and ${stalled} stalled; all were restarted`,
    'find "process ended" and "process hung" in the log: the lines before them say why',
  )
}

/** Tries to connect. Exported for tests, which give it less time. */
export function lookAtPort(address: string, timeout: number = connectMsMax): Promise<PortState> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || 80),
      timeout,
    })
    const end = (state: PortState): void => {
      socket.destroy()
      resolve(state)
    }
    socket.once('connect', () => end('open'))
    socket.once('error', ({ code }: NodeJS.ErrnoException) => end(code === 'ETIMEDOUT' ? 'late' : 'closed'))
    // If this command itself had no processor, an answer that came meanwhile is read first.
    socket.once('timeout', () => setImmediate(() => setImmediate(end, 'late')))
  })
}
