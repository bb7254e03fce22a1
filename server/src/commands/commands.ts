import { UsageError, type Action } from './command.ts'
import { didYouMean, nearestWord } from './nearest-word.ts'

/** A command. Its actions are loaded on use: no command loads the libraries of another. */
export type Command = {
  name: string
  summary: string
  load: () => Promise<readonly Action[]>
}

/** Every command, in the order of the help. To add a command, add a file and an entry here. */
export const commands: readonly Command[] = [
  {
    name: 'start',
    summary: 'Start the service',
    load: async () => (await import('./start.ts')).startActions,
  },
  {
    name: 'backup',
    summary: 'Copy the whole installation into one file',
    load: async () => (await import('./backup.ts')).backupActions,
  },
  {
    name: 'restore',
    summary: 'Restore a copy',
    load: async () => (await import('./restore.ts')).restoreActions,
  },
  {
    name: 'verify',
    summary: 'Check that a copy can be restored',
    load: async () => (await import('./verify.ts')).verifyActions,
  },
  {
    name: 'migrate-store',
    summary: 'Move from the embedded databases to PostgreSQL and ClickHouse',
    load: async () => (await import('./migrate-store.ts')).migrateStoreActions,
  },
  {
    name: 'upgrade-store',
    summary: 'Make the scans of the embedded scan store files of Parquet',
    load: async () => (await import('./upgrade-store.ts')).upgradeStoreActions,
  },
  {
    name: 'export',
    summary: 'Write a static site that answers the codes without Everscan',
    load: async () => (await import('./export.ts')).exportActions,
  },
  {
    name: 'users',
    summary: 'Accounts: list, create, reset, revoke',
    load: async () => (await import('./users.ts')).userActions,
  },
  {
    name: 'keys',
    summary: 'API keys: list, create, revoke',
    load: async () => (await import('./keys.ts')).keyActions,
  },
  {
    name: 'organizations',
    summary: 'Organizations: list, create, rename',
    load: async () => (await import('./organizations.ts')).organizationActions,
  },
  {
    name: 'operator',
    summary: 'Show or change the organization of the operator',
    load: async () => (await import('./organizations.ts')).operatorActions,
  },
  {
    name: 'domains',
    summary: 'Domains: adopt the short codes of an earlier owner',
    load: async () => (await import('./domains.ts')).domainActions,
  },
  {
    name: 'import',
    summary: 'Import the archive of an organization, or links of another product',
    load: async () => (await import('./import.ts')).importActions,
  },
  {
    name: 'demo',
    summary: 'Made-up codes and scans: remove',
    load: async () => (await import('./demo.ts')).demoActions,
  },
  {
    name: 'adopt',
    summary: 'Take over a part that belongs to another installation',
    load: async () => (await import('./adopt.ts')).adoptActions,
  },
  {
    name: 'journal',
    summary: 'Journals of a machine that is gone: take over',
    load: async () => (await import('./journal.ts')).journalActions,
  },
  {
    name: 'visitor-key',
    summary: 'The key of the visitor hash: show where it comes from, make a new one',
    load: async () => (await import('./visitor-key.ts')).visitorKeyActions,
  },
  {
    name: 'doctor',
    summary: 'Check everything that can go wrong, and say how to fix it',
    load: async () => (await import('./doctor.ts')).doctorActions,
  },
  {
    name: 'upgrade',
    summary: 'Show what the next start of this release would upgrade',
    load: async () => (await import('./upgrade.ts')).upgradeActions,
  },
  {
    name: 'mcp',
    summary: 'Connect a program over MCP, through standard input and output',
    load: async () => (await import('./mcp.ts')).mcpActions,
  },
  {
    name: 'help',
    summary: 'Explain a command',
    load: async () => (await import('./help.ts')).helpActions,
  },
]

/** Returns the command with this name. Throws UsageError, with the nearest name. */
export function findCommand(name: string): Command {
  const found = commands.find((command) => command.name === name)
  if (found !== undefined) return found
  const names = commands.map((command) => command.name)
  throw new UsageError(
    `unknown command "${name}".${didYouMean(nearestWord(name, names))}`,
    `everscan COMMAND, where COMMAND is one of ${names.join(', ')}`,
  )
}

/** Returns the action that `words` begin with, and the words after it. */
export async function findAction(
  words: readonly string[],
): Promise<{ action: Action; rest: readonly string[] }> {
  const [name = '', verb, ...others] = words
  const actions = await findCommand(name).load()
  const [single] = actions
  if (single?.words === name) return { action: single, rest: words.slice(1) }
  const action = actions.find((one) => one.words === `${name} ${verb}`)
  if (action !== undefined) return { action, rest: others }
  const verbs = actions.map((one) => one.words.slice(name.length + 1))
  const problem =
    verb === undefined || verb.startsWith('-')
      ? `"${name}" needs a word that says what to do.`
      : `unknown word "${verb}" after "${name}".${didYouMean(nearestWord(verb, verbs))}`
  throw new UsageError(problem, `everscan ${name} ${verbs.join('|')}`)
}
