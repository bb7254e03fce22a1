import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { createTestIssuer } from '@everscan/server/scan/testing/certificates.ts'
import { median, rounded } from './figures.ts'
import { cpuMs, pinToCore } from './load/cores.ts'

const domains = 1_000
const connections = 32

type Side = { process: ChildProcess; pid: number; port: number }
/** Operations a second, and processor time of the server for each. */
type Figures = { perSecond: number; cpuUs: number }

/**
 * Compares the https of a front that has 1,000 certificates with a bare `node:https` server that
 * has one, in turn on the same core: full handshakes for all names, then redirects on kept ones.
 * Ratios are the baseline's processor time for each divided by ours. `firstHandshakeMs` is the
 * first one of a name.
 */
export async function benchTls({ quick }: { quick: boolean }): Promise<object> {
  const rounds = quick ? 3 : 9
  const seconds = quick ? 1 : 2
  const dir = mkdtempSync(join(tmpdir(), 'everscan-bench-tls-'))
  const sides: Side[] = []
  try {
    const issuer = await createTestIssuer()
    const names = Array.from({ length: domains }, (_, i) => `go${i}.example.com`)
    const pairs = []
    for (const hostname of names) pairs.push({ hostname, ...(await issuer.issue([hostname])) })
    const file = join(dir, 'certificates.json')
    writeFileSync(file, JSON.stringify(pairs))
    const ours = await start('ours', file)
    sides.push(ours)
    const bare = await start('bare', file)
    sides.push(bare)
    const pinned = sides.map(({ pid }) => pinToCore(pid, 1)).every(Boolean) && pinToCore(process.pid, 0)
    const memoryStartMb = { ours: await memoryOf(ours), bare: await memoryOf(bare) }
    const firsts: number[] = []
    for (const name of names) {
      const fromMs = performance.now()
      const socket = await open(ours, name)
      firsts.push(performance.now() - fromMs)
      socket.destroy()
    }
    const measured = { handshakes: shakeHands, redirects: askForCodes }
    const result: Record<string, object> = {}
    for (const [what, measure] of Object.entries(measured)) {
      const all = { ours: [] as Figures[], bare: [] as Figures[] }
      for (const side of [ours, bare]) await measure(side, names, 0.5)
      for (let round = 0; round < rounds; round++) {
        all.ours.push(await measure(ours, names, seconds))
        all.bare.push(await measure(bare, names, seconds))
      }
      const ratios = all.ours.map(({ cpuUs }, at) => (all.bare[at]?.cpuUs ?? 0) / cpuUs)
      const rate = (of: Figures[]): number => Math.round(median(of.map(({ perSecond }) => perSecond)))
      result[what] = {
        ratio: rounded(median(ratios)),
        perSecond: rate(all.ours),
        baselinePerSecond: rate(all.bare),
        cpuUs: rounded(median(all.ours.map(({ cpuUs }) => cpuUs))),
      }
    }
    const memoryMb = { ours: await memoryOf(ours), bare: await memoryOf(bare) }
    return { ...result, firstHandshakeMs: rounded(median(firsts)), memoryStartMb, memoryMb, domains, pinned }
  } finally {
    for (const { process: child } of sides) child.kill()
    rmSync(dir, { recursive: true })
  }
}

async function start(side: 'ours' | 'bare', file: string): Promise<Side> {
  const child = fork(join(import.meta.dirname, 'tls-server.ts'), [side, file])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { process: child, pid: child.pid ?? 0, port }
}

async function memoryOf({ process: child }: Side): Promise<number> {
  child.send('memory')
  const [{ memoryMb }] = (await once(child, 'message')) as [{ memoryMb: number }]
  return Math.round(memoryMb)
}

async function open({ port }: Side, servername: string): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  return socket
}

/** Runs lanes of work for some seconds; each call of `step` is one operation. */
async function measureLanes(side: Side, seconds: number, lane: (isOver: () => boolean) => Promise<number>) {
  const fromMs = performance.now()
  const cpuFrom = cpuMs(side.pid)
  const isOver = (): boolean => performance.now() - fromMs > seconds * 1_000
  const counts = await Promise.all(Array.from({ length: connections }, () => lane(isOver)))
  const done = counts.reduce((sum, one) => sum + one, 0)
  const passedSeconds = (performance.now() - fromMs) / 1_000
  return { perSecond: done / passedSeconds, cpuUs: ((cpuMs(side.pid) - cpuFrom) * 1_000) / done }
}

let turn = 0

function shakeHands(side: Side, names: readonly string[], seconds: number): Promise<Figures> {
  return measureLanes(side, seconds, async (isOver) => {
    let done = 0
    for (; !isOver(); done++) (await open(side, names[turn++ % names.length] ?? '')).destroy()
    return done
  })
}

function askForCodes(side: Side, names: readonly string[], seconds: number): Promise<Figures> {
  const host = names[0] ?? ''
  const request = `GET /MENU HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: Mozilla/5.0 (iPhone)\r\n\r\n`
  return measureLanes(side, seconds, async (isOver) => {
    const socket = await open(side, host)
    let done = 0
    for (; !isOver(); done++) {
      socket.write(request)
      const [answer] = (await once(socket, 'data')) as [Buffer]
      if (!answer.toString('latin1').startsWith('HTTP/1.1 302 ')) throw new Error('expected a redirect')
    }
    socket.destroy()
    return done
  })
}
