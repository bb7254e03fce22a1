import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const config = `<clickhouse>
  <zookeeper><implementation>testkeeper</implementation></zookeeper>
  <macros><replica>replica-1</replica></macros>
  <default_replica_path>/clickhouse/tables/{database}/{table}</default_replica_path>
  <default_replica_name>{replica}</default_replica_name>
</clickhouse>
`

/**
 * Runs statements on an engine with a Keeper for tests, in a process of its own. Returns the tables
 * that it has then, as `name engine`. It creates replicated tables, but no rows: its replicas never
 * become active, because they have no address for others.
 */
export async function tablesWithKeeper(statements: readonly string[]): Promise<string[]> {
  const dir = await mkdtemp(join(tmpdir(), 'everscan-keeper-'))
  try {
    await writeFile(join(dir, 'config.xml'), config)
    const script = fileURLToPath(import.meta.url)
    const input = JSON.stringify(statements)
    const child = spawnSync(process.execPath, [script, dir], { input, encoding: 'utf8', timeout: 120_000 })
    if (!child.stdout.endsWith(']\n')) throw new Error(`no tables: ${child.stdout}${child.stderr}`)
    return JSON.parse(child.stdout) as string[]
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { Session } = await import('chdb')
  const [dir = ''] = process.argv.slice(2)
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk)
  const session = new Session(join(dir, 'data'), {
    connectionArgs: [`--config-file=${join(dir, 'config.xml')}`],
  })
  for (const sql of ['create database everscan', 'use everscan']) await session.queryAsync(sql)
  for (const sql of JSON.parse(Buffer.concat(chunks).toString()) as string[]) await session.queryAsync(sql)
  const answer = await session.queryAsync(
    `select toJSONString(arraySort(groupArray(concat(name, ' ', engine)))) from system.tables where database = 'everscan'`,
    { format: 'TSVRaw' },
  )
  process.stdout.write(Buffer.from(answer.bytes()))
  // Such a session never closes: its replicas wait to become active.
  process.kill(process.pid, 'SIGKILL')
}
