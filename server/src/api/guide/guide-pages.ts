/** A page of the guide: its file below `docs/`, from whose name its address follows. */
export type GuideFile = { slug: string; path: string }

export type GuideSection = { title: string; files: readonly GuideFile[] }

/** The first page, at `/docs/guide` itself. */
export const firstFile: GuideFile = { slug: '', path: 'guide/README.md' }

/**
 * Every other page, in the order of the menu. To add a page, add a file in `docs/guide` and its
 * name here. Pages that operators and contributors look for in `docs/` stay there.
 */
export const guideSections: readonly GuideSection[] = [
  section('Begin', 'guide/quick-start.md', 'guide/concepts.md'),
  section(
    'Codes',
    'guide/types.md',
    'guide/rules.md',
    'guide/domains.md',
    'guide/static-site.md',
    'guide/access.md',
    'guide/looks.md',
    'guide/printing.md',
    'guide/import.md',
  ),
  section('Figures', 'guide/analytics.md'),
  section('Programs', 'guide/api.md', 'guide/webhooks.md', 'guide/limits.md'),
  section(
    'Running it',
    'guide/proxies.md',
    'container.md',
    'configuration.md',
    'commands.md',
    'backup.md',
    'operations.md',
    'databases.md',
    'guide/scaling.md',
    'guide/upgrading.md',
    'security.md',
    'performance.md',
  ),
  section(
    'Moving in',
    'guide/moving.md',
    'guide/moves.md',
    'guide/moves-bitly.md',
    'guide/moves-dub.md',
    'guide/moves-kutt.md',
    'guide/moves-shlink.md',
    'guide/moves-yourls.md',
    'guide/moves-shortio.md',
    'guide/moves-rebrandly.md',
    'guide/moves-csv.md',
  ),
  section('Choosing', 'guide/comparison.md', 'guide/faq.md'),
]

/** All pages, in the order in which they can be read. */
export const guideFiles: readonly GuideFile[] = [firstFile, ...guideSections.flatMap(({ files }) => files)]

/** Returns the address of a page, without a fragment. */
export function addressOf(slug: string): string {
  return slug === '' ? '/docs/guide' : `/docs/guide/${slug}`
}

function section(title: string, ...paths: readonly string[]): GuideSection {
  return {
    title,
    files: paths.map((path) => ({ slug: path.replace(/^guide\/|\.md$/g, ''), path })),
  }
}
