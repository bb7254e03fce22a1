import assert from 'node:assert/strict'
import { it } from 'node:test'
import { storeUrls } from '../../settings/store-urls.ts'
import { topologyOf, type ServerCluster, type StoreTopology, type TopologyFacts } from './topology.ts'

/** A server as it is without any setting. */
const alone: TopologyFacts = {
  database: 'everscan',
  databaseEngine: '',
  scansEngine: '',
  isCloud: false,
  hasKeeper: false,
  macros: {},
  clusters: [{ cluster: 'default', shards: 1, replicas: 1, isHere: 1 }],
}
const cluster = (replicas: number, shards = 1, name = 'prod'): ServerCluster => ({
  cluster: name,
  shards,
  replicas,
  isHere: 1,
})
const prod = { hasKeeper: true, clusters: [cluster(3)] }
const replicated = {
  ...alone,
  hasKeeper: true,
  databaseEngine: 'Replicated',
  clusters: [cluster(3, 1, 'everscan'), cluster(9, 3)],
}

const states: readonly [string, Partial<TopologyFacts>, number, StoreTopology | RegExp][] = [
  ['a server alone', {}, 1, { kind: 'single' }],
  [
    'a server of an earlier release',
    { databaseEngine: 'Atomic', scansEngine: 'MergeTree' },
    1,
    { kind: 'single' },
  ],
  [
    'a table of one server in a cluster',
    { ...prod, macros: { cluster: 'prod' }, databaseEngine: 'Atomic', scansEngine: 'MergeTree' },
    1,
    { kind: 'single' },
  ],
  ['a database that was made on one server', { ...prod, databaseEngine: 'Atomic' }, 1, { kind: 'single' }],
  ['a Replicated database', replicated, 3, { kind: 'replicated', replicas: 3, onCluster: undefined }],
  [
    'a Replicated database, by two of its hosts',
    replicated,
    2,
    { kind: 'replicated', replicas: 3, onCluster: undefined },
  ],
  [
    'a cluster that the server names',
    { ...prod, macros: { cluster: 'prod' } },
    3,
    { kind: 'replicated', replicas: 3, onCluster: 'prod' },
  ],
  [
    'tables that were made on that cluster',
    { ...prod, macros: { cluster: 'prod' }, databaseEngine: 'Atomic', scansEngine: 'ReplicatedMergeTree' },
    3,
    { kind: 'replicated', replicas: 3, onCluster: 'prod' },
  ],
  ['ClickHouse Cloud', { isCloud: true, databaseEngine: 'Shared', hasKeeper: true }, 1, { kind: 'shared' }],
  [
    'one host of three replicas',
    replicated,
    1,
    /has 3 replicas, and the setting names 1; name each of them, at least 2: .*host-3:8123\/everscan/,
  ],
  ['more hosts than replicas', replicated, 4, /has 3 replicas, and the setting names 4/],
  ['several servers without a cluster', {}, 3, /names 3 servers, .* engine = Replicated\(/],
  [
    'several servers, one of which has the scans',
    { databaseEngine: 'Atomic', scansEngine: 'MergeTree' },
    2,
    /names 2 servers, .* name only that one/,
  ],
  [
    'a new database in a cluster that nobody names',
    prod,
    1,
    /belongs to the cluster prod, and the database everscan does not exist: create the database on every server/,
  ],
  [
    'shards',
    { ...prod, clusters: [cluster(2, 2)], macros: { cluster: 'prod' } },
    2,
    /prod has 2 shards; Everscan works with one shard/,
  ],
  [
    'a Replicated database with shards',
    { ...replicated, clusters: [cluster(2, 2, 'everscan')] },
    2,
    /everscan has 2 shards/,
  ],
  [
    'a Distributed table',
    { scansEngine: 'Distributed', databaseEngine: 'Atomic' },
    1,
    /distributed over shards; .* name another database/,
  ],
  [
    'replicated tables of no cluster',
    { ...prod, databaseEngine: 'Atomic', scansEngine: 'ReplicatedMergeTree' },
    3,
    /give every server the macro "cluster"/,
  ],
  [
    'a cluster without Keeper',
    { ...prod, hasKeeper: false, macros: { cluster: 'prod' } },
    3,
    /has no ClickHouse Keeper/,
  ],
  ['several hosts of ClickHouse Cloud', { isCloud: true }, 2, /ClickHouse Cloud has one address, got 2/],
]

function judge(facts: Partial<TopologyFacts>, servers: number): StoreTopology {
  return topologyOf({ ...alone, ...facts }, servers)
}

for (const [name, facts, servers, expected] of states)
  it(`${name} is ${expected instanceof RegExp ? 'refused in a sentence' : expected.kind}`, () => {
    if (!(expected instanceof RegExp)) return assert.deepEqual(judge(facts, servers), expected)
    assert.throws(
      () => judge(facts, servers),
      (error: Error) => error.message.startsWith('CLICKHOUSE_URL: ') && expected.test(error.message),
    )
  })

it('a URL names one server or several', () => {
  assert.deepEqual(storeUrls('http://ch:8123/scans'), ['http://ch:8123/scans'])
  assert.deepEqual(storeUrls('https://me:a%2Cb,c@ch-1:8443,ch-2:8443/scans'), [
    'https://me:a%2Cb,c@ch-1:8443/scans',
    'https://me:a%2Cb,c@ch-2:8443/scans',
  ])
  assert.deepEqual(storeUrls('http://[::1]:8123,[::2]:8123'), ['http://[::1]:8123', 'http://[::2]:8123'])
  for (const wrong of ['http://a,,b/x', 'http://a,b:x/y']) assert.throws(() => storeUrls(wrong), /only hosts/)
  assert.throws(() => storeUrls('http://a,a/x'), /names a host twice/)
})
