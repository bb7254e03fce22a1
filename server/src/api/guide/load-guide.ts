import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { addressOf, firstFile, guideFiles, guideSections, type GuideFile } from './guide-pages.ts'
import { guideDocument, missingDocument } from './guide-document.ts'
import { renderMarkdown, type RenderedPage } from './markdown.ts'

/** The guide as it is sent. */
export type Guide = {
  /** HTML documents by slug. */
  documents: ReadonlyMap<string, string>
  /** Says that there is no such page. */
  missing: string
  /** The texts for the search as JSON: an array of `SearchEntry`. */
  searchIndex: string
}

/** A part of a page: its address, the titles of page and part, and its text. */
export type SearchEntry = { address: string; page: string; heading: string; text: string }

/** Addresses of other documents that the service serves, by their path in the project. */
const served: Readonly<Record<string, string>> = { 'docs/openapi.json': '/api/v1/openapi.json' }

/** Reads and renders all pages. `docs` is the folder of the documents. */
export async function loadGuide(docs: string): Promise<Guide> {
  const pages: { file: GuideFile; page: RenderedPage }[] = []
  for (const file of guideFiles) {
    const markdown = await readFile(join(docs, file.path), 'utf8')
    // All pages together take a quarter of a second (measured): other requests go in between.
    await nextTurn()
    pages.push({
      file,
      page: renderMarkdown(markdown, { link: (target) => linkFrom(file, target), image: imageFrom }),
    })
  }
  const titles = new Map(pages.map(({ file, page }) => [file.slug, page.title]))
  const sections = guideSections.map(({ title, files }) => ({
    title,
    links: files.map(({ slug }) => ({ address: addressOf(slug), title: titles.get(slug) ?? slug })),
  }))
  const neighbour = (at: number): { address: string; title: string } | undefined => {
    const slug = guideFiles[at]?.slug
    return slug === undefined ? undefined : { address: addressOf(slug), title: titles.get(slug) ?? slug }
  }
  return {
    documents: new Map(
      pages.map(({ file, page }, at) => [
        file.slug,
        guideDocument(page, {
          address: addressOf(file.slug),
          sections,
          previous: neighbour(at - 1),
          next: neighbour(at + 1),
        }),
      ]),
    ),
    missing: missingDocument(sections),
    searchIndex: JSON.stringify(pages.flatMap(({ file, page }) => entriesOf(file, page))),
  }
}

function entriesOf({ slug }: GuideFile, { title, parts }: RenderedPage): SearchEntry[] {
  return parts.map(({ anchor, heading, text }) => ({
    address: addressOf(slug) + (anchor === '' ? '' : `#${anchor}`),
    page: title,
    heading,
    text,
  }))
}

/**
 * Pages lead to each other here as they do in the repository. Other files of the repository are not
 * served, so nothing leads to them.
 */
function linkFrom(file: GuideFile, target: string): string | undefined {
  if (/^(https?:|#|\/)/.test(target)) return target
  const [path = '', fragment] = target.split('#')
  const full = posix.join('docs', posix.dirname(file.path), path)
  const page = guideFiles.find((one) => `docs/${one.path}` === full)
  const address = page === undefined ? served[full] : addressOf(page.slug)
  return address === undefined ? undefined : address + (fragment === undefined ? '' : `#${fragment}`)
}

function imageFrom(target: string): string | undefined {
  return /^https?:/.test(target) ? undefined : `${addressOf(firstFile.slug)}/images/${posix.basename(target)}`
}
