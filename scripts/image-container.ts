// A container of the image that scripts/try-image.sh built, without a container engine.
import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { childrenOf, freePort, until } from '../server/test/support/service.ts'
import { sendSignal } from '../server/src/processes/testing/signals.ts'

/** The part of an image's configuration that a container runtime uses. */
export type ImageConfig = {
  User: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  WorkingDir: string
  Volumes: Record<string, object>
  Labels: Record<string, string>
  Healthcheck?: { Test: string[]; StartPeriod?: number; Timeout?: number }
}

export type Image = { config: ImageConfig; root: string; dir: string }

export type ContainerOptions = {
  /** `uid:gid`; by default that of the image. */
  user?: string
  /** The directory of a volume that exists; by default a new one. */
  volume?: string
  environment?: Readonly<Record<string, string>>
  /** Files in /run/secrets, and their content. */
  secrets?: Readonly<Record<string, string>>
}

const stopMsMax = 10_000

export class Container {
  readonly port: number
  readonly volume: string
  readonly #image: Image
  readonly #user: string
  readonly #environment: Readonly<Record<string, string>>
  readonly #secrets: string
  readonly #child: ChildProcess
  readonly #exited: Promise<number | null>
  readonly #startedMs = performance.now()
  #output = ''

  /** Starts the command of the image, or another one. */
  static async start(image: Image, options: ContainerOptions = {}, words?: string[]): Promise<Container> {
    return new Container(image, { ...options, port: await freePort() }, words ?? image.config.Cmd)
  }

  private constructor(
    image: Image,
    { user, volume, environment = {}, secrets = {}, port }: ContainerOptions & { port: number },
    words: string[],
  ) {
    const { config, root, dir } = image
    this.port = port
    this.#image = image
    this.#user = user ?? config.User
    this.volume = volume ?? newVolume(image)
    this.#secrets = mkdtempSync(join(dir, 'secrets-'))
    chmodSync(this.#secrets, 0o755)
    for (const [name, text] of Object.entries(secrets))
      writeFileSync(join(this.#secrets, name), `${text}\n`, { mode: 0o444 })
    this.#environment = {
      ...Object.fromEntries(config.Env.map((one) => one.split(/=(.*)/s).slice(0, 2) as [string, string])),
      ...environment,
      PORT: String(port),
    }
    const script = join(import.meta.dirname, 'run-image.sh')
    const namespaces = ['--mount', '--pid', '--ipc', '--uts', '--fork']
    this.#child = spawn(
      'unshare',
      [
        ...namespaces,
        script,
        root,
        config.WorkingDir,
        this.volume,
        this.#secrets,
        this.#user,
        ...config.Entrypoint,
        ...words,
      ],
      { env: this.#environment, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => void (this.#output += chunk.toString()))
    this.#exited = new Promise((resolve) => this.#child.once('close', resolve))
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`
  }

  output(): string {
    return this.#output
  }

  ended(): Promise<number | null> {
    return this.#exited
  }

  /** Waits until the path answers 200; returns the milliseconds since the start. */
  async answers(path: string): Promise<number> {
    await until(
      `${path} is answered`,
      async () => {
        assert.equal(this.#child.exitCode, null, this.#output)
        const response = await fetch(`${this.baseUrl}${path}`).catch(() => undefined)
        await response?.body?.cancel()
        return response?.status === 200
      },
      60_000,
    )
    return performance.now() - this.#startedMs
  }

  /** Runs a command in the container, like `docker exec`. */
  exec(words: readonly string[]): { status: number | null; stdout: string; stderr: string } {
    const [uid = '', gid = ''] = this.#user.split(':')
    return spawnSync(
      'nsenter',
      ['-t', String(this.#first()), '-m', '-p', '-r', '-w', '-S', uid, '-G', gid, '--', ...words],
      { env: this.#environment, encoding: 'utf8' },
    )
  }

  /** Runs the health check of the image; whether it succeeded. */
  isHealthy(): boolean {
    const [kind, ...words] = this.#image.config.Healthcheck?.Test ?? []
    assert.equal(kind, 'CMD')
    return this.exec(words).status === 0
  }

  /** Sends SIGTERM to the first process; returns the milliseconds until the container ended. */
  async stop(): Promise<number> {
    const fromMs = performance.now()
    sendSignal(this.#first(), 'SIGTERM')
    const timer = setTimeout(() => this.kill(), stopMsMax)
    const code = await this.#exited
    clearTimeout(timer)
    rmSync(this.#secrets, { recursive: true })
    assert.equal(code, 0, `the container ended with ${code}:\n${this.#output.slice(-2000)}`)
    return performance.now() - fromMs
  }

  /** Ends every process of the container: they end with their first one. */
  kill(): void {
    for (const { pid } of childrenOf(this.#child.pid ?? 0)) sendSignal(pid, 'SIGKILL')
    this.#child.kill('SIGKILL')
  }

  /** The first process of the container, as this machine numbers it. */
  #first(): number {
    const [first] = childrenOf(this.#child.pid ?? 0)
    assert.ok(first !== undefined, `the container does not run:\n${this.#output.slice(-2000)}`)
    return first.pid
  }
}

/** A new volume, which gets its mode and owner from the image, as Docker does it. */
function newVolume({ config, root, dir }: Image): string {
  const [path = ''] = Object.keys(config.Volumes)
  const volume = mkdtempSync(join(dir, 'volume-'))
  const { mode, uid, gid } = statSync(join(root, path))
  chmodSync(volume, mode & 0o7777)
  chownSync(volume, uid, gid)
  return volume
}

/** Reads the output of `buildah inspect --type image`. */
export function readImage(inspectedPath: string, root: string, dir: string): Image {
  const inspected = JSON.parse(readFileSync(inspectedPath, 'utf8')) as { Docker: { config: ImageConfig } }
  return { config: inspected.Docker.config, root, dir }
}
