import { commands } from '../server/src/commands/commands.ts'
import { actionHelp } from '../server/src/commands/help-texts.ts'

/** Returns `docs/commands.md`: the help text of every command. */
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
    '`./everscan COMMAND` in the root of the project runs on any machine with Node and npm. It installs missing packages and uses the Node',
    'among them. It works from any directory and through symbolic links, whether the service runs or not. Pass the',
    '[settings](configuration.md) of the service in the environment. Without `DATA_DIR` it uses `data` in the directory of the project.',
    'It never creates a catalogue or a data directory; only a start of the service does.',
    '',
    'Every command takes `--help` and `--json`. Exit status: 0 success, 1 failure, 2 wrong usage. Messages go to standard error. With',
    '`--json` standard output is one JSON document; on failure it is `{"error": {"message": …}}`. The audit log of the organization',
    'records the changes of a command. `npm run generate` writes this page from `server/src/commands`.',
    '',
    '| Command | Does |',
    '| --- | --- |',
    ...rows,
    '',
    ...sections,
  ].join('\n')
}
