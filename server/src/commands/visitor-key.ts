import type { Config } from '../settings/settings.ts'
import type { Database } from '../db/database.ts'
import { ensureInstallation, replaceVisitorKey } from '../db/installation.ts'
import { errorMessage } from '../errors.ts'
import { lockDataDir, readSecret, visitorKeyFile, writeVisitorKey } from '../processes/data-dir.ts'
import { createVisitorKey, givenVisitorKey, visitorKeyOfSecret } from '../processes/visitor-key.ts'
import { fingerprintOf } from '../processes/fingerprint.ts'
import type { Action, Call, Outcome } from './command.ts'
import { confirm } from './confirm.ts'
import { withCatalogue } from './open-catalogue.ts'
import { textPairs } from './text-table.ts'

const cost = 'With a new visitor key, every visitor counts as unique once more, and charts mark the day.'

const visitorKey: Action = {
  words: 'visitor-key',
  summary: 'Show where the key of the visitor hash comes from, or make a new one',
  details: [
    'A keyed hash identifies visitors. Its key is VISITOR_KEY, or else DATA_DIR/visitor-key. Without VISITOR_KEY, machines that share a',
    'database, and installations that began with release 0.1, derive the key from SECRET: it is then not a secret of its own.',
    'With a new key, every visitor counts as unique once more, and charts mark the day. Stop the service on all machines first. If',
    'VISITOR_KEY is set, set a new value for the service and for this command, which accepts it. If VISITOR_KEY is not set, copy',
    'DATA_DIR/visitor-key to the other machines.',
  ],
  options: [
    { name: 'new', meaning: 'Make a new key, or accept the present value of VISITOR_KEY.' },
    { name: 'yes', meaning: 'Do not ask.' },
  ],
  examples: [
    { command: './everscan visitor-key', does: 'show where the key comes from, and its fingerprint' },
    { command: './everscan visitor-key --new', does: 'replace a key that was lost or has leaked' },
    {
      command: 'VISITOR_KEY=$(openssl rand -hex 32) ./everscan visitor-key --new --yes',
      does: 'accept a key of your own; the service needs the same setting',
    },
  ],
  run: (call) => {
    const config = call.readConfig()
    return withCatalogue(config, async (db) =>
      call.input.flag('new') ? renewKey(db, config, call) : showKey(db, config),
    )
  },
}

export const visitorKeyActions: readonly Action[] = [visitorKey]

async function showKey(db: Database, config: Config): Promise<Outcome> {
  const { visitorKeyFingerprint: expected } = await ensureInstallation(db)
  const secret = config.secret ?? readSecret(config.dataDir)
  const ofSecret = secret === undefined ? undefined : visitorKeyOfSecret(secret)
  const given = givenVisitorKey(config)
  const key = given?.key ?? ofSecret
  if (key === undefined)
    throw new Error(
      `neither VISITOR_KEY nor SECRET is set, and ${config.dataDir} has no visitor-key: run this with the settings of the service.`,
    )
  const source = given?.source ?? 'secret'
  const fingerprint = fingerprintOf(key)
  const isOwnSecret = key !== ofSecret && key !== secret
  const isRight = expected === null || expected === fingerprint
  const pairs: [string, string][] = [
    ['Comes from', sources[source](config)],
    ['Fingerprint', fingerprint],
    ['Secret of its own', isOwnSecret ? 'yes' : 'no: it is derived from SECRET'],
    ['Of this installation', isRight ? 'yes' : `no: the installation expects the fingerprint ${expected}`],
  ]
  return {
    text: textPairs(pairs),
    json: { source, fingerprint, isOwnSecret, expectedFingerprint: expected },
    ...(!isRight && { failed: true }),
  }
}

const sources = {
  setting: () => 'the setting VISITOR_KEY',
  file: ({ dataDir }: Config) => visitorKeyFile(dataDir),
  secret: () => 'SECRET; the next start writes it to DATA_DIR/visitor-key',
} as const

async function renewKey(db: Database, config: Config, { input, nowMs }: Call): Promise<Outcome> {
  const { dataDir, visitorKey: setting } = config
  const { visitorKeyFingerprint: known } = await ensureInstallation(db)
  if (setting !== undefined && fingerprintOf(setting) === known)
    throw new Error(
      'VISITOR_KEY is the key that the installation already has: set another key of 32 characters or more, for the service and for ' +
        'this command, and run the command again.',
    )
  const lock = await lockDataDir(dataDir).catch((error: unknown) => {
    throw new Error(`a new visitor key needs the service to be stopped. ${errorMessage(error)}`, {
      cause: error,
    })
  })
  try {
    if (!input.flag('yes') && !(await confirm(cost)))
      return { text: 'Nothing was changed.', json: { changed: false } }
    const key = setting ?? createVisitorKey()
    // The catalogue comes first: after an interruption, the start refuses the old file, and the
    // operator repeats this.
    await replaceVisitorKey(db, fingerprintOf(key), { reason: 'new', nowMs })
    if (setting === undefined) writeVisitorKey(dataDir, key)
    const made =
      setting === undefined
        ? `${visitorKeyFile(dataDir)} holds a new key. Copy it to the other machines, if there are any.`
        : 'The key in VISITOR_KEY is accepted. Every machine needs the same setting.'
    return {
      text: `${made} Start the service.`,
      json: {
        changed: true,
        source: setting === undefined ? 'file' : 'setting',
        fingerprint: fingerprintOf(key),
      },
    }
  } finally {
    lock.release()
  }
}
