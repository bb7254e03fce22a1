import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../server/src/settings/config.ts'
import { settings } from '../server/src/settings/settings.ts'
import { commandMemory } from '../server/src/processes/command-child.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

type ComposeService = {
  build?: { dockerfile: string }
  environment: Record<string, string>
  secrets?: string[]
  volumes: string[]
  networks: string[] | Record<string, { ipv4_address?: string }>
  init?: boolean
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  security_opt?: string[]
}

type Compose = {
  services: Record<string, ComposeService>
  networks: Record<string, { ipam?: { config: { subnet: string }[] } }>
  volumes: Record<string, null>
  secrets?: Record<string, { file: string }>
}

const composeFiles = ['compose.yaml', 'compose.cluster.yaml']

test('the image copies files that are there', () => {
  const copied = [...read('deploy/Dockerfile').matchAll(/^COPY (?!--from)(?:--\S+ )*(.+) \S+$/gm)]
  const sources = copied.flatMap(([, paths = '']) => paths.split(' '))
  assert.ok(sources.length > 5)
  for (const source of sources) assert.ok(existsSync(join(root, source)), source)
})

for (const path of composeFiles)
  describe(path, () => {
    const compose = parse(read(path), { merge: true }) as Compose
    const ours = Object.entries(compose.services).filter(([, { build }]) => build !== undefined)

    test('each Everscan has a volume of its own, and may change nothing else', () => {
      assert.ok(ours.length > 0)
      for (const [name, service] of ours) {
        assert.ok(statSync(join(root, service.build?.dockerfile ?? '')).isFile())
        assert.deepEqual([service.read_only, service.init, service.cap_drop], [true, true, ['ALL']], name)
        assert.deepEqual([service.tmpfs, service.security_opt], [['/tmp'], ['no-new-privileges']], name)
      }
      const volumes = ours.flatMap(([, service]) => service.volumes)
      assert.equal(new Set(volumes).size, ours.length)
      for (const volume of volumes) assert.ok(volume.endsWith(':/data') && volume.split(':')[0] !== undefined)
      for (const volume of volumes) assert.ok((volume.split(':')[0] ?? '') in compose.volumes, volume)
    })

    test('only Caddy is trusted, and it leads to every Everscan', () => {
      const { networks, environment } = compose.services['caddy'] ?? assert.fail()
      const { ipv4_address: address = '' } = Array.isArray(networks) ? {} : (networks['front'] ?? {})
      const subnet = compose.networks['front']?.ipam?.config[0]?.subnet ?? ''
      assert.ok(address.startsWith(subnet.replace(/\d+\/24$/, '')) && subnet.endsWith('/24'))
      for (const [, service] of ours) {
        assert.equal(service.environment['TRUST_PROXY'], address)
        assert.equal(
          environment['PUBLIC_URL']?.split(':')[0],
          service.environment['PUBLIC_URL']?.split(':')[0],
        )
      }
      assert.deepEqual(
        environment['EVERSCAN_UPSTREAMS']?.split(' '),
        ours.map(([name]) => `${name}:3000`),
      )
      for (const name of Object.keys(environment))
        assert.ok(read('deploy/proxies/Caddyfile').includes(`{$${name}:`))
    })

    test('settings exist, and secrets are in files', () => {
      for (const [, { environment, secrets = [] }] of ours)
        assertSettings(environment, '/run/secrets/', secrets)
      const files = Object.entries(compose.secrets ?? {})
      const used = Object.values(compose.services).flatMap(({ secrets = [] }) => secrets)
      assert.deepEqual(new Set(used), new Set(files.map(([name]) => name)))
      const made = Object.keys(makeSecrets())
      for (const [name, { file }] of files) {
        assert.equal(file, `deploy/secrets/${name}`)
        assert.ok(made.includes(name), name)
      }
    })
  })

test('make-secrets.sh makes values that the settings accept, and keeps those that exist', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-secrets-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const first = makeSecrets(dir)
  const values = new Set(Object.values(first))
  assert.equal(values.size, Object.keys(first).length)
  assert.deepEqual(makeSecrets(dir), first)
  assert.equal(statSync(dir).mode & 0o777, 0o700)
  const names = Object.values(settings).flatMap(({ name, isSecret }) => (isSecret === true ? [name] : []))
  const files = names
    .filter((name) => name.toLowerCase() in first)
    .map((name) => [`${name}_FILE`, join(dir, name.toLowerCase())])
  assert.equal(files.length, 6)
  const config = readConfig(Object.fromEntries(files) as Record<string, string>)
  assert.equal(new URL(config.databaseUrl ?? '').password, first['postgres_password'])
  assert.equal(new URL(config.clickhouseUrl ?? '').password, first['clickhouse_password'])
})

type Container = {
  env: { name: string; value: string }[]
  securityContext: object
  volumeMounts: { name: string; mountPath: string }[]
  startupProbe: Probe
  livenessProbe: Probe
  readinessProbe: Probe
}
type Probe = { httpGet: { path: string } }
type StatefulSet = {
  spec: {
    replicas: number
    volumeClaimTemplates: { metadata: { name: string } }[]
    template: { spec: { containers: [Container]; securityContext: { runAsNonRoot: boolean } } }
  }
}

describe('deploy/kubernetes', () => {
  const { spec } = statefulSet('single')
  const [container] = spec.template.spec.containers

  test('a pod keeps its journal, and may change nothing else', () => {
    assert.equal(spec.replicas, 1)
    assert.deepEqual(
      container.volumeMounts.map(({ mountPath }) => mountPath),
      ['/data', '/tmp'],
    )
    assert.deepEqual(
      spec.volumeClaimTemplates.map(({ metadata }) => metadata.name),
      ['data'],
    )
    assert.equal(spec.template.spec.securityContext.runAsNonRoot, true)
    assert.deepEqual(container.securityContext, {
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    })
  })

  test('an outage of figures takes no machine out of the balancer and restarts none', () => {
    assert.deepEqual(
      [container.startupProbe, container.livenessProbe, container.readinessProbe].map(
        ({ httpGet }) => httpGet.path,
      ),
      ['/healthz', '/healthz', '/readyz'],
    )
  })

  test('settings exist, and secrets are in files that make-secrets.sh makes', () => {
    for (const folder of ['single', 'cluster']) {
      const { env } = statefulSet(folder).spec.template.spec.containers[0]
      const environment = Object.fromEntries(env.map(({ name, value }) => [name, value]))
      assertSettings(environment, '/run/secrets/everscan/', Object.keys(makeSecrets()))
    }
    const { replicas } = statefulSet('cluster').spec
    assert.ok(replicas > 1)
  })

  test('kustomizations name files that exist', () => {
    for (const path of globSync('deploy/kubernetes/*/kustomization.yaml', { cwd: root })) {
      const { resources, patches = [] } = parse(read(path)) as {
        resources: string[]
        patches?: { path: string }[]
      }
      for (const name of [...resources, ...patches.map((patch) => patch.path)])
        assert.ok(statSync(join(root, path, '..', name)), name)
    }
  })
})

function statefulSet(folder: string): StatefulSet {
  const documents = parseAllDocuments(read(`deploy/kubernetes/${folder}/everscan.yaml`))
  const found = documents
    .map((document) => document.toJS() as StatefulSet & { kind: string })
    .find(({ kind }) => kind === 'StatefulSet')
  return found ?? assert.fail()
}

describe('deploy/Dockerfile', () => {
  const dockerfile = read('deploy/Dockerfile')

  test('packages are installed from the manifests of all workspaces', () => {
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] }
    for (const workspace of workspaces)
      assert.ok(dockerfile.includes(`COPY ${workspace}/package.json ${workspace}/\n`), workspace)
  })

  test('the command of the image runs commands like ./everscan', () => {
    for (const path of ['everscan', 'deploy/image/everscan'])
      assert.ok(read(path).includes(`memory='${commandMemory.join(' ')}'`), path)
  })

  test('the health check follows the public port', async (t) => {
    let status = 200
    const server = createServer((_request, response) => response.writeHead(status).end())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const { port } = server.address() as AddressInfo
    assert.equal(await healthOf(port), 0)
    assert.equal(await healthOf(port, '127.0.0.1'), 0)
    status = 503
    assert.equal(await healthOf(port), 1)
    server.close()
    assert.equal(await healthOf(port), 1)
  })
})

async function healthOf(port: number, host = '0.0.0.0'): Promise<number> {
  const child = spawn('bash', [join(root, 'deploy/image/everscan-healthcheck')], {
    env: { PORT: String(port), HOST: host },
    stdio: 'ignore',
  })
  const [code] = (await once(child, 'exit')) as [number]
  return code
}

/** Every name is a setting, no secret has a value, and the file of a secret is one of `secrets`. */
function assertSettings(
  environment: Readonly<Record<string, string>>,
  folder: string,
  secrets: readonly string[],
): void {
  for (const [name, value] of Object.entries(environment)) {
    const setting = Object.values(settings).find((one) => one.name === name || `${one.name}_FILE` === name)
    assert.ok(setting !== undefined, `${name} is no setting`)
    assert.equal(setting.isSecret === true, name.endsWith('_FILE'), name)
    if (setting.isSecret !== true) continue
    assert.ok(value.startsWith(folder) && secrets.includes(basename(value)), `${name}: ${value}`)
    assert.equal(basename(value), setting.name.toLowerCase())
  }
}

/** Returns the secrets that deploy/make-secrets.sh makes, by their names. */
function makeSecrets(given?: string): Record<string, string> {
  const dir = given ?? mkdtempSync(join(tmpdir(), 'everscan-secrets-'))
  try {
    execFileSync(join(root, 'deploy/make-secrets.sh'), [dir])
    return Object.fromEntries(
      readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'utf8').trim()]),
    )
  } finally {
    if (given === undefined) rmSync(dir, { recursive: true, force: true })
  }
}
