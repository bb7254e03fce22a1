import type { Action } from './command.ts'

export const startActions: readonly Action[] = [
  {
    words: 'start',
    summary: 'Start the service, and keep it running until a signal stops it',
    details: [
      'The first start creates the data directory and prints an account and an API key. SIGTERM or Ctrl-C stops the service in order:',
      'it answers open requests and writes all scans. Settings come from the environment: see docs/configuration.md.',
    ],
    options: [
      {
        name: 'demo',
        meaning: 'Also create an organization with made-up codes and a year of scans, if there is none.',
      },
    ],
    examples: [
      {
        command: './everscan start --demo',
        does: 'look around with codes and figures; ./everscan demo remove takes them away',
      },
      { command: './everscan start', does: 'try Everscan: http://localhost:3000, data in ./data' },
      {
        command: 'PUBLIC_URL=https://go.example.com PORT=8080 ./everscan start',
        does: 'with the address that printed codes contain',
      },
    ],
    run: async ({ start, input }) => {
      await start({ demo: input.flag('demo') })
      return undefined
    },
  },
]
