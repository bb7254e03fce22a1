import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createCodes } from '../support/accounts.ts'
import { scanOnce } from '../support/load.ts'
import { startService, until, type Service } from '../support/service.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const alerts = 'deploy/prometheus/alerts.yaml'
const dashboard = 'deploy/grafana/everscan.json'
const operations = 'docs/operations.md'

type Metric = { name: string; type: string; help: string; samples: string[] }

describe('metrics of a running service', () => {
  let service: Service
  let text: string
  let metrics: Metric[]
  before(async () => {
    service = await startService()
    const { codes } = await createCodes(service, 1)
    const code = codes[0]?.shortCode ?? ''
    await scanOnce({ port: service.port, code })
    await scanOnce({ port: service.port, code: 'ZZZZZZZ' })
    await until('the scan is ingested', async () => (await service.metric('ingested_scans_total')) === 1)
    await until('nothing waits', async () => (await service.metric('ingest_lag_bytes')) === 0)
    text = await (await fetch(`${service.baseUrl}/metrics`)).text()
    metrics = parse(text)
  })
  after(() => service.remove())

  test('names, types, units and help texts comply with promtool', () => {
    assert.ok(metrics.length > 50)
    assert.equal(new Set(metrics.map(({ name }) => name)).size, metrics.length, 'each occurs once')
    for (const { name, type, help, samples } of metrics) {
      assert.match(name, /^everscan_[a-z0-9_]*[a-z0-9]$/)
      assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
      assert.ok(help.length > 5, `${name}: ${help}`)
      assert.doesNotMatch(name, /_(bucket|count|sum)$|_(counter|gauge|histogram)(_|$)/)
      assert.doesNotMatch(
        name,
        /(milli|micro|nano)seconds|_(ms|us|ns|minutes|hours|days|kb|mb|gb|kilobytes|megabytes|percent)(_|$)/,
      )
      for (const sample of samples) {
        assert.match(sample, /^[a-z0-9_]+(\{[^}]*\})? (-?[0-9.e+-]+|\+Inf|NaN)$/)
        const sampled = sample.replace(/[{ ].*/, '')
        const ownSamples =
          type === 'histogram' ? new RegExp(`^${name}_(bucket|count|sum)$`) : new RegExp(`^${name}$`)
        assert.match(sampled, ownSamples)
      }
    }
  })

  test('scans by status, lag, queues, restarts and parts are reported', () => {
    const value = (sample: string): number => {
      const line = text.split('\n').find((one) => one.startsWith(`everscan_${sample} `))
      assert.ok(line !== undefined, sample)
      return Number(line.slice(line.lastIndexOf(' ')))
    }
    assert.equal(value('redirect_duration_seconds_count{status="3xx",process="front-0"}'), 1)
    assert.equal(value('redirect_duration_seconds_bucket{le="+Inf",status="3xx",process="front-0"}'), 1)
    assert.equal(value('redirect_duration_seconds_count{status="4xx",process="front-0"}'), 1)
    assert.equal(value('ingest_lag_seconds{process="worker-0"}'), 0)
    for (const queue of ['imports', 'webhook_deliveries', 'event_pages'])
      assert.equal(value(`queue_length{queue="${queue}",process="worker-0"}`), 0)
    for (const kind of ['styles', 'passwords', 'surveys', 'shared_views', 'mails'])
      assert.equal(value(`turns_waiting{kind="${kind}",process="api-0"}`), 0)
    assert.equal(value('turns_total{kind="passwords_of_codes",outcome="given",process="main"}'), 0)
    assert.equal(value('process_restarts_total{role="engine",reason="hung",process="main"}'), 0)
    for (const part of ['main', 'front-0', 'catalogue', 'scanStore', 'ingest', 'disk'])
      assert.equal(value(`part_up{part="${part}"}`), 1)
    assert.ok(value('geography_age_seconds{family="ipv4",process="worker-0"}') > 86_400)
    assert.match(text, new RegExp(`^everscan_build_info\\{version="[0-9.]+",node="${process.version}"`, 'm'))
  })

  test('alerts, dashboard and documentation use only existing metrics, and every metric is documented', () => {
    const names = new Set(
      metrics.flatMap(({ name, type }) =>
        type === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    )
    for (const path of [alerts, dashboard, operations]) {
      const named = new Set(read(path).match(/\beverscan_[a-z0-9_]+[a-z0-9]\b/g))
      assert.ok(named.size > 10, path)
      for (const name of named) assert.ok(names.has(name), `${path}: ${name}`)
    }
    const documented = read(operations)
    for (const { name } of metrics)
      if (!/^everscan_(process|nodejs)_/.test(name) || name === 'everscan_process_restarts_total')
        assert.ok(documented.includes(`\`${name}\``), `${operations}: ${name}`)
  })

  test('the dashboard is JSON, and each of its panels has a position and a query', () => {
    const { panels } = JSON.parse(read(dashboard)) as {
      panels: { id: number; title: string; targets: { expr: string }[] }[]
    }
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
    for (const { title, targets } of panels)
      for (const { expr } of targets) assert.match(expr, /everscan_/, title)
  })
})

test('every alert has a runbook paragraph', () => {
  const rules = read(alerts)
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map((match) => match[1] ?? '')
  assert.ok(names.length > 10)
  const page = read(operations)
  for (const name of names) {
    assert.match(page, new RegExp(`^### ${name}\\n\\n\\w`, 'm'))
    assert.ok(rules.includes(`runbook: ${operations}#${name.toLowerCase()}\n`), name)
  }
  const described = [...page.matchAll(/^### (\w+)$/gm)].map((match) => match[1])
  assert.deepEqual(described, names, 'in the order of the rules')
})

function parse(text: string): Metric[] {
  const metrics: Metric[] = []
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (kind === 'HELP') metrics.push({ name, type: '', help: rest, samples: [] })
    else if (kind === 'TYPE') Object.assign(metrics.at(-1) ?? {}, { type: rest })
    else if (line !== '') metrics.at(-1)?.samples.push(line)
  }
  return metrics
}
