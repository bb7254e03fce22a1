import type { Action } from './command.ts'

export const helpActions: readonly Action[] = [
  {
    words: 'help',
    summary: 'Explain a command, or list all of them',
    arguments: [{ name: 'COMMAND', meaning: 'The command to explain.', optional: true, rest: true }],
    examples: [
      { command: './everscan help', does: 'list the commands' },
      { command: './everscan help users create', does: 'explain one command' },
    ],
    run: ({ input, help }) => help(input.argument('COMMAND').split(' ').filter(Boolean)),
  },
]
