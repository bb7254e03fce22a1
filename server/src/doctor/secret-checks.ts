import { chmodSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readInstallation } from '../db/installation.ts'
import { fingerprintOf } from '../processes/fingerprint.ts'
import { givenVisitorKey, visitorKeyOfSecret } from '../processes/visitor-key.ts'
import { dayText, quoted } from '../amounts.ts'
import { failed, notice, ok, unknown, type Check, type CheckGroup, type Finding } from './check.ts'
import type { DoctorContext } from './context.ts'

/** Files in DATA_DIR that hold a secret. visitor-key exists only if no setting has the key. */
const secretNames = ['secret', 'visitor-key'] as const

const secretCheck: Check = {
  name: 'secrets.secret',
  title: 'SECRET',
  run: (context) => {
    const { config } = context
    const path = join(config.dataDir, 'secret')
    if (config.secret !== undefined)
      return ok(`set in SECRET or SECRET_FILE, ${config.secret.length} characters`)
    if (context.secret() === undefined)
      return failed(
        `neither SECRET nor ${path} exists`,
        'restore the file from a copy, or set SECRET to its content; ./everscan adopt secret --help says what a new one costs',
      )
    return ok(`in ${path} since ${dayText(statSync(path).mtimeMs)}: keep a copy of it`)
  },
}

const modesCheck: Check = {
  name: 'secrets.mode',
  title: 'Permissions of files with secrets',
  run: ({ config }) => judgeSecretModes(config.dataDir),
  fix: ({ config: { dataDir } }) => {
    const open = openSecrets(dataDir)
    for (const path of open) chmodSync(path, 0o600)
    return `chmod 600 ${open.map(quoted).join(' ')}`
  },
}

const fingerprintCheck: Check = {
  name: 'secrets.fingerprint',
  title: 'SECRET of this installation',
  run: async (context) => {
    const installation = await readInstallation(await context.catalogue())
    return judgeFingerprint(installation?.secretFingerprint ?? null, context.secret())
  },
}

const visitorKeyCheck: Check = {
  name: 'secrets.visitor-key',
  title: 'Key of the visitor hash',
  run: async (context) => {
    const installation = await readInstallation(await context.catalogue())
    return judgeVisitorKey(installation?.visitorKeyFingerprint ?? null, {
      given: givenVisitorKey(context.config)?.key,
      secret: context.secret(),
    })
  },
}

const bootstrapCheck: Check = {
  name: 'secrets.bootstrap',
  title: 'Secrets of the first start',
  run: ({ config: { bootstrapApiKey, bootstrapPassword } }: DoctorContext) => {
    const names = [
      ...(bootstrapApiKey === undefined ? [] : ['BOOTSTRAP_API_KEY']),
      ...(bootstrapPassword === undefined ? [] : ['BOOTSTRAP_PASSWORD']),
    ]
    return names.length === 0
      ? ok('none is set')
      : notice(
          `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} still set, but only the first start uses ${names.length === 1 ? 'it' : 'them'}`,
          `remove ${names.join(' and ')} from the settings`,
        )
  },
}

const metricsTokenCheck: Check = {
  name: 'secrets.metrics-token',
  title: 'METRICS_TOKEN',
  run: ({ config: { metricsToken, metricsRequireToken, trustProxy, publicUrl } }) => {
    if (metricsToken !== undefined)
      return ok(
        metricsRequireToken ? 'required of every client' : 'set, and not required of private addresses',
      )
    if (publicUrl.startsWith('https:') && trustProxy.length === 0)
      return notice(
        'not set, and PUBLIC_URL is https: if the proxy adds no X-Forwarded-For, every client can read /metrics',
        'set METRICS_TOKEN and METRICS_REQUIRE_TOKEN=true, or configure the proxy to add X-Forwarded-For and set TRUST_PROXY',
      )
    return ok('not set: only private addresses may read /metrics')
  },
}

export const secretChecks: CheckGroup = {
  title: 'Secrets',
  checks: [secretCheck, modesCheck, fingerprintCheck, visitorKeyCheck, bootstrapCheck, metricsTokenCheck],
}

export function judgeSecretModes(dataDir: string): Finding {
  const open = openSecrets(dataDir)
  if (open.length === 0) return ok('only the user of the service can read them')
  return failed(
    `the permissions let other users of this machine read ${open.join(' and ')}, unless those of the directory prevent it`,
    `chmod 600 ${open.map(quoted).join(' ')}; ./everscan doctor --fix does it`,
  )
}

/** `known` is the fingerprint in the catalogue; null if it has none yet. */
export function judgeFingerprint(known: string | null, own: string | undefined): Finding {
  if (known === null)
    return unknown('the catalogue does not know it yet', 'nothing: the next start records its fingerprint')
  if (own !== undefined && fingerprintOf(own) === known) return ok('it is the one that the catalogue expects')
  return failed(
    own === undefined ? 'there is none to compare' : 'it is not the one that the catalogue expects',
    'set SECRET, or restore the file secret, to the value of the machine on which it was made; ./everscan adopt secret --help says what another one costs',
  )
}

/**
 * `known` is the fingerprint in the catalogue; null if it has none yet. `given` is the key of the
 * setting or the file.
 */
export function judgeVisitorKey(
  known: string | null,
  { given, secret }: { given: string | undefined; secret: string | undefined },
): Finding {
  if (known === null)
    return unknown(
      'the catalogue does not know it yet',
      'nothing: the next start makes it, or records its fingerprint',
    )
  const ofSecret = secret === undefined ? undefined : visitorKeyOfSecret(secret)
  const key = given ?? ofSecret
  if (key === undefined || fingerprintOf(key) !== known)
    return failed(
      key === undefined ? 'there is none to compare' : 'it is not the one that the catalogue expects',
      'set VISITOR_KEY, or restore the file visitor-key, to the former value; ./everscan visitor-key --new makes another key, and every visitor then counts as unique once more',
    )
  if (key === ofSecret)
    return notice(
      'it is derived from SECRET, so it is not a secret of its own: anyone who has SECRET can test addresses',
      './everscan visitor-key --new makes a separate key; every visitor then counts as unique once more',
    )
  return ok('it is the one that the catalogue expects, and a secret of its own')
}

function openSecrets(dataDir: string): string[] {
  return secretNames
    .map((name) => join(dataDir, name))
    .filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0)
}
