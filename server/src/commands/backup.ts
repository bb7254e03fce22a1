import { basename, resolve } from 'node:path'
import { problem } from '@everscan/contract/problems/problem.ts'
import { bytesText, countText } from '../amounts.ts'
import { copyInstallation } from '../copies/copy-installation.ts'
import {
  copyName,
  fewerThanBefore,
  removeLeftovers,
  removeOldCopies,
  type FewerHits,
} from '../copies/copy-folder.ts'
import { lackingTexts } from '../copies/lacking.ts'
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
    'acknowledged. It compares the scans in the copy with those that the catalogue had counted. If the copy lacks some, it names them and',
    'exits with status 1. Restore the file with "everscan restore".',
  ],
  arguments: [
    { name: 'FILE', meaning: 'The file to make; an existing file is not replaced.', optional: true },
  ],
  options: [
    { name: 'to', value: 'DIR', meaning: 'Make a file in this folder instead, named after the time.' },
    {
      name: 'keep',
      value: 'N',
      meaning:
        'With --to: keep the newest N copies, and remove an older one once N newer ones are checked and have all its scans.',
      read: readCount,
    },
    passphraseOption,
    { name: 'without-secret', meaning: 'Leave SECRET out: the restore then needs it from the settings.' },
    { name: 'partial', meaning: 'Exit with status 0 even if the copy lacks scans.' },
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
  const to = input.option('to')
  const folder = to === undefined ? undefined : await tidyFolder(resolve(to), made, keep)
  const lacks = lackingTexts(made.manifest)
  return {
    text: [...backupLines(made, lacks), ...folderLines(folder)].join('\n'),
    json: { ...summaryOf(made), lacks, removed: [], ...folder },
    ...(lacks.length > 0 && !input.flag('partial') && { failed: true }),
  }
}

type Folder = { fewer: FewerHits | undefined; removed: readonly string[]; spared: readonly string[] }

/** Compares a new copy with those in its folder, and removes those that it replaces. */
async function tidyFolder(
  dir: string,
  { path, meta: { installation } }: MadeCopy,
  keep: string | undefined,
): Promise<Folder> {
  const fewer = await fewerThanBefore(dir, { name: basename(path), installation })
  if (keep === undefined) return { fewer, removed: [], spared: [] }
  return { fewer, ...(await removeOldCopies(dir, { keep: Number(keep), installation })) }
}

function folderLines(folder: Folder | undefined): string[] {
  if (folder === undefined) return []
  const { fewer, removed, spared } = folder
  return [
    ...(fewer === undefined ? [] : [`Notice: ${problem('copyHasFewer', fewer).message}.`]),
    ...removed.map((name) => `Removed ${name}.`),
    ...spared.map((name) => `Kept ${name}, too: it has scans that newer copies lack.`),
  ]
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
  await removeLeftovers(to)
  return resolve(to, copyName(nowMs))
}

function backupLines(
  { path, bytes, isEncrypted, meta, manifest }: MadeCopy,
  lacks: readonly string[],
): string[] {
  const lines = [`Copied ${contentsText(manifest)} into ${path} (${bytesText(bytes)}).`]
  if (isEncrypted) lines.push('It is encrypted: without the passphrase the copy is lost.')
  else if (meta.hasSecret)
    lines.push('Anyone who has this file has every secret in it: --passphrase-file encrypts it.')
  else lines.push('The copy does not hold SECRET: keep SECRET elsewhere, or the copy cannot be restored.')
  lines.push(...lacks.map((text) => `The copy lacks ${text}.`))
  if (lacks.length > 0)
    lines.push(
      'It is partial. "everscan doctor" says what is wrong. Complete copies that are older stay; "everscan adopt losses" accepts lost hits.',
    )
  const surplusHits = manifest.held?.surplusHits ?? 0
  if (surplusHits > 0)
    lines.push(
      `Notice: the scan store has ${countText(surplusHits, 'hit')} that the catalogue did not count, and the copy has them. The next start of the service compares both.`,
    )
  return lines
}

function summaryOf({ path, bytes, isEncrypted, meta, manifest }: MadeCopy): Record<string, unknown> {
  const { rows, scans, scannedCodes, frames, missing, silent, lacking, damagedBytes } = manifest
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
    damagedBytes,
  }
}

function readCount(text: string): string {
  if (/^[1-9]\d{0,3}$/.test(text)) return text
  throw new Error('must be a whole number from 1 to 9999')
}
