import { stat } from 'node:fs/promises'
import { countText } from '../amounts.ts'
import { readPassphrase } from '../copies/passphrase.ts'
import type { CopyStep } from '../copies/make-copy.ts'
import type { CopyManifest } from '../copies/manifest.ts'
import { createLog, type Log } from '../log.ts'
import type { Call, Option } from './command.ts'

export const passphraseOption: Option = {
  name: 'passphrase-file',
  value: 'FILE',
  meaning:
    'A file whose first line is the passphrase. Store it apart from the copies: without it they are lost.',
}

/**
 * Returns the options that every command about copies passes on: passphrase, log, progress and
 * abort signal. Throws an Error for a bad passphrase file.
 */
export function copyCall(call: Call): {
  passphrase: string | undefined
  log: Log
  nowMs: number
  progress: (step: CopyStep) => void
  signal: AbortSignal
} {
  const { nowMs, progress, interrupted } = call
  return {
    passphrase: passphraseOf(call),
    // Standard output holds only the output of the command.
    log: createLog({ level: 'warn', role: 'command' }, process.stderr),
    nowMs,
    progress: (step) => progress(stepText(step)),
    signal: interrupted(),
  }
}

function passphraseOf({ input, warn }: Call): string | undefined {
  const file = input.option('passphrase-file')
  if (file === undefined) return undefined
  const { passphrase, warning } = readPassphrase(file)
  if (warning !== undefined) warn(warning)
  return passphrase
}

const doing: Readonly<Record<CopyStep['doing'], string>> = {
  catalogue: 'rows of the catalogue',
  scans: 'scans',
  figures: 'figures of codes',
  journal: 'scans waiting in the journals',
}

export function stepText({ doing: what, done, of }: CopyStep): string {
  const count = done.toLocaleString('en')
  return of === undefined
    ? `${count} ${doing[what]}`
    : `${count} of about ${of.toLocaleString('en')} ${doing[what]}`
}

/** Describes the contents of a copy: `2 organizations, 3 codes and 4 scans`. */
export function contentsText({ rows, scans, frames }: CopyManifest): string {
  const parts = [
    countText(rows['organizations'] ?? 0, 'organization'),
    countText(rows['qr_codes'] ?? 0, 'code'),
    countText(scans, 'scan'),
    ...(frames > 0 ? [countText(frames, 'scan not counted yet', 'scans not counted yet')] : []),
  ]
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** Throws an Error unless `path` is a folder. */
export async function requireFolder(path: string, name: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() !== true) throw new Error(`${name} ${path} is not a folder: create it first.`)
}
