import assert from 'node:assert/strict'
import type { Client } from '@everscan/client/create-client.ts'
import type { Zone } from '../../src/api/testing/dns-server.ts'

/** A request of a visitor; without a host: on PUBLIC_URL. */
export type Asked = { path: string; host?: string }
/** The answer to a visitor. */
export type Got = { status: number; location?: string | undefined; text: string }
/** A change, and the answer to every scan after it. */
export type Changed = {
  kind: string
  asked: Asked
  expected: { status: number; location?: string; text?: RegExp }
}

const codesCount = 5
const hostname = 'go.example.com'
const past = '2020-01-01T00:00:00Z'
const future = '2090-01-01T00:00:00Z'

type Code = { id: string; shortCode: string }

/**
 * Changes of every kind that scans depend on, one after the other, each through the API. `scan` is
 * called before codes exist, so that fronts remember that they do not.
 */
export class ChangesOfCodes {
  readonly #client: Client
  readonly #orgId: string
  readonly #random: () => number
  readonly #scan: (asked: Asked) => Promise<Got>
  #codes: Code[] = []
  #card: Code = { id: '', shortCode: '' }
  #domainId = ''
  #made = 0

  constructor(
    client: Client,
    { orgId, random, scan }: { orgId: string; random: () => number; scan: (asked: Asked) => Promise<Got> },
  ) {
    this.#client = client
    this.#orgId = orgId
    this.#random = random
    this.#scan = scan
  }

  /** Creates a domain that is proved, and a code with a page. */
  async prepare(zone: Zone): Promise<void> {
    const { domains, qrCodes } = this.#client
    const { id, verification } = await domains.create(this.#orgId, { hostname })
    zone[verification.name] = { TXT: [verification.value] }
    assert.equal((await domains.check(this.#orgId, id)).status, 'ACTIVE')
    this.#domainId = id
    const data = { text: 'Opening hours' }
    this.#card = await qrCodes.create(this.#orgId, { type: 'TEXT', name: 'Page', data, shortCode: 'PAGE00' })
  }

  /** Makes the next change. */
  async next(): Promise<Changed> {
    const changes: (() => Promise<Changed>)[] = [
      () => this.#create(),
      () => this.#update('data', { data: { url: this.#url() } }),
      () => this.#rules(),
      () => this.#access(),
      () => this.#status(),
      () => this.#batch(),
      () => this.#delete(),
      () => this.#domain(),
      () => this.#brand(),
      () => this.#import(),
    ]
    if (this.#codes.length < codesCount) return this.#create()
    return (changes[Math.floor(this.#random() * changes.length)] ?? assert.fail())()
  }

  #url(): string {
    return `https://example.com/${++this.#made}`
  }

  #one(): Code {
    return this.#codes[Math.floor(this.#random() * this.#codes.length)] ?? assert.fail()
  }

  async #unknown(): Promise<string> {
    const shortCode = `FRESH${++this.#made}`
    assert.equal((await this.#scan({ path: `/${shortCode}` })).status, 404)
    return shortCode
  }

  async #create(): Promise<Changed> {
    const shortCode = await this.#unknown()
    const url = this.#url()
    const made = await this.#client.qrCodes.create(this.#orgId, {
      type: 'URL',
      name: shortCode,
      data: { url },
      shortCode,
    })
    this.#codes.push(made)
    return { kind: 'create', asked: { path: `/${shortCode}` }, expected: { status: 302, location: url } }
  }

  /** Everything that stands before the content is taken away, so that it shows. */
  async #update(kind: string, fields: { data: { url: string } }): Promise<Changed> {
    const { id, shortCode } = this.#one()
    await this.#client.qrCodes.update(this.#orgId, id, { ...open(), ...fields })
    const location = fields.data.url
    return { kind, asked: { path: `/${shortCode}` }, expected: { status: 302, location } }
  }

  async #rules(): Promise<Changed> {
    const { id, shortCode } = this.#one()
    const url = this.#url()
    const when = [undefined, { devices: ['mobile' as const] }, { languages: ['de'] }][
      Math.floor(this.#random() * 3)
    ]
    const rules = [{ name: 'Rule', data: { url }, ...(when !== undefined && { when }) }]
    await this.#client.qrCodes.update(this.#orgId, id, { status: 'ACTIVE', access: null, rules })
    return { kind: 'rules', asked: { path: `/${shortCode}` }, expected: { status: 302, location: url } }
  }

  async #access(): Promise<Changed> {
    const { id, shortCode } = this.#one()
    const url = this.#url()
    const none = { startsAt: null, endsAt: null, password: null, scanLimit: null, closed: null }
    const [access, expected] =
      (
        [
          [{ ...none, endsAt: past }, { status: 410 }],
          [{ ...none, startsAt: future }, { status: 403 }],
          [
            { ...none, endsAt: past, closed: { url } },
            { status: 302, location: url },
          ],
          [
            { ...none, password: 'open' },
            { status: 200, text: /type="password"/ },
          ],
        ] as const
      )[Math.floor(this.#random() * 4)] ?? assert.fail()
    await this.#client.qrCodes.update(this.#orgId, id, { status: 'ACTIVE', access })
    return { kind: 'access', asked: { path: `/${shortCode}` }, expected }
  }

  async #status(): Promise<Changed> {
    const { id, shortCode } = this.#one()
    const { status } = await this.#client.qrCodes.read(this.#orgId, id)
    if (status === 'ARCHIVED') return this.#update('status', { data: { url: this.#url() } })
    await this.#client.qrCodes.update(this.#orgId, id, { status: 'ARCHIVED' })
    return { kind: 'status', asked: { path: `/${shortCode}` }, expected: { status: 410 } }
  }

  async #batch(): Promise<Changed> {
    const url = this.#url()
    const ids = this.#codes.map(({ id }) => id)
    await this.#client.batches.update(this.#orgId, ids, { ...open(), data: { url } })
    const { shortCode } = this.#one()
    return { kind: 'batch', asked: { path: `/${shortCode}` }, expected: { status: 302, location: url } }
  }

  async #delete(): Promise<Changed> {
    const { id, shortCode } = this.#one()
    await this.#client.qrCodes.delete(this.#orgId, id)
    this.#codes = this.#codes.filter((code) => code.id !== id)
    return { kind: 'delete', asked: { path: `/${shortCode}` }, expected: { status: 410 } }
  }

  async #domain(): Promise<Changed> {
    const url = this.#url()
    const isRoot = this.#random() < 0.5
    await this.#client.domains.update(
      this.#orgId,
      this.#domainId,
      isRoot ? { rootUrl: url } : { notFoundUrl: url },
    )
    const asked = { path: isRoot ? '/' : '/NOWHERE', host: hostname }
    return { kind: 'domain', asked, expected: { status: 302, location: url } }
  }

  async #brand(): Promise<Changed> {
    const publicName = `Brand ${++this.#made}`
    await this.#client.organizations.update(this.#orgId, { publicName })
    const text = new RegExp(`${publicName}\\b`)
    return { kind: 'brand', asked: { path: `/${this.#card.shortCode}` }, expected: { status: 200, text } }
  }

  /** An import is done by a job: that it is completed says that its codes are there. */
  async #import(): Promise<Changed> {
    const shortCode = await this.#unknown()
    const url = this.#url()
    const file = `name,url,shortCode\nImported,${url},${shortCode}\n`
    const { imports } = this.#client
    const { id } = await imports.start(this.#orgId, { type: 'URL', file })
    const job = await imports.waitFor(this.#orgId, id, { pollMs: 1 })
    assert.equal(job.successCount, 1, JSON.stringify(job))
    return { kind: 'import', asked: { path: `/${shortCode}` }, expected: { status: 302, location: url } }
  }
}

/** Nothing stands before the content. */
function open() {
  return { status: 'ACTIVE' as const, rules: [], access: null }
}
