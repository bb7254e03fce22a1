import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Connection } from '@everscan/contract/resources/connections.ts'
import { saveNetworkShare } from '../../db/scans/network-shares.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi, testConfig } from '../testing/api.ts'

onEitherDatabase('the connection', (open) => {
  const trustProxy = ['10.0.0.0/8']

  test('is returned as `front` saw it: the proxies, the headers, the setting', async () => {
    const api = await openTestApi(await open(), { config: { ...testConfig, trustProxy } })
    const answer = await api.call('GET', `/organizations/${api.orgId}/connection`, {
      key: api.keys.ADMIN,
      headers: {
        'x-everscan-trail': '10.0.0.1,10.0.0.2,198.51.100.7',
        'x-everscan-forwarded-for': '198.51.100.7, 10.0.0.2',
        'x-forwarded-for': '198.51.100.7',
        'x-real-ip': '198.51.100.7',
        via: 'a'.repeat(1_000),
      },
    })
    const { headers, ...connection } = answer.json<Connection>()
    assert.deepEqual(connection, {
      address: '198.51.100.7',
      peer: '10.0.0.1',
      proxies: ['10.0.0.1', '10.0.0.2'],
      trustProxy,
      suggestion: null,
      recentScans: null,
    })
    const shown = Object.fromEntries(headers.map(({ name, value }) => [name, value]))
    assert.equal(shown['x-forwarded-for'], '198.51.100.7, 10.0.0.2')
    assert.equal(shown['x-real-ip'], '198.51.100.7')
    assert.equal(shown['via']?.length, 500)
    assert.equal(shown['x-api-key'], undefined)
  })

  test('suggests which address to trust if an untrusted peer names another address', async () => {
    const api = await openTestApi(await open(), { config: { ...testConfig, trustProxy } })
    const suggestionFor = async (trail: string, said?: string) => {
      const headers = {
        'x-everscan-trail': trail,
        ...(said !== undefined && { 'x-everscan-forwarded-for': said }),
      }
      const path = `/organizations/${api.orgId}/connection`
      return (await api.call('GET', path, { key: api.keys.ADMIN, headers })).json<Connection>().suggestion
    }
    assert.equal(await suggestionFor('192.0.2.1', '198.51.100.7'), '10.0.0.0/8,192.0.2.1')
    assert.equal(await suggestionFor('10.0.0.1,192.0.2.1', '198.51.100.7, 192.0.2.1'), '10.0.0.0/8,192.0.2.1')
    assert.equal(await suggestionFor('10.0.0.1,198.51.100.7', '198.51.100.7'), null)
    assert.equal(await suggestionFor('192.0.2.1'), null)
    assert.equal(await suggestionFor('192.0.2.1', ' , '), null)
    assert.equal(await suggestionFor('10.0.0.1', 'unknown'), null)
  })

  test('has the share of the most frequent network of recent scans', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const recentScans = async () => {
      const path = `/organizations/${api.orgId}/connection`
      return (await api.call('GET', path, { key: api.keys.ADMIN })).json<Connection>().recentScans
    }
    await saveNetworkShare(db, 'w1', { scans: 300, largest: 100 })
    assert.deepEqual(await recentScans(), { scans: 300, percentage: 33.3, nearlyOneNetwork: false })
    await saveNetworkShare(db, 'w1', { scans: 1_000, largest: 996 })
    assert.deepEqual(await recentScans(), { scans: 1_000, percentage: 99.6, nearlyOneNetwork: true })
  })

  test('403 for an EDITOR', async () => {
    const api = await openTestApi(await open())
    const answer = await api.call('GET', `/organizations/${api.orgId}/connection`, { key: api.keys.EDITOR })
    assert.equal(answer.statusCode, 403)
  })
})
