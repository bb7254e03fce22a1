import { countText } from '../amounts.ts'
import {
  copyScansAhead,
  moveBack,
  moveInstallation,
  type MovedInstallation,
  type MoveRequest,
} from '../copies/move-installation.ts'
import { createLog } from '../log.ts'
import { readMoveMarker } from '../processes/move-marker.ts'
import { UsageError, type Action, type Call, type Outcome } from './command.ts'
import { confirm } from './confirm.ts'
import { stepText } from './copy-options.ts'

const migrateStore: Action = {
  words: 'migrate-store',
  summary: 'Move the installation of DATA_DIR to PostgreSQL and ClickHouse',
  details: [
    'Set DATABASE_URL and CLICKHOUSE_URL to the new databases, which must be empty; all other settings stay those of the service.',
    'With --live, the command copies the scans while the service runs, as often as you like. Then stop the service, and run the command',
    'without it: it copies the scans since, and the catalogue. It compares every scan, the figures of each code and every row of the',
    'catalogue before it says that it is done. An interrupted command continues where it was. The files in DATA_DIR stay as they are:',
    'until the command is done, the service can start with them as before. After that, --back is the way back to them: what was changed',
    'since is lost then, except scans that DATA_DIR still holds (72 hours).',
  ],
  options: [
    { name: 'live', meaning: 'Only copy scans, also while the service runs.' },
    { name: 'back', meaning: 'Let the service start with the files in DATA_DIR again.' },
    { name: 'yes', meaning: 'With --back: do not ask.' },
  ],
  examples: [
    {
      command: 'DATABASE_URL=postgres://… CLICKHOUSE_URL=https://… ./everscan migrate-store --live',
      does: 'copy most scans before the service stops',
    },
    {
      command: 'DATABASE_URL=postgres://… CLICKHOUSE_URL=https://… ./everscan migrate-store',
      does: 'with the service stopped: move everything else, and compare',
    },
    { command: './everscan migrate-store --back', does: 'go back to the files in DATA_DIR' },
  ],
  run: async (call) => {
    const [isLive, isBack] = [call.input.flag('live'), call.input.flag('back')]
    if (isLive && isBack) throw new UsageError('--live and --back exclude each other.')
    if (isBack) return back(call)
    return isLive ? copyAhead(call) : move(call)
  },
}

export const migrateStoreActions: readonly Action[] = [migrateStore]

async function copyAhead(call: Call): Promise<Outcome> {
  const scans = await copyScansAhead(requestOf(call))
  return {
    text:
      `${countText(scans, 'scan is', 'scans are')} on the new server. The service still uses the files in DATA_DIR. ` +
      'Stop it, and run ./everscan migrate-store without --live: it moves the rest.',
    json: { done: false, scans },
  }
}

async function move(call: Call): Promise<Outcome> {
  const request = requestOf(call)
  const moved = await moveInstallation(request)
  const place = `the database ${readMoveMarker(request.config.dataDir)?.catalogue ?? ''}`
  const lines = [
    moved === undefined
      ? `The installation is complete in ${place}.`
      : `Moved ${contentsText(moved)} to ClickHouse and the catalogue to ${place}, and compared all of it.`,
    'Start the service with DATABASE_URL and CLICKHOUSE_URL, and the same DATA_DIR: ./everscan start.',
    'Another machine needs both, too, and SECRET and VISITOR_KEY: the contents of DATA_DIR/secret and DATA_DIR/visitor-key.',
    'Keep catalogue.sqlite, scan-files/ and journal/ in DATA_DIR until you are sure that you need no way back (./everscan migrate-store --back).',
  ]
  return {
    text: lines.join('\n'),
    json: {
      done: true,
      ...(moved !== undefined && {
        scans: moved.scans,
        scannedCodes: moved.figures.codes,
        organizations: moved.figures.organizations,
        rows: Object.fromEntries(moved.rows),
      }),
    },
  }
}

async function back({ readConfig, input }: Call): Promise<Outcome> {
  const config = readConfig()
  const question =
    'Changes of codes, accounts and everything else since the move are lost then, except scans that DATA_DIR still holds.'
  if (!input.flag('yes') && !(await confirm(question)))
    return { text: 'Nothing was changed.', json: { changed: false } }
  const { catalogue } = await moveBack(config)
  return {
    text:
      `The service can start with the files in ${config.dataDir} again: remove DATABASE_URL and CLICKHOUSE_URL, and run ./everscan start. ` +
      `The database ${catalogue} was not changed.`,
    json: { changed: true },
  }
}

function contentsText({ scans, figures }: MovedInstallation): string {
  return `${countText(scans, 'scan')} of ${countText(figures.codes, 'code')} in ${countText(figures.organizations, 'organization')}`
}

function requestOf({ readConfig, nowMs, progress, interrupted }: Call): MoveRequest {
  const config = readConfig()
  const { databaseUrl, clickhouseUrl } = config
  if (databaseUrl === undefined || clickhouseUrl === undefined)
    throw new UsageError(
      `set ${databaseUrl === undefined ? 'DATABASE_URL' : 'CLICKHOUSE_URL'} to the new database: the installation moves to PostgreSQL and ClickHouse.`,
    )
  return {
    config: { ...config, databaseUrl, clickhouseUrl },
    // Standard output holds only the output of the command.
    log: createLog({ level: 'warn', role: 'command' }, process.stderr),
    nowMs,
    progress: (step) => progress(stepText(step)),
    signal: interrupted(),
  }
}
