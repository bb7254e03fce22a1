import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, until } from './service.ts'

export const staticServerNames = ['nginx', 'caddy'] as const
export type StaticServerName = (typeof staticServerNames)[number]

/** Caddy reads the settings of 10,000 codes for 5 s, on a busy machine for longer. */
const startMsMax = 120_000

/** A web server that serves a static site on a free port. */
export type StaticServer = { port: number; stop: () => Promise<void> }

/**
 * Starts nginx or Caddy with the settings of a static site, of which only the port is replaced.
 * Throws an Error that names the package if it is not installed.
 */
export async function startStaticServer(name: StaticServerName, folder: string): Promise<StaticServer> {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-static-'))
  const port = await freePort()
  const child = spawn(name, name === 'nginx' ? nginx(dir, folder, port) : caddy(dir, folder, port), {
    env: { PATH: `${process.env['PATH']}:/usr/sbin`, HOME: dir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output = (output + chunk.toString()).slice(-4_000)))
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', () => reject(new Error(`${name} is not installed: apt-get install ${name}`)))
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${output}`)))
  })
  failed.catch(() => undefined)
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(dir, { recursive: true, force: true })
  }
  const answers = async (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
  try {
    await Promise.race([failed, until(`${name} listens`, answers, startMsMax)])
  } catch (error) {
    await stop()
    throw error
  }
  return { port, stop }
}

function nginx(dir: string, folder: string, port: number): string[] {
  const settings = readFileSync(join(folder, 'nginx.conf'), 'utf8')
  writeFileSync(join(dir, 'site'), settings.replaceAll('listen 80;', `listen 127.0.0.1:${port};`))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${dir}/${name};`,
  )
  const main = [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    `pid ${dir}/pid;`,
    'error_log stderr;',
    'events {}',
    `http { access_log off; ${temporary.join(' ')} include ${dir}/site; }`,
  ]
  writeFileSync(join(dir, 'main'), `${main.join('\n')}\n`)
  return ['-p', dir, '-e', 'stderr', '-c', 'main', '-g', 'daemon off;']
}

function caddy(dir: string, folder: string, port: number): string[] {
  const settings = readFileSync(join(folder, 'Caddyfile'), 'utf8')
  const onPort = settings.replaceAll(/^http:\/\/(\S+) \{/gm, `http://$1:${port} {`)
  writeFileSync(join(dir, 'site'), `{\n\tadmin off\n}\n${onPort}`)
  return ['run', '--adapter', 'caddyfile', '--config', join(dir, 'site')]
}
