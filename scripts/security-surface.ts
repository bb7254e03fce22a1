// The parts that docs/security.md must name because an attacker can meet them. They are read from
// the code, so a new one without a word about it fails the check.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settings } from '../server/src/settings/settings.ts'

const root = join(import.meta.dirname, '..')

/** Settings that neither open nor protect anything. A new one is named here or on the page. */
export const plainSettings: ReadonlySet<string> = new Set([
  'HOST',
  'ROOT_URL',
  'SECURITY_CONTACT',
  'ACME_EMAIL',
  'DATABASE_CONNECTIONS',
  'FRONT_PROCESSES',
  'API_PROCESSES',
  'BOOTSTRAP_ORGANIZATION',
  'BOOTSTRAP_EMAIL',
  'MAIL_FROM',
  'JOURNAL_SYNC',
  'JOURNAL_MAX_BYTES',
  'BACKUP_EVERY_HOURS',
  'BACKUP_KEEP',
  'LOG_LEVEL',
])

export type Surface = {
  /** Names of settings. */
  settings: readonly string[]
  /** The names under which keys are derived from `SECRET`. */
  purposes: readonly string[]
  /** Ids of operations that take a file. */
  uploads: readonly string[]
}

/** Returns every part of the surface that the page lacks, as lines that say what to add. */
export function surfaceProblems(page: string, { settings: names, purposes, uploads }: Surface): string[] {
  const secretRow = /^\| `SECRET` \|.*$/m.exec(page)?.[0] ?? ''
  const files = /^### Files\n([^]*?)^###? /m.exec(page)?.[1] ?? ''
  return [
    ...names
      .filter((name) => !plainSettings.has(name) && !isNamed(page, name))
      .map((name) => `${name}: is a setting that the page does not name`),
    ...[...plainSettings].filter((name) => !names.includes(name)).map((name) => `${name}: is no setting`),
    ...purposes
      .filter((purpose) => !secretRow.includes(purpose))
      .map((purpose) => `"${purpose}": is a purpose of SECRET that its row does not name`),
    ...uploads
      .filter((id) => !files.includes(`\`${id}\``))
      .map((id) => `${id}: takes a file and is not in the section Files`),
  ]
}

/** `` `NAME` `` or `` `NAME=0` `` */
function isNamed(page: string, name: string): boolean {
  return page.includes(`\`${name}\``) || page.includes(`\`${name}=`)
}

/** Reads the surface from the code and from the API's description. */
export function readSurface(): Surface {
  const sources = globSync('server/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/testing/**'] })
  const text = sources.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
  const derived = text.matchAll(/\b(?:createSecretBox|derivedKey)\([^()]*?, '([^']+)'\)/g)
  return {
    settings: Object.values(settings).map(({ name }) => name),
    purposes: [...new Set(Array.from(derived, ([, purpose = '']) => purpose))],
    uploads: uploadsOf(readFileSync(join(root, 'docs/openapi.json'), 'utf8')),
  }
}

type Operation = { operationId?: string; requestBody?: { content: Readonly<Record<string, unknown>> } }

function uploadsOf(openapi: string): string[] {
  const { paths } = JSON.parse(openapi) as { paths: Readonly<Record<string, Record<string, Operation>>> }
  return Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId = '', requestBody }) =>
      Object.keys(requestBody?.content ?? {}).some((type) => type !== 'application/json')
        ? [operationId]
        : [],
    ),
  )
}
