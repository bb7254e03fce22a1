import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, until } from './service.ts'

export const proxyNames = ['nginx', 'Caddy', 'HAProxy', 'Apache'] as const
export type ProxyName = (typeof proxyNames)[number]

/** The name in the configurations. */
export const siteName = 'go.example.com'

/** A proxy with a configuration of deploy/proxies, on free ports, with a certificate of its own. */
export type Proxy = {
  httpPort: number
  httpsPort: number
  /** The certificate, which clients have to trust. */
  certificate: string
  stop: () => Promise<void>
}

type Place = { dir: string; httpPort: number; httpsPort: number; upstreams: readonly number[] }

type Program = {
  /** Debian's package, and the name of the program. */
  package: string
  configuration: string
  /** Texts of the configuration, and what stands there in a test. */
  replaced: (place: Place) => Readonly<Record<string, string>>
  /** The command, and the file around the configuration, if it needs one. */
  run: (place: Place, path: string) => { args: string[]; main?: string }
  environment?: (place: Place) => Record<string, string>
}

const upstream = '127.0.0.1:3000'
const letsEncrypt = `/etc/letsencrypt/live/${siteName}`
const isRoot = process.getuid?.() === 0

const apacheModules =
  'mpm_event authz_core alias headers proxy proxy_http setenvif socache_shmcb ssl http2'.split(' ')

const programs: Readonly<Record<ProxyName, Program>> = {
  nginx: {
    package: 'nginx',
    configuration: 'nginx.conf',
    replaced: ({ dir, httpPort, httpsPort, upstreams }) => ({
      [`server ${upstream};`]: upstreams.map((port) => `server 127.0.0.1:${port};`).join(' '),
      'listen 80;': `listen 127.0.0.1:${httpPort};`,
      'listen 443 ssl http2;': `listen 127.0.0.1:${httpsPort} ssl http2;`,
      [`${letsEncrypt}/fullchain.pem`]: join(dir, 'certificate.pem'),
      [`${letsEncrypt}/privkey.pem`]: join(dir, 'key.pem'),
    }),
    run: ({ dir }, path) => ({
      args: ['-p', dir, '-e', 'stderr', '-c', 'main', '-g', 'daemon off;'],
      main: [
        ...(isRoot ? ['user root;'] : []),
        `pid ${dir}/pid;`,
        'error_log stderr;',
        'events {}',
        `http { access_log off; include ${path};`,
        ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
          (name) => `${name}_temp_path ${dir}/${name};`,
        ),
        '}',
      ].join('\n'),
    }),
  },
  Caddy: {
    package: 'caddy',
    configuration: 'Caddyfile',
    replaced: ({ dir, httpPort, httpsPort }) => ({
      [`{$PUBLIC_URL:https://${siteName}} {`]: [
        `{`,
        `\tadmin off`,
        `\thttp_port ${httpPort}`,
        `\thttps_port ${httpsPort}`,
        `}`,
        `{$PUBLIC_URL:https://${siteName}} {`,
        `\ttls ${dir}/certificate.pem ${dir}/key.pem`,
      ].join('\n'),
    }),
    run: (_place, path) => ({ args: ['run', '--adapter', 'caddyfile', '--config', path] }),
    environment: ({ dir, upstreams }) => ({
      HOME: dir,
      EVERSCAN_UPSTREAMS: upstreams.map((port) => `127.0.0.1:${port}`).join(' '),
    }),
  },
  HAProxy: {
    package: 'haproxy',
    configuration: 'haproxy.cfg',
    replaced: ({ dir, httpPort, httpsPort, upstreams }) => ({
      [`server everscan1 ${upstream} check`]: upstreams
        .map((port, index) => `server everscan${index + 1} 127.0.0.1:${port} check`)
        .join('\n  '),
      'bind :80': `bind 127.0.0.1:${httpPort}`,
      'bind :443': `bind 127.0.0.1:${httpsPort}`,
      // Without the rights of an administrator, a machine may allow fewer open files.
      'maxconn 20000': 'maxconn 1000',
      [`/etc/haproxy/certs/${siteName}.pem`]: join(dir, 'both.pem'),
    }),
    run: (_place, path) => ({ args: ['-db', '-f', path] }),
  },
  Apache: {
    package: 'apache2',
    configuration: 'apache.conf',
    replaced: ({ dir, httpPort, httpsPort, upstreams }) => ({
      '<VirtualHost *:80>': `<VirtualHost 127.0.0.1:${httpPort}>`,
      '<VirtualHost *:443>': `<VirtualHost 127.0.0.1:${httpsPort}>`,
      [upstream]: `127.0.0.1:${upstreams[0]}`,
      [`${letsEncrypt}/fullchain.pem`]: join(dir, 'certificate.pem'),
      [`${letsEncrypt}/privkey.pem`]: join(dir, 'key.pem'),
    }),
    run: ({ dir, httpPort, httpsPort }, path) => ({
      args: ['-D', 'FOREGROUND', '-f', join(dir, 'main')],
      main: [
        ...apacheModules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
        `ServerName ${siteName}`,
        `PidFile ${dir}/pid`,
        `DefaultRuntimeDir ${dir}`,
        `ErrorLog ${dir}/errors`,
        ...[httpPort, httpsPort].map((port) => `Listen 127.0.0.1:${port}`),
        `Include ${path}`,
      ].join('\n'),
    }),
  },
}

/** The Debian packages that the suites of proxies need. */
export const proxyPackages = proxyNames.map((name) => programs[name].package).join(' ')

/**
 * Starts a proxy in front of services on these ports of this machine. Throws an Error that names
 * the package if it is not installed.
 */
export async function startProxy(name: ProxyName, upstreams: readonly number[]): Promise<Proxy> {
  const program = programs[name]
  const dir = mkdtempSync(join(tmpdir(), 'everscan-proxy-'))
  const place: Place = { dir, httpPort: await freePort(), httpsPort: await freePort(), upstreams }
  const certificate = makeCertificate(dir)
  const path = join(dir, 'everscan.conf')
  writeFileSync(path, configurationOf(program, place))
  const { args, main } = program.run(place, path)
  if (main !== undefined) writeFileSync(join(dir, 'main'), `${main}\n`)
  let output = ''
  // Debian's proxies are in /usr/sbin, which is not on the path of every user.
  const child = spawn(program.package, args, {
    env: { PATH: `${process.env['PATH']}:/usr/sbin`, ...program.environment?.(place) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', () =>
      reject(new Error(`${program.package} is not installed: apt-get install ${proxyPackages}`)),
    )
    child.once('exit', (code, signal) => reject(new Error(`${program.package} ended with ${code ?? signal}`)))
  })
  failed.catch(() => undefined)
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const stop = async (): Promise<void> => {
    await ended(child)
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    await Promise.race([failed, until(`${name} listens`, () => listens(place.httpsPort))])
  } catch (error) {
    const errors = join(dir, 'errors')
    if (existsSync(errors)) output += readFileSync(errors, 'utf8')
    if (child.pid !== undefined) await stop()
    throw new Error(`${(error as Error).message}\n${output}`, { cause: error })
  }
  return { httpPort: place.httpPort, httpsPort: place.httpsPort, certificate, stop }
}

function configurationOf({ configuration, replaced }: Program, place: Place): string {
  const path = join(import.meta.dirname, '..', '..', '..', 'deploy', 'proxies', configuration)
  let text = readFileSync(path, 'utf8')
  for (const [from, to] of Object.entries(replaced(place))) {
    assert.ok(text.includes(from), `${configuration} has no "${from}"`)
    text = text.replaceAll(from, to)
  }
  return text
}

/** Writes a self-signed certificate and its key, and both in one file. */
function makeCertificate(dir: string): string {
  const [key, certificate] = [join(dir, 'key.pem'), join(dir, 'certificate.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', `/CN=${siteName}`, '-addext', `subjectAltName=DNS:${siteName}`]
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  const text = readFileSync(certificate, 'utf8')
  writeFileSync(join(dir, 'both.pem'), text + readFileSync(key, 'utf8'))
  return text
}

function listens(port: number): Promise<boolean> {
  const socket = createConnection({ port, host: '127.0.0.1' })
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  }).then((isOpen) => {
    socket.destroy()
    return isOpen === true
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/** Versions of the installed proxies, for a line in the report. */
export function proxyVersion(name: ProxyName): string {
  const flag = { nginx: '-v', Caddy: 'version', HAProxy: '-v', Apache: '-v' }[name]
  const { stdout, stderr } = spawnSync(programs[name].package, [flag], {
    env: { PATH: `${process.env['PATH']}:/usr/sbin` },
    encoding: 'utf8',
  })
  return /\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0] ?? 'unknown'
}
