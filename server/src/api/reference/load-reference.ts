import { pageDocument } from '../guide/guide-document.ts'
import { escapeHtml, renderMarkdown, type PagePart } from '../guide/markdown.ts'
import type { SearchEntry } from '../guide/load-guide.ts'
import type { OpenApiDocument } from '../openapi/openapi-document.ts'
import { operationHtml } from './operation-html.ts'
import { operationsOf, type Operation } from './operations.ts'
import { asJson, inline, schemaHtml, textOf } from './schema-html.ts'

/** The reference as it is sent. */
export type Reference = {
  /** HTML documents by address. */
  documents: ReadonlyMap<string, string>
  /** The texts for the search as JSON: an array of `SearchEntry`. */
  searchIndex: string
}

/** A page: its place in the menu, its content, and its parts for the search. */
type Page = {
  address: string
  title: string
  html: string
  parts: readonly PagePart[]
}

export const overviewAddress = '/docs'
const typesAddress = '/docs/api/types'
export const searchAddress = '/docs/api/search.json'

const untouched = (target: string) => target

/** Renders the reference of an OpenAPI document. */
export function loadReference(document: OpenApiDocument): Reference {
  const operations = Map.groupBy(operationsOf(document), ({ tag }) => tag)
  const tags = document.tags.map((tag) => ({
    name: textOf(tag['name']),
    description: textOf(tag['description']),
  }))
  const pages: Page[] = [
    overviewPage(document),
    ...tags.map((tag) => tagPage(tag, operations.get(tag.name) ?? [])),
    typesPage(document),
  ]
  const [overview, ...rest] = pages
  const types = rest.pop()
  const sections = [
    { title: 'Start', links: linksOf(overview === undefined ? [] : [overview]) },
    { title: 'Operations', links: linksOf(rest) },
    { title: 'Data', links: linksOf(types === undefined ? [] : [types]) },
    { title: 'Elsewhere', links: [{ address: '/docs/guide', title: 'Guide' }] },
  ]
  return {
    documents: new Map(
      pages.map(({ address, title, html, parts }) => [
        address,
        pageDocument({
          kind: 'reference',
          title,
          sections,
          address,
          parts: address === typesAddress ? [] : parts,
          main: html,
        }),
      ]),
    ),
    searchIndex: JSON.stringify(pages.flatMap(entriesOf)),
  }
}

const linksOf = (pages: readonly Page[]) => pages.map(({ address, title }) => ({ address, title }))

function entriesOf({ address, title, parts }: Page): SearchEntry[] {
  return parts.map(({ anchor, heading, text }) => ({
    address: anchor === '' ? address : `${address}#${anchor}`,
    page: title,
    heading,
    text: text.replaceAll('`', ''),
  }))
}

function overviewPage({ info }: OpenApiDocument): Page {
  const markdown = `# API reference\n\n${info.description}\n\nThe same as a document for programs: [openapi.json](/api/v1/openapi.json) (OpenAPI 3.1).`
  const { title, html, parts } = renderMarkdown(markdown, { link: untouched, image: () => undefined })
  return {
    address: overviewAddress,
    title: 'Overview',
    html,
    parts: [{ ...partOf(title), text: parts[0]?.text ?? '' }],
  }
}

const partOf = (heading: string, anchor = '', depth = 1): PagePart => ({ heading, anchor, depth, text: '' })

function tagPage(
  { name, description }: { name: string; description: string },
  operations: readonly Operation[],
): Page {
  const list = operations
    .map(
      ({ id, method, path, summary }) =>
        `<li><a href="#${id}">${escapeHtml(summary)}</a><span><b class="method">${method}</b> <code>${escapeHtml(path)}</code></span></li>`,
    )
    .join('')
  return {
    address: `/docs/api/${slugOf(name)}`,
    title: name,
    html: `<h1>${escapeHtml(name)}</h1><p>${inline(description)}</p><ul class="operations">${list}</ul>${operations.map(operationHtml).join('')}`,
    parts: [
      { ...partOf(name), text: description },
      ...operations.map(({ id, summary, description: about, method, path }) => ({
        ...partOf(summary, id, 2),
        text: `${method} ${path} ${about}`,
      })),
    ],
  }
}

function typesPage({ components }: OpenApiDocument): Page {
  const schemas = Object.entries(asJson(components['schemas'])).map(([name, schema]) => ({
    name,
    schema: asJson(schema),
  }))
  const written = schemas.map(({ name, schema }) => {
    const { description } = schema
    const about = typeof description === 'string' ? `<p>${inline(description)}</p>` : ''
    return `<h2 id="${name}"><code>${name}</code></h2>${about}${schemaHtml(schema)}`
  })
  return {
    address: typesAddress,
    title: 'Types',
    html: `<h1>Types</h1><p>Records that operations take and return.</p>${written.join('')}`,
    parts: [
      partOf('Types'),
      ...schemas.map(({ name, schema }) => ({
        ...partOf(name, name, 2),
        text: typeof schema['description'] === 'string' ? schema['description'] : '',
      })),
    ],
  }
}

/** Returns the name of a tag as part of an address: "QR codes" is `qr-codes`. */
const slugOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
