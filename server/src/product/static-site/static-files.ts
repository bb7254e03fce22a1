import { limits } from '@everscan/contract/schema/limits.ts'
import type { Language } from '@everscan/pages/languages/languages.ts'
import { noticePage } from '@everscan/pages/notice-pages.ts'
import { redirectPage } from '@everscan/pages/redirect-page.ts'
import { eachQrCodePage, pathsAlike } from '../../catalogue/codes/each-qr-code.ts'
import { listDomains } from '../../catalogue/domains/domains.ts'
import { readOrganization } from '../../catalogue/organizations/organizations.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import type { Database } from '../../db/database.ts'
import { canonicalPlaces, exactPlaces } from './code-places.ts'
import { readme } from './readme.ts'
import {
  caddyLine,
  caddySettings,
  nginxLine,
  nginxSettings,
  type StaticHost,
  type StaticPath,
} from './server-settings.ts'
import { staticAnswer } from './static-answers.ts'

/** A file of a static site: its path below the folder of the site, and its content. */
export type StaticFile = { name: string; text: string }

export type StaticSource = {
  /** The organizations whose codes it has. */
  organizationIds: readonly string[]
  publicUrl: string
  /** The address that `/` of PUBLIC_URL leads to. Undefined: our own page. */
  rootUrl?: string | undefined
  /** The language of pages. A file cannot ask for that of the visitor. */
  language: Language
  /** The folder that the settings of nginx and Caddy name. */
  folder: string
  nowMs: number
}

/** Lines of a file of settings: a folder of a million codes has a thousand such files. */
const linesPerFile = 1_000

/**
 * Yields the files of a static site: everything that nginx, Caddy or an object store needs to
 * answer the codes without this service. One page of codes is in memory at a time. No file comes
 * twice.
 */
export async function* staticFiles(
  db: Database,
  source: StaticSource,
): AsyncGenerator<StaticFile, void, undefined> {
  const { organizationIds, publicUrl, language, nowMs } = source
  const { hostname } = new URL(publicUrl)
  const hosts = new Map<string, CodesHost>()
  const own = { hostname, rootUrl: source.rootUrl ?? null, notFoundUrl: null, goneUrl: null }
  hosts.set('', own)
  const lines = new Lines()
  for (const organizationId of organizationIds) {
    const organization = await readOrganization(db, organizationId)
    if (organization === undefined) continue
    const { rows } = await listDomains(db, organizationId, { page: 1, limit: limits.domainsMax })
    for (const { status, ...domain } of rows) {
      if (status === 'PENDING') continue
      const isExact = domain.codes === 'exact'
      hosts.set(domain.hostname, {
        ...domain,
        ...(isExact && { alike: await pathsAlike(db, domain.hostname) }),
      })
    }
    const { publicName, logo } = organization
    const brand = { ...(publicName !== null && { name: publicName }), ...(logo !== null && { logo }) }
    for await (const codes of eachQrCodePage(db, organizationId))
      for (const code of codes) {
        // The host of a domain that was deleted answers nothing.
        const host = hosts.get(code.domain)
        if (host === undefined) continue
        const { files, paths } = filesOf(code, { host, brand, language, nowMs })
        yield* files
        yield* lines.add(host.hostname, paths)
      }
  }
  yield* lines.rest()
  for (const host of hosts.values()) yield* pagesOf(host, language)
  yield { name: 'nginx.conf', text: nginxSettings([...hosts.values()], source.folder) }
  yield { name: 'Caddyfile', text: caddySettings([...hosts.values()], source.folder) }
  yield {
    name: 'README.txt',
    text: readme({ ...source, hostnames: [...hosts.values()].map((host) => host.hostname) }),
  }
}

/** A host of the site, and how its codes are compared. */
type CodesHost = StaticHost & {
  goneUrl: string | null
  /** On a host with exact short codes: see `pathsAlike`. */
  alike?: ReadonlySet<string>
}

function filesOf(
  code: QrCodeRow,
  {
    host: { hostname, goneUrl, alike },
    ...options
  }: { host: CodesHost } & Parameters<typeof staticAnswer>[1],
): { files: StaticFile[]; paths: StaticPath[] } {
  const answer = staticAnswer(code, options)
  const places = alike === undefined ? canonicalPlaces(code.shortCode) : exactPlaces(code.shortCode, alike)
  const site = `sites/${hostname}`
  const pathsTo = (to: (folder: string) => StaticPath['to']): StaticPath[] =>
    places.flatMap(({ folder, paths }) => paths.map((path) => ({ ...path, to: to(folder) })))
  const address = answer.kind === 'redirect' ? answer.address : answer.kind === 'gone' ? goneUrl : null
  if (address !== null)
    return {
      files: places.map(({ folder }) => ({
        name: `${site}/${folder}/index.html`,
        text: redirectPage(address),
      })),
      paths: pathsTo(() => ({ address })),
    }
  if (answer.kind !== 'page')
    return { files: [], paths: pathsTo(() => ({ status: 410, file: '/gone.html' })) }
  const { status, text, contact } = answer
  const pages = places.map(({ folder }) => ({ name: `${site}/${folder}/index.html`, text }))
  const toPages = pathsTo((folder) => ({ status, file: `/${folder}/index.html` }))
  if (contact === undefined) return { files: pages, paths: toPages }
  const toContacts = pathsTo((folder) => ({ status, file: `/${folder}.vcf` }))
  return {
    files: [...pages, ...places.map(({ folder }) => ({ name: `${site}/${folder}.vcf`, text: contact }))],
    paths: [...toPages, ...toContacts.map((line) => ({ ...line, path: `${line.path}.vcf` }))],
  }
}

function* pagesOf({ hostname }: StaticHost, language: Language): Generator<StaticFile, void, undefined> {
  for (const [name, notice] of [
    ['index', 'home'],
    ['404', 'unknown'],
    ['gone', 'gone'],
  ] as const)
    yield { name: `sites/${hostname}/${name}.html`, text: noticePage(notice, language).text }
  yield { name: `sites/${hostname}/robots.txt`, text: 'User-agent: *\nDisallow: /\n' }
}

/** The lines of settings of each host, in files of limited size. */
class Lines {
  readonly #paths = new Map<string, StaticPath[]>()
  readonly #files = new Map<string, number>()

  #nextFile(hostname: string): string {
    const number = (this.#files.get(hostname) ?? 0) + 1
    this.#files.set(hostname, number)
    return `${hostname}/${String(number).padStart(6, '0')}`
  }

  *add(hostname: string, paths: readonly StaticPath[]): Generator<StaticFile, void, undefined> {
    const kept = this.#paths.get(hostname) ?? []
    this.#paths.set(hostname, kept)
    // nginx ignores letter case, and refuses the same path twice.
    const last = new Set<string>()
    for (const path of paths) {
      const folded = path.isCaseSensitive === true ? path.path : path.path.toLowerCase()
      if (!last.has(folded)) kept.push(path)
      last.add(folded)
    }
    if (kept.length >= linesPerFile) yield* this.#take(hostname)
  }

  *rest(): Generator<StaticFile, void, undefined> {
    // Caddy refuses an empty file.
    for (const [hostname, paths] of this.#paths) if (paths.length > 0) yield* this.#take(hostname)
  }

  *#take(hostname: string): Generator<StaticFile, void, undefined> {
    const paths = this.#paths.get(hostname) ?? []
    const name = this.#nextFile(hostname)
    this.#paths.set(hostname, [])
    yield { name: `nginx/${name}.map`, text: paths.map(nginxLine).join('') }
    yield { name: `caddy/${name}.caddy`, text: paths.map(caddyLine).join('') }
  }
}
