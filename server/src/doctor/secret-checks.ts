import { chmodSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readInstallation } from '../db/installation.ts'
import { fingerprintOf } from '../processes/fingerprint.ts'
import { givenVisitorKey, visitorKeyOfSecret } from '../processes/visitor-key.ts'
import { dayText, quoted } from '../amounts.ts'
import { failed, notice, ok, unknown, type Check, type CheckGroup, type Finding } from './check.ts'
import type { DoctorContext } from './context.ts'

/** Files of DATA_DIR that hold a secret; the key of visitors is there where it is one of its own. */
const secretNames = ['secret', 'visitor-key'] as const

const secretCheck: Check = {
  name: 'secrets.secret',
  title: 'SECRET',
  run: (context) => {
    const { config } = context
    const path = join(config.dataDir, 'secret')
    if (config.secret !== undefined) return ok(`set in the environment, ${config.secret.length} characters`)
    if (context.secret() === undefined)
      return failed(
        `neither SECRET nor ${path} is there`,
        'put the file back from a copy, or set SECRET to what it held; ./everscan adopt secret says what a new one costs',
      )
    return ok(`in ${path} since ${dayText(statSync(path).mtimeMs)}: keep a copy of it`)
  },
}

const modesCheck: Check = {
  name: 'secrets.mode',
  title: 'Rights of the files with secrets',
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
      ? ok('none is in the environment')
      : notice(
          `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} still in the environment, and used by the first start only`,
          `take ${names.join(' and ')} out of the settings`,
        )
  },
}

const metricsTokenCheck: Check = {
  name: 'secrets.metrics-token',
  title: 'METRICS_TOKEN',
  run: ({ config: { metricsToken, metricsRequireToken, trustProxy, publicUrl } }) => {
    if (metricsToken !== undefined)
      return ok(metricsRequireToken ? 'asked of everybody' : 'set, and not asked of near addresses')
    if (publicUrl.startsWith('https:') && trustProxy.length === 0)
      return notice(
        'not set, and PUBLIC_URL is https: if the proxy before it adds no X-Forwarded-For, everybody may read /metrics',
        'set METRICS_TOKEN and METRICS_REQUIRE_TOKEN=true, or have the proxy add X-Forwarded-For and set TRUST_PROXY',
      )
    return ok('not set: only near addresses may read /metrics')
  },
}

export const secretChecks: CheckGroup = {
  title: 'Secrets',
  checks: [secretCheck, modesCheck, fingerprintCheck, visitorKeyCheck, bootstrapCheck, metricsTokenCheck],
}

export function judgeSecretModes(dataDir: string): Finding {
  const open = openSecrets(dataDir)
  if (open.length === 0) return ok('only their user reads them')
  return failed(
    `other users of this machine may read ${open.join(' and ')}, but for the rights of the directory`,
    `chmod 600 ${open.map(quoted).join(' ')}; ./everscan doctor --fix does it`,
  )
}

/** `known` is the catalogue's; null: it has none yet. */
export function judgeFingerprint(known: string | null, own: string | undefined): Finding {
  if (known === null)
    return unknown(
      'the catalogue does not know it yet',
      'nothing to do: the next start writes its fingerprint down',
    )
  if (own !== undefined && fingerprintOf(own) === known) return ok('it is the one that the catalogue knows')
  return failed(
    own === undefined ? 'there is none to compare' : 'it is not the one that the catalogue knows',
    'set SECRET, or put the file secret back, as on the machine that it was made on; ./everscan adopt secret says what another one costs',
  )
}

/** `known` is the catalogue's; null: it has none yet. `given` is that of the setting or the file. */
export function judgeVisitorKey(
  known: string | null,
  { given, secret }: { given: string | undefined; secret: string | undefined },
): Finding {
  if (known === null)
    return unknown(
      'the catalogue does not know it yet',
      'nothing to do: the next start makes it, or writes its fingerprint down',
    )
  const ofSecret = secret === undefined ? undefined : visitorKeyOfSecret(secret)
  const key = given ?? ofSecret
  if (key === undefined || fingerprintOf(key) !== known)
    return failed(
      key === undefined ? 'there is none to compare' : 'it is not the one that the catalogue knows',
      'set VISITOR_KEY, or put the file visitor-key back, as it was; ./everscan visitor-key --new makes another one, with which every visitor counts as unique once more',
    )
  if (key === ofSecret)
    return notice(
      'it is made from SECRET, so it is no secret of its own: whoever has SECRET can try addresses out',
      './everscan visitor-key --new makes one of its own; every visitor then counts as unique once more',
    )
  return ok('it is the one that the catalogue knows, and a secret of its own')
}

function openSecrets(dataDir: string): string[] {
  return secretNames
    .map((name) => join(dataDir, name))
    .filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0)
}
