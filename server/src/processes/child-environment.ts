import { settings, type ChildName, type Config } from '../config.ts'

/** What the system, Node and the libraries read by themselves. Node's by name: NODE_AUTH_TOKEN is a secret of npm's. */
const everywhere: readonly RegExp[] = [
  /^(PATH|HOME|TMPDIR|TZ|LANG|LANGUAGE|LC_[A-Z]+)$/,
  /^(LD_LIBRARY_PATH|LD_PRELOAD|DYLD_LIBRARY_PATH|MALLOC_[A-Z_]+|UV_THREADPOOL_SIZE)$/,
  /^(SSL_CERT_FILE|SSL_CERT_DIR|OPENSSL_CONF|LOCALDOMAIN|RES_OPTIONS)$/,
  /^NODE_(OPTIONS|ENV|EXTRA_CA_CERTS|USE_SYSTEM_CA|TLS_REJECT_UNAUTHORIZED|ICU_DATA)$/,
  /^NODE_(COMPILE_CACHE|COMPILE_CACHE_PORTABLE|DISABLE_COMPILE_CACHE)$/,
  /^NODE_(DEBUG|DEBUG_NATIVE|NO_WARNINGS|PENDING_DEPRECATION|V8_COVERAGE)$/,
]

/** What `pg` reads where DATABASE_URL is silent; USER is its default name. */
const ofCatalogue = /^(PG[A-Z]+|USER)$/

/** For processes that call other servers. */
const ofProxies = /^((https?|no|all)_proxy|NODE_USE_ENV_PROXY)$/i
const callers: readonly ChildName[] = ['api', 'worker']

/**
 * The environment of a process that `main` starts: its settings, and what Node and the libraries in it read. Nothing
 * else that the service was started with, as whoever reads the memory of one process must not find the secrets of all.
 */
export function childEnvironment(config: Config, child: ChildName): NodeJS.ProcessEnv {
  const kept = [
    ...everywhere,
    ...(settings.databaseUrl.for.includes(child) && config.databaseUrl !== undefined ? [ofCatalogue] : []),
    ...(callers.includes(child) ? [ofProxies] : []),
  ]
  const environment: NodeJS.ProcessEnv = {}
  for (const [name, value] of Object.entries(config.environment))
    if (kept.some((pattern) => pattern.test(name))) environment[name] = value
  for (const setting of Object.values(settings)) {
    const text = setting.pass === undefined ? config.environment[setting.name] : setting.pass(config)
    if (setting.for.includes(child) && text !== undefined) environment[setting.name] = text
  }
  return environment
}
