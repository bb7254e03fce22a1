import type { Action } from './command.ts'
import { readWebAddress } from './word-values.ts'

/** The variable that holds the key: words of a command line are visible to other users. */
const keyName = 'EVERSCAN_API_KEY'

export const mcpActions: readonly Action[] = [
  {
    words: 'mcp',
    summary: 'Connect a program over MCP, through standard input and output',
    details: [
      'For programs with a language model that start a command instead of connecting to a URL. Passes each message on to /mcp of a',
      `service, with the API key in ${keyName}. The service must run, here or elsewhere. docs/mcp.md has the tools.`,
      'Standard output has only messages of the protocol. Ends with standard input.',
    ],
    options: [
      {
        name: 'url',
        value: 'URL',
        meaning: 'Where the service runs. Default: PUBLIC_URL.',
        read: readWebAddress,
      },
    ],
    examples: [
      { command: `${keyName}=evs_… ./everscan mcp`, does: 'connect to the service on this machine' },
      {
        command: `${keyName}=evs_… ./everscan mcp --url https://qr.example.com`,
        does: 'connect to another one',
      },
    ],
    run: async ({ input, readConfig, warn, interrupted }) => {
      const { apiKey, publicUrl } = readConfig()
      if (apiKey === undefined)
        throw new Error(
          `${keyName} is not set. "./everscan keys create" makes a key, the dashboard does, too.`,
        )
      const { bridgeMcp } = await import('./mcp-bridge.ts')
      const url = input.option('url') ?? publicUrl
      const { stdin, stdout } = process
      await bridgeMcp({ url, apiKey, input: stdin, output: stdout, warn, signal: interrupted() })
      return undefined
    },
  },
]
