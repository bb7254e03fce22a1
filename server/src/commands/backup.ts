import { resolve } from 'node:path'
import { bytesText } from '../amounts.ts'
import { copyInstallation } from '../copies/copy-installation.ts'
import { copyName, removeOldCopies } from '../copies/copy-folder.ts'
import type { MadeCopy } from '../copies/make-copy.ts'
import { release } from '../release.ts'
import { UsageError, type Action, type Call, type Outcome } from './command.ts'
import { contentsText, copyCall, passphraseOption, requireFolder } from './copy-options.ts'

const backup: Action = {
  words: 'backup',
  summary: 'Copy the whole installation into one file, whether or not the service runs',
  details: [
    'The file holds the catalogue, all scans, the scans of this machine that are not counted yet, and SECRET. Without a passphrase,',
    'anyone who has the file has every secret in it. Only an encrypted file holds the key of the visitor hash. The file gets its name',
    'once it is complete and checked. With several machines, the command waits up to 60 s for scans that other machines have',
    'acknowledged; if some are still missing, it names them and exits with status 1. Restore the file with "everscan restore".',
  ],
  arguments: [
    { name: 'FILE', meaning: 'The file to make; an existing file is not replaced.', optional: true },
  ],
  options: [
    { name: 'to', value: 'DIR', meaning: 'Make a file in this folder instead, named after the time.' },
    {
      name: 'keep',
      value: 'N',
      meaning: 'With --to: keep the newest N copies, and remove older ones once the new one is checked.',
      read: readCount,
    },
    passphraseOption,
    { name: 'without-secret', meaning: 'Leave SECRET out: the restore then needs it from the settings.' },
    { name: 'partial', meaning: 'Exit with status 0 even if scans of other machines are missing.' },
  ],
  examples: [
    { command: './everscan backup /mnt/backup/everscan.copy', does: 'one file' },
    {
      command: './everscan backup --to /mnt/backup --keep 14 --passphrase-file /etc/everscan/passphrase',
      does: 'for a nightly job: keep the last 14 copies, encrypted',
    },
  ],
  run: makeBackup,
}

export const backupActions: readonly Action[] = [backup]

async function makeBackup(call: Call): Promise<Outcome> {
  const { input, readConfig } = call
  const path = await pathOf(call)
  const config = readConfig()
  const made = await copyInstallation({
    config,
    path,
    withoutSecret: input.flag('without-secret'),
    release,
    ...copyCall(call),
  })
  const keep = input.option('keep')
  const removed =
    keep === undefined ? [] : await removeOldCopies(resolve(input.option('to') ?? ''), Number(keep))
  const isPartial = made.manifest.missing.length + made.manifest.silent.length > 0
  return {
    text: [...backupLines(made), ...removed.map((name) => `Removed ${name}.`)].join('\n'),
    json: { ...summaryOf(made), removed },
    ...(isPartial && !input.flag('partial') && { failed: true }),
  }
}

async function pathOf({ input, nowMs }: Call): Promise<string> {
  const file = input.argument('FILE')
  const to = input.option('to')
  if ((file === '') === (to === undefined))
    throw new UsageError('expected either a FILE or a folder with --to.')
  if (to === undefined) {
    if (input.option('keep') !== undefined) throw new UsageError('--keep needs --to.')
    return resolve(file)
  }
  await requireFolder(to, '--to')
  return resolve(to, copyName(nowMs))
}

function backupLines({ path, bytes, isEncrypted, meta, manifest }: MadeCopy): string[] {
  const lines = [`Copied ${contentsText(manifest)} into ${path} (${bytesText(bytes)}).`]
  if (isEncrypted) lines.push('It is encrypted: without the passphrase the copy is lost.')
  else if (meta.hasSecret)
    lines.push('Anyone who has this file has every secret in it: --passphrase-file encrypts it.')
  else lines.push('The copy does not hold SECRET: keep SECRET elsewhere, or the copy cannot be restored.')
  for (const { machine, sequence, checkpoint } of manifest.missing)
    lines.push(
      `Missing: up to ${(sequence - checkpoint).toLocaleString('en')} scans of the machine ${machine}, which did not arrive within 60 s.`,
    )
  for (const machine of manifest.silent)
    lines.push(`Perhaps missing: scans of the machine ${machine}, which did not report its scans.`)
  for (const { day, hits } of manifest.lacking)
    lines.push(
      `The scan store lacks ${hits} hits of ${day}: no copy holds them. See "everscan doctor" for details.`,
    )
  return lines
}

function summaryOf({ path, bytes, isEncrypted, meta, manifest }: MadeCopy): Record<string, unknown> {
  const { rows, scans, scannedCodes, frames, missing, silent, lacking } = manifest
  return {
    path,
    bytes,
    madeAt: new Date(meta.madeAtMs).toISOString(),
    installation: meta.installation,
    organizations: rows['organizations'] ?? 0,
    codes: rows['qr_codes'] ?? 0,
    scans,
    scannedCodes,
    frames,
    isEncrypted,
    hasSecret: meta.hasSecret,
    hasVisitorKey: meta.hasVisitorKey,
    missing,
    silent,
    lacking,
  }
}

function readCount(text: string): string {
  if (/^[1-9]\d{0,3}$/.test(text)) return text
  throw new Error('must be a whole number from 1 to 9999')
}
