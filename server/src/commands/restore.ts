import { resolve } from 'node:path'
import { readVisitorKeyFile } from '../copies/settle-keys.ts'
import { restoreInstallation } from '../copies/restore-installation.ts'
import type { Action, Call, Outcome } from './command.ts'
import { contentsText, copyCall, passphraseOption, requireFolder } from './copy-options.ts'

const restore: Action = {
  words: 'restore',
  summary: 'Restore a copy into an empty data directory and an empty database',
  details: [
    'DATA_DIR must be empty or missing; the databases of DATABASE_URL and CLICKHOUSE_URL must be empty, too. A copy of SQLite can be',
    'restored into PostgreSQL, and scans from any scan store into any other. All sessions end, and pending webhook deliveries are not sent. Stop the',
    'original service before you start the restored one: otherwise each counts only a part of the scans.',
  ],
  arguments: [{ name: 'FILE', meaning: 'A copy that "everscan backup" made.' }],
  options: [
    passphraseOption,
    {
      name: 'visitor-key',
      value: 'FILE',
      meaning:
        'A file with the key of the visitor hash, which an unencrypted copy does not hold. Without it, a new key is made, and returning visitors count as unique once more.',
    },
    {
      name: 'journal',
      value: 'DIR',
      meaning:
        'The folder "journal" of the lost data directory, if its disk can still be read: scans recorded after the copy are restored as well.',
    },
  ],
  examples: [
    {
      command: 'DATA_DIR=/var/lib/everscan ./everscan restore /mnt/backup/everscan.copy',
      does: 'on a new machine',
    },
    {
      command: './everscan restore everscan.copy --passphrase-file /etc/everscan/passphrase',
      does: 'an encrypted copy',
    },
    {
      command: './everscan restore everscan.copy --journal /mnt/old-disk/data/journal',
      does: 'a copy and the scans after it, from the disk of the old machine',
    },
  ],
  run: restoreFile,
}

export const restoreActions: readonly Action[] = [restore]

async function restoreFile(call: Call): Promise<Outcome> {
  const { input, readConfig } = call
  const config = readConfig()
  const keyFile = input.option('visitor-key')
  const journal = input.option('journal')
  if (journal !== undefined) await requireFolder(journal, '--journal')
  const { meta, manifest, lacks, keys } = await restoreInstallation({
    config,
    path: resolve(input.argument('FILE')),
    visitorKey: keyFile === undefined ? undefined : await readVisitorKeyFile(keyFile),
    ...(journal !== undefined && { journalRoot: resolve(journal) }),
    ...copyCall(call),
  })
  const madeAt = new Date(meta.madeAtMs).toISOString()
  const contents = manifest === undefined ? 'the installation' : contentsText(manifest)
  const lines = [
    `Restored ${contents} as of ${madeAt} into ${config.dataDir}.`,
    ...lacks.map((text) => `The copy lacks ${text}.`),
    ...(lacks.length > 0
      ? [
          'A copy that has these scans is better: restore that one instead, into another empty directory. Until you accept the loss with "everscan adopt losses", /readyz, Settings and "everscan doctor" say what is lacking.',
        ]
      : []),
    ...(keys.isNewVisitorKey
      ? ['Made a new key of the visitor hash: returning visitors count as unique once more.']
      : []),
    ...(meta.publicUrl === config.publicUrl
      ? []
      : [
          `Its short URLs begin with ${meta.publicUrl}: set PUBLIC_URL to it, or printed codes do not lead here.`,
        ]),
    'Start the service: ./everscan start.',
  ]
  return {
    text: lines.join('\n'),
    json: {
      madeAt,
      installation: meta.installation,
      publicUrl: meta.publicUrl,
      newVisitorKey: keys.isNewVisitorKey,
      lacks,
      ...(manifest !== undefined && { scans: manifest.scans, frames: manifest.frames, rows: manifest.rows }),
    },
  }
}
