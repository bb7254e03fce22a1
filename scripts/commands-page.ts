import { commands } from '../server/src/commands/commands.ts'
import { actionHelp } from '../server/src/commands/help-texts.ts'

/** `docs/commands.md`: every command as its `--help` explains it. */
export async function commandsPage(): Promise<string> {
  const loaded = await Promise.all(
    commands.map(async (command) => ({ ...command, actions: await command.load() })),
  )
  const rows = loaded.flatMap(({ actions }) =>
    actions.map(({ words, summary }) => `| [\`${words}\`](#${words.replaceAll(' ', '-')}) | ${summary} |`),
  )
  const sections = loaded.flatMap(({ actions }) =>
    actions.flatMap((action) => [`## ${action.words}`, '', '```text', actionHelp(action), '```', '']),
  )
  return [
    '# Commands',
    '',
    '`./everscan COMMAND` at the root of the project runs on any machine with Node and npm: it installs what is missing, and uses the',
    'Node that it brings. It works from any directory and through symbolic links, while the service runs and when it does not. Give it',
    'the [settings](configuration.md) of the service in the environment; without `DATA_DIR` it uses `data` in the directory of the project.',
    'It never makes a catalogue or a data directory: only a start does.',
    '',
    'Every command takes `--help` and `--json`. Exit status: 0 done, 1 failed, 2 wrong usage. Messages go to standard error; with',
    '`--json` standard output is one JSON document, of a failure `{"error": {"message": …}}`. What a command changes is in the audit',
    'log of the organization. This page is made from `server/src/commands` by `npm run generate`.',
    '',
    '| Command | Does |',
    '| --- | --- |',
    ...rows,
    '',
    ...sections,
  ].join('\n')
}
