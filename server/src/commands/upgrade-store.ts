import { countText } from '../amounts.ts'
import { chdbVersion, upgradeStore } from '../copies/upgrade-store.ts'
import { createLog } from '../log.ts'
import type { Action, Call, Outcome } from './command.ts'
import { stepText } from './copy-options.ts'

const upgrade: Action = {
  words: 'upgrade-store',
  summary: 'Make the scans of the embedded scan store files of Parquet',
  details: [
    'Up to release 0.2, scans were in the embedded store chDB. Stop the service first, and keep a copy of DATA_DIR. The command writes every scan into DATA_DIR/scan-files, compares the figures of each',
    'code, and only then has the catalogue list the files. An interrupted command starts over; until it is done, the service can start',
    'and codes redirect. The folder DATA_DIR/scans is then of no use, and can be removed.',
  ],
  examples: [{ command: './everscan upgrade-store', does: 'with the service stopped' }],
  run: upgradeEmbedded,
}

export const upgradeStoreActions: readonly Action[] = [upgrade]

async function upgradeEmbedded({ readConfig, nowMs, progress, warn, interrupted }: Call): Promise<Outcome> {
  const config = readConfig()
  const upgraded = await upgradeStore({
    config,
    // Standard output holds only the output of the command.
    log: createLog({ level: 'warn', role: 'command' }, process.stderr),
    nowMs,
    progress: (step) => progress(stepText(step)),
    onInstall: () =>
      warn(
        `npm installs chdb@${chdbVersion}, about 540 MB, which reads the embedded store; it is removed afterwards.`,
      ),
    signal: interrupted(),
  })
  const lines = [
    upgraded === undefined
      ? 'The scans are in files.'
      : `${countText(upgraded.scans, 'scan is', 'scans are')} in files, and the figures of ${countText(upgraded.codes, 'code')} are equal.`,
    'Start the service: ./everscan start.',
    `When all is well, remove ${config.dataDir}/scans.`,
  ]
  return { text: lines.join('\n'), json: { done: true, ...upgraded } }
}
