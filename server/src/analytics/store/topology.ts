import { FatalError } from '../../errors.ts'

/**
 * How a scan store is made:
 *
 * - `single`: one server, or chDB.
 * - `replicated`: a table is on several servers, each with all rows. Statements that create or drop
 *   go to every server: by a database of the engine Replicated, or by `on cluster`.
 * - `shared`: ClickHouse Cloud. All servers read one storage.
 */
export type StoreTopology =
  | { kind: 'single' }
  | { kind: 'replicated'; replicas: number; onCluster: string | undefined }
  | { kind: 'shared' }

/** A cluster as a server describes it. */
export type ServerCluster = { cluster: string; shards: number; replicas: number; isHere: 0 | 1 }

/** A server as it describes itself. */
export type TopologyFacts = {
  database: string
  /** The engine of the database; empty if the database does not exist. */
  databaseEngine: string
  /** The engine of the table of scans; empty if it does not exist. */
  scansEngine: string
  isCloud: boolean
  /** Whether the server is connected to ClickHouse Keeper or ZooKeeper. */
  hasKeeper: boolean
  macros: Readonly<Record<string, string>>
  clusters: readonly ServerCluster[]
}

export const macrosSql = `/* analytics.readTopology */ select macro, substitution from system.macros`
export const clustersSql = `/* analytics.readTopology */
  select cluster, max(shard_num) as shards, max(replica_num) as replicas, max(is_local) as isHere
  from system.clusters
  group by cluster
  order by cluster`
export const databaseSql = `/* analytics.readTopology */
  select
    (select any(engine) from system.databases where name = {database:String}) as databaseEngine,
    (select any(engine) from system.tables where database = {database:String} and name = 'scans') as scansEngine,
    (select count() from system.settings where name = 'cloud_mode' and value = '1') as isCloud,
    (select count() from system.tables where database = 'system' and name = 'zookeeper') as hasKeeper`

/**
 * Returns how a store of some servers is made, from what one of them says. Throws a `FatalError`
 * with the reason if Everscan cannot keep scans there.
 */
export function topologyOf(facts: TopologyFacts, servers: number): StoreTopology {
  const { database, databaseEngine, scansEngine } = facts
  if (scansEngine === 'Distributed')
    throw refusal(
      `the table scans of the database ${database} is distributed over shards; Everscan keeps all scans on one shard, with replicas: name another database`,
    )
  if (facts.isCloud || databaseEngine === 'Shared') {
    if (servers > 1) throw refusal(`ClickHouse Cloud has one address, got ${servers}`)
    return { kind: 'shared' }
  }
  const cluster = clusterOf(facts)
  if (cluster === undefined) return singleServer(facts, servers)
  const { shards, replicas } = cluster
  if (shards > 1)
    throw refusal(
      `the cluster ${cluster.cluster} has ${shards} shards; Everscan works with one shard and its replicas`,
    )
  if (!facts.hasKeeper)
    throw refusal(`the cluster ${cluster.cluster} has no ClickHouse Keeper, which its replicas need`)
  const majority = majorityOf(replicas)
  if (servers < majority || servers > replicas)
    throw refusal(
      `the cluster ${cluster.cluster} has ${replicas} replicas, and the setting names ${servers}; name each of them, at least ${majority}: http://user:password@${Array.from(
        { length: replicas },
        (_, index) => `host-${index + 1}:8123`,
      ).join(',')}/${database}`,
    )
  return {
    kind: 'replicated',
    replicas,
    onCluster: databaseEngine === 'Replicated' ? undefined : cluster.cluster,
  }
}

/** More than half of the replicas. */
export function majorityOf(replicas: number): number {
  return Math.floor(replicas / 2) + 1
}

/** Returns the cluster that has the tables, or undefined if they are on one server. */
function clusterOf({ database, databaseEngine, scansEngine, clusters, macros }: TopologyFacts) {
  const named = (name: string | undefined): ServerCluster | undefined =>
    clusters.find(({ cluster }) => cluster === name)
  // A Replicated database is a cluster of its own name.
  if (databaseEngine === 'Replicated')
    return named(database) ?? { cluster: database, shards: 1, replicas: 1, isHere: 1 as const }
  const isPlain = scansEngine !== '' && !scansEngine.startsWith('Replicated')
  if (isPlain) return undefined
  const ofMacro = named(macros['cluster'])
  const isCluster = ofMacro !== undefined && (ofMacro.replicas > 1 || ofMacro.shards > 1)
  return isCluster || scansEngine !== '' ? ofMacro : undefined
}

function singleServer(facts: TopologyFacts, servers: number): StoreTopology {
  const { database, databaseEngine, scansEngine, hasKeeper, clusters } = facts
  if (scansEngine.startsWith('Replicated'))
    throw refusal(
      `the table scans of the database ${database} is replicated, but the server does not say by which cluster: give every server the macro "cluster", or use a database of the engine Replicated`,
    )
  if (servers > 1)
    throw refusal(
      `it names ${servers} servers, and the first of them that answers keeps scans for itself: ${
        scansEngine === ''
          ? remedy(database)
          : 'name only that one, or move its scans with a copy into a database of the engine Replicated'
      }`,
    )
  const found = clusters.find(({ isHere, replicas, shards }) => isHere === 1 && (replicas > 1 || shards > 1))
  // A database that exists was made for one server on purpose.
  if (hasKeeper && found !== undefined && databaseEngine === '')
    throw refusal(
      `the server belongs to the cluster ${found.cluster}, and the database ${database} does not exist: ${remedy(database)}; or create it on this server alone (create database ${database})`,
    )
  return { kind: 'single' }
}

function remedy(database: string): string {
  return `create the database on every server with: create database ${database} engine = Replicated('/clickhouse/databases/${database}', 'shard-1', '{replica}')`
}

function refusal(reason: string): FatalError {
  return new FatalError(`CLICKHOUSE_URL: ${reason}`)
}
