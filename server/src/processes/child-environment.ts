import { settings, type ChildName, type Config } from '../settings/settings.ts'

/**
 * Variables that the system, Node and the libraries read. Those of Node are listed, because
 * NODE_AUTH_TOKEN is a secret of npm.
 */
const everywhere: readonly RegExp[] = [
  /^(PATH|HOME|TMPDIR|TZ|LANG|LANGUAGE|LC_[A-Z]+)$/,
  /^(LD_LIBRARY_PATH|LD_PRELOAD|DYLD_LIBRARY_PATH|MALLOC_[A-Z_]+|UV_THREADPOOL_SIZE)$/,
  /^(SSL_CERT_FILE|SSL_CERT_DIR|OPENSSL_CONF|LOCALDOMAIN|RES_OPTIONS)$/,
  /^NODE_(OPTIONS|ENV|EXTRA_CA_CERTS|USE_SYSTEM_CA|TLS_REJECT_UNAUTHORIZED|ICU_DATA)$/,
  /^NODE_(COMPILE_CACHE|COMPILE_CACHE_PORTABLE|DISABLE_COMPILE_CACHE)$/,
  /^NODE_(DEBUG|DEBUG_NATIVE|NO_WARNINGS|PENDING_DEPRECATION|V8_COVERAGE)$/,
]

/** Variables that `pg` reads for parts missing in DATABASE_URL; USER is its default user name. */
const ofCatalogue = /^(PG[A-Z]+|USER)$/

/** Variables for processes that call other servers. */
const ofProxies = /^((https?|no|all)_proxy|NODE_USE_ENV_PROXY)$/i
const callers: readonly ChildName[] = ['api', 'worker']

/**
 * Returns the environment for a child of `main`: its settings, and the variables that Node and its
 * libraries read. All other variables of the service are left out: an attacker who reads the memory
 * of one process must not find the secrets of all.
 */
export function childEnvironment(config: Config, child: ChildName): NodeJS.ProcessEnv {
  const allowed = [
    ...everywhere,
    ...(settings.databaseUrl.for.includes(child) && config.databaseUrl !== undefined ? [ofCatalogue] : []),
    ...(callers.includes(child) ? [ofProxies] : []),
  ]
  const environment: NodeJS.ProcessEnv = {}
  for (const [name, value] of Object.entries(config.environment))
    if (allowed.some((pattern) => pattern.test(name))) environment[name] = value
  for (const setting of Object.values(settings)) {
    const text = setting.pass === undefined ? config.environment[setting.name] : setting.pass(config)
    if (setting.for.includes(child) && text !== undefined) environment[setting.name] = text
  }
  return environment
}
