import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { bytesText } from '../amounts.ts'
import { verifyCopy } from '../copies/verify-copy.ts'
import type { Action, Call, Outcome } from './command.ts'
import { contentsText, copyCall, passphraseOption, requireFolder } from './copy-options.ts'

const verify: Action = {
  words: 'verify',
  summary: 'Restore a copy into a scratch folder, and compare it with its own manifest',
  details: [
    'Compares every table, organization and code, every counter, and the figures of each code. Does not touch the installation of the',
    'settings, which need not exist. A copy that lacks scans which the catalogue had counted is not verified: the command names them,',
    'and exits with status 1.',
  ],
  arguments: [{ name: 'FILE', meaning: 'A copy that "everscan backup" made.' }],
  options: [
    passphraseOption,
    {
      name: 'scratch',
      value: 'DIR',
      meaning: 'A folder with room for about four times the copy. Default: the folder for temporary files.',
    },
  ],
  examples: [
    { command: './everscan verify /mnt/backup/everscan.copy', does: 'before you rely on it' },
    {
      command: './everscan verify everscan.copy --scratch /mnt/scratch --json',
      does: 'for a script; exit status 1 if anything differs',
    },
  ],
  run: verifyFile,
}

export const verifyActions: readonly Action[] = [verify]

async function verifyFile(call: Call): Promise<Outcome> {
  const { input } = call
  const scratch = resolve(input.option('scratch') ?? tmpdir())
  await requireFolder(scratch, '--scratch')
  const path = resolve(input.argument('FILE'))
  const { meta, manifest, bytes, differences, lacks } = await verifyCopy({
    path,
    scratch,
    ...copyCall(call),
  })
  const madeAt = new Date(meta.madeAtMs).toISOString()
  const found = `${path} of ${madeAt} (${bytesText(bytes)}): ${contentsText(manifest)}`
  const json = {
    path,
    madeAt,
    installation: meta.installation,
    verified: differences.length + lacks.length === 0,
    differences,
    lacks,
  }
  if (differences.length > 0)
    return { text: [`Does not match, ${found}:`, ...differences].join('\n'), json, failed: true }
  if (lacks.length > 0)
    return {
      text: [
        `Not verified, ${found}: the file is intact, but not complete.`,
        ...lacks.map((text) => `It lacks ${text}.`),
        'Restore a copy that has these scans, if there is one: ./everscan verify says it of each.',
      ].join('\n'),
      json,
      failed: true,
    }
  return { text: `Verified ${found}: the restored copy matches its manifest.`, json }
}
