// Loads the n8n nodes as they are published, and runs them against a service.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Client } from '@everscan/client/create-client.ts'
import {
  RefusedError,
  runOperation,
  send,
  testCredentials,
  type Credentials,
  type CredentialType,
  type Field,
  type Item,
  type Json,
  type NodeDescription,
} from '../support/n8n.ts'
import { until, type Service } from '../support/service.ts'
import { openTenant } from '../support/shared-service.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const source = join(root, 'integrations', 'n8n')
const read = (path: string): Json => JSON.parse(readFileSync(path, 'utf8')) as Json
const manifest = read(join(source, 'package.json')) as Json & {
  n8n: { nodes: string[]; credentials: string[] }
}
const phone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile' }

/** The part of n8n's package that nodes need when they run. */
const workflowModule = `
exports.NodeConnectionTypes = { Main: 'main' }
exports.NodeApiError = class extends Error { constructor(node, error) { super(String(error.message)) } }`

type Hook = (this: object) => Promise<boolean>
type Trigger = {
  description: NodeDescription
  webhookMethods: { default: Record<'checkExists' | 'create' | 'delete', Hook> }
  webhook: (this: object) => Promise<{ workflowData?: Item[][]; noWebhookResponse?: boolean }>
}

describe('the n8n nodes', { concurrency: 1 }, () => {
  let dir: string
  let service: Service
  let client: Client
  let credentials: Credentials
  let credentialType: CredentialType
  let node: NodeDescription
  let trigger: Trigger
  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'everscan-n8n-'))
    execFileSync(process.execPath, [join(source, 'build.mts'), join(dir, 'dist')])
    const workflow = join(dir, 'node_modules', 'n8n-workflow')
    mkdirSync(workflow, { recursive: true })
    writeFileSync(join(workflow, 'index.js'), workflowModule)
    const load = createRequire(join(dir, 'package.json'))
    const instances = [...manifest.n8n.nodes, ...manifest.n8n.credentials].map((path) => {
      const name = /(\w+)\.\w+\.js$/.exec(path)?.[1] ?? ''
      const { [name]: Class } = load(join(dir, path)) as Record<string, new () => object>
      assert.ok(Class, `${path} exports no class ${name}`)
      return new Class()
    })
    node = (instances[0] as { description: NodeDescription }).description
    trigger = instances[1] as Trigger
    credentialType = instances[2] as CredentialType
    ;({ service } = await openTenant())
    client = service.client()
    const [organization] = await client.organizations.listMine()
    credentials = {
      baseUrl: `${service.baseUrl}/`,
      apiKey: service.apiKey,
      organizationId: organization?.id ?? '',
    }
  })
  after(async () => {
    await service.remove()
    rmSync(dir, { recursive: true, force: true })
  })
  const run = (parameters: Json, item?: Item): Promise<Item[]> =>
    runOperation(node, credentialType, credentials, parameters, item)
  const runOne = async (parameters: Json, item?: Item): Promise<Json> => {
    const [first] = await run(parameters, item)
    assert.ok(first)
    return first.json
  }

  test('the manifest keeps the rules for community nodes', () => {
    assert.match(String(manifest['name']), /^n8n-nodes-/)
    assert.equal(manifest['version'], read(join(root, 'package.json'))['version'])
    assert.ok((manifest['keywords'] as string[]).includes('n8n-community-node-package'))
    assert.deepEqual(manifest['peerDependencies'], { 'n8n-workflow': '*' })
    assert.ok(!('dependencies' in manifest) && !('devDependencies' in manifest))
    for (const { description } of [{ description: node }, trigger] as { description: Json }[])
      for (const icon of Object.values(description['icon'] as Record<string, string>))
        assert.ok(existsSync(join(dir, 'dist', icon.replace('file:../../', ''))), icon)
  })

  test('the credentials are tested with a request that a wrong key or organization fails', async () => {
    const unknownKey = { ...credentials, apiKey: `evs_${'0'.repeat(48)}` }
    const otherOrganization = { ...credentials, organizationId: 'org_01jqzv4x8m3c5t7w9y2b4d6f8h' }
    assert.equal((await testCredentials(credentialType, credentials)).statusCode, 200)
    await assert.rejects(testCredentials(credentialType, unknownKey), { statusCode: 401 })
    await assert.rejects(testCredentials(credentialType, otherOrganization), { statusCode: 403 })
  })

  test('creates a code, finds it, changes where it leads, downloads its picture, reads its scans', async () => {
    const created = await runOne({
      resource: 'qrCode',
      operation: 'create',
      contentType: 'URL',
      name: 'Poster',
      contentUrl: 'https://example.com/spring',
      additionalFields: {
        tags: ['print', 'spring'],
        metadata: '{"campaign":"spring"}',
        idempotencyKey: 'one',
      },
    })
    const qrCodeId = String(created['id'])
    const filters = { tag: ['print', 'spring'], search: 'Post' }
    const found = await run({ resource: 'qrCode', operation: 'getAll', filters })
    assert.deepEqual(
      found.map(({ json }) => json['id']),
      [qrCodeId],
    )
    const fields = { status: 'ACTIVE', folderId: '' }
    await run({ resource: 'qrCode', operation: 'update', qrCodeId, updateFields: { name: 'New' } })
    const changed = await runOne({
      resource: 'qrCode',
      operation: 'update',
      qrCodeId,
      contentType: 'URL',
      contentUrl: 'https://example.com/summer',
      updateFields: fields,
    })
    assert.deepEqual(
      [changed['name'], changed['data'], changed['tags'], changed['metadata'], changed['folderId']],
      ['New', { url: 'https://example.com/summer' }, ['print', 'spring'], { campaign: 'spring' }, null],
    )
    for (const [format, type] of [
      ['svg', 'image/svg+xml'],
      ['png', 'image/png'],
    ]) {
      const [item] = await run({
        resource: 'qrCode',
        operation: 'download',
        qrCodeId,
        outputField: 'a',
        options: { format },
      })
      assert.deepEqual(
        [item?.binary?.['a']?.fileName, item?.binary?.['a']?.mimeType],
        [`New.${format}`, type],
      )
    }
    await fetch(`${service.baseUrl}/${String(created['shortCode'])}`, { redirect: 'manual', headers: phone })
    const total = async () =>
      ((await runOne({ resource: 'analytics', operation: 'get', qrCodeId }))['summary'] as Json)['totalScans']
    await until('the scan is counted', async () => (await total()) === 1)
    assert.equal((await run({ resource: 'scan', operation: 'getAll', qrCodeId, returnAll: true })).length, 1)
  })

  test('content has the fields of its type, also nested ones', async () => {
    const created = await runOne({
      resource: 'qrCode',
      operation: 'create',
      contentType: 'VCARD',
      name: 'Ada',
      contentFirstName: 'Ada',
      contentLastName: 'Lovelace',
      contentFields: {
        contentEmail: 'ada@example.com',
        contentAddress: '{"city":"London"}',
      },
    })
    const expected = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      address: { city: 'London' },
    }
    assert.deepEqual(created['data'], expected)
  })

  test('returns every page, or no more than the limit', async () => {
    const qrCodes = Array.from({ length: 101 }, (_, i) => ({
      type: 'TEXT',
      name: `T${i}`,
      data: { text: 'A' },
    }))
    await run({ resource: 'batch', operation: 'create', qrCodes: JSON.stringify(qrCodes) })
    const list = { resource: 'qrCode', operation: 'getAll', filters: { type: 'TEXT' } }
    assert.equal((await run({ ...list, returnAll: true })).length, 101)
    assert.equal((await run({ ...list, limit: 7 })).length, 7)
    assert.equal((await run(list)).length, 50)
  })

  test('imports the file of its input', async () => {
    const data = Buffer.from('name,url\nGood,https://example.com/\nBad,nope\n').toString('base64')
    const file = { json: {}, binary: { codes: { data, mimeType: 'text/csv', fileName: 'codes.csv' } } }
    const started = await runOne(
      {
        resource: 'import',
        operation: 'start',
        type: 'URL',
        inputField: 'codes',
        additionalFields: { dryRun: true },
      },
      file,
    )
    const importId = String(started['id'])
    await until(
      'the import ends',
      async () =>
        (await runOne({ resource: 'import', operation: 'get', importId }))['status'] === 'COMPLETED',
    )
    const [errors] = await run({
      resource: 'import',
      operation: 'downloadErrors',
      importId,
      outputField: 'data',
    })
    assert.match(Buffer.from(errors?.binary?.['data']?.data ?? '', 'base64').toString(), /Bad,nope/)
  })

  test('every operation is accepted with its required fields', async () => {
    const orgId = credentials['organizationId'] ?? ''
    const values: Json = {
      name: 'B',
      contentUrl: 'https://example.com/',
      contentType: 'URL',
      version: 1,
      style: '{"dotStyle":"dots"}',
      hostname: 'go.example.com',
      url: `${service.baseUrl}/`,
      events: ['qr.scanned'],
      qrCodes: '[{"type":"TEXT","name":"C","data":{"text":"C"}}]',
      updates: '{"name":"D"}',
    }
    const data = Buffer.from('name,url\nA,https://example.com/\n').toString('base64')
    const file = { json: {}, binary: { data: { data, mimeType: 'text/csv' } } }
    const ids: Json = {}
    let count = 0
    for (const [resource, operations] of operationsOf(node))
      for (const operation of operations.sort((one, other) => rank(one) - rank(other))) {
        // Some operations delete it.
        const { id } = await client.qrCodes.create(orgId, {
          type: 'URL',
          name: 'A',
          data: { url: 'https://example.com/' },
        })
        if (resource === 'bin') await client.qrCodes.delete(orgId, id, { bin: true })
        const given: Json = {
          resource,
          operation,
          ...ids,
          qrCodeId: id,
          ids: [id],
          updateFields: { name: `N${count++}` },
        }
        if (resource === 'webhook') given['updateFields'] = { batch: true }
        if (resource === 'domain') given['updateFields'] = { isDefault: true }
        if (resource === 'utmTemplate') given['additionalFields'] = { source: 'poster' }
        if (operation === 'printLabels') given['additionalFields'] = { sheet: 'avery-l7160' }
        Object.assign(given, values)
        const output = await run(given, file).catch((error: unknown) => {
          // It may have ended before it could be cancelled.
          if (operation === 'cancel' && error instanceof RefusedError && error.statusCode === 409) return []
          // The domain is not proved.
          if (operation.endsWith('Notice') && error instanceof RefusedError && error.statusCode === 409)
            return []
          throw new Error(`${resource} ${operation}: ${String(error)}`)
        })
        if (rank(operation) === 0) ids[`${resource}Id`] = output[0]?.json['id']
        if (operation === 'ping') ids['deliveryId'] = output[0]?.json['id']
      }
    assert.ok(count > 40)
  })

  test('the trigger registers a webhook, takes verified calls only, and removes the webhook', async (t) => {
    const received: Item[][] = []
    const staticData: Json = {}
    let parameters: Json = { events: ['qr.scanned', 'qr.created'], batch: false }
    let refused = 0
    const calls: { headers: Json; rawBody: Buffer }[] = []
    const deliver = async (headers: Json, rawBody: Buffer): Promise<number> => {
      let status = 200
      const response = {
        status: (code: number) => ((status = code), { send: () => ({ end: () => undefined }) }),
      }
      const context = {
        getRequestObject: () => ({ rawBody }),
        getResponseObject: () => response,
        getHeaderData: () => headers,
        getWorkflowStaticData: () => staticData,
        helpers: { returnJsonArray: (items: Json[]): Item[] => items.map((json) => ({ json })) },
      }
      const { workflowData, noWebhookResponse } = await trigger.webhook.call(context)
      if (workflowData !== undefined) received.push(...workflowData)
      if (noWebhookResponse === true) refused++
      return status
    }
    const server: Server = createServer((request, response) => {
      const pieces: Buffer[] = []
      request.on('data', (piece: Buffer) => pieces.push(piece))
      request.on('end', () => {
        const rawBody = Buffer.concat(pieces)
        calls.push({ headers: request.headers, rawBody })
        void deliver(request.headers, rawBody).then((status) => response.writeHead(status).end())
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const context = {
      getNode: () => ({ name: 'Everscan Trigger' }),
      getNodeParameter: (name: string) => parameters[name],
      getNodeWebhookUrl: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
      getWorkflowStaticData: () => staticData,
      getCredentials: async () => credentials,
      helpers: {
        async httpRequestWithAuthentication(_name: string, options: Json) {
          return (await send(options, credentialType, credentials)).body
        },
      },
    }
    const { checkExists, create, delete: remove } = trigger.webhookMethods.default
    const orgId = credentials['organizationId'] ?? ''
    const registered = async () =>
      (await client.webhooks.list(orgId)).data.filter(({ description }) => description === 'n8n')

    assert.equal(await checkExists.call(context), false)
    assert.equal(await create.call(context), true)
    assert.equal(await checkExists.call(context), true)
    assert.deepEqual(
      (await registered()).map(({ events }) => events),
      [['qr.scanned', 'qr.created']],
    )

    const code = await client.qrCodes.create(orgId, {
      type: 'URL',
      name: 'Live',
      data: { url: 'https://example.com/' },
    })
    await until('the event arrives', () => received.length === 1)
    const [created] = received.flat()
    assert.partialDeepStrictEqual(created?.json, { event: 'qr.created', data: { id: code.id } })

    const [call] = calls
    assert.ok(call && refused === 0)
    const text = call.rawBody.toString()
    const old = new Date(Date.now() - 400_000)
    const oldSignature = new Webhook(String(staticData['secret'])).sign('evt_1', old, text)
    const oldTime = String(Math.floor(old.getTime() / 1000))
    for (const [headers, body] of [
      [call.headers, text.replace('Live', 'Dead')],
      [{ ...call.headers, 'webhook-id': 'evt_2' }, text],
      [{ ...call.headers, 'webhook-signature': 'v1,AAAA' }, text],
      [{}, text],
      [{ 'webhook-id': 'evt_1', 'webhook-timestamp': oldTime, 'webhook-signature': oldSignature }, text],
    ] as const)
      assert.equal(await deliver(headers, Buffer.from(body)), 401)
    assert.deepEqual([refused, received.length], [5, 1])

    assert.equal(await remove.call(context), true)
    assert.deepEqual([await registered(), staticData], [[], {}])
    assert.equal(await deliver(call.headers, call.rawBody), 401)

    parameters = { events: ['qr.scanned'], batch: true }
    await create.call(context)
    for (let i = 0; i < 3; i++)
      await fetch(`${service.baseUrl}/${code.shortCode}`, { redirect: 'manual', headers: phone })
    await until('the scans arrive', () => received.slice(1).flat().length === 3)
    for (const { json } of received.slice(1).flat()) assert.equal((json['data'] as Json)['qrCodeId'], code.id)
    // n8n creates a webhook again if its own is disabled or calls an earlier address.
    await create.call(context)
    const [webhook, ...others] = await registered()
    assert.deepEqual(others, [])
    await client.webhooks.delete(orgId, webhook?.id ?? '')
    assert.equal(await checkExists.call(context), false)
    assert.equal(await remove.call(context), true)
  })

  test('fields say what they are, and options stand in order', () => {
    const check = (fields: readonly Field[]) => {
      for (const field of fields) {
        assert.ok(field.displayName !== '' && field.name !== '' && 'default' in field, field.name)
        if (field.type === 'collection') check(field.options ?? [])
        if (field.type === 'options' && field.name !== 'contentType')
          assert.ok(
            field.options?.some(({ value }) => value === field.default),
            `${field.name}: ${String(field.default)}`,
          )
      }
    }
    check(node.properties)
    check(trigger.description.properties)
  })
})

/** First the operations that create, last the one that deletes. */
function rank(operation: string): number {
  if (operation === 'delete') return 2
  return operation === 'create' || operation === 'start' ? 0 : 1
}

/** Returns the names of the operations of each resource of a node. */
function operationsOf({ properties }: NodeDescription): Map<string, string[]> {
  const selectors = properties.filter(({ name }) => name === 'operation')
  return new Map(
    selectors.map(({ displayOptions, options = [] }) => [
      String(displayOptions?.show?.['resource']?.[0]),
      options.map(({ value }) => String(value)),
    ]),
  )
}
