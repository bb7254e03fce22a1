import { Agent } from 'node:http'
import {
  ClickHouseLogLevel,
  createClient,
  type ClickHouseClient,
  type ClickHouseSettings,
} from '@clickhouse/client'

export type StoreAddress =
  | { /** `http://user:password@host:8123/database` */ url: string }
  | { /** The socket of chDB. */ socketPath: string }

/** Creates a client, which opens its connections only when it is called. */
export function connect(options: StoreAddress, database: string): ClickHouseClient {
  const shared = {
    // Errors are thrown, and the caller logs them.
    log: { level: ClickHouseLogLevel.OFF },
    // The deadline of a call comes first. This timeout only releases sockets.
    request_timeout: 10 * 60_000,
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 } satisfies ClickHouseSettings,
  }
  if ('url' in options) {
    const { protocol, host, username, password } = new URL(options.url)
    const account = {
      ...(username !== '' && {
        username: decodeURIComponent(username),
        password: decodeURIComponent(password),
      }),
      url: `${protocol}//${host}`,
    }
    return createClient({ ...shared, ...account, database, max_open_connections: 8 })
  }
  // Node's agent passes `socketPath` on to `net.connect`, but its type does not declare that.
  const agent: AgentOptions = { keepAlive: true, maxSockets: 8, socketPath: options.socketPath }
  return createClient({ ...shared, url: 'http://engine', http_agent: new Agent(agent), database })
}

type AgentOptions = ConstructorParameters<typeof Agent>[0] & { socketPath: string }
