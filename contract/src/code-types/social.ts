import { problem } from '../problems/local-problem.ts'
import { Type, type Static } from 'typebox'
import { Line, Url, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { listOf, textOf } from '../schema/fields.ts'
import { joinPath } from '../schema/paths.ts'
import { optional, type CodeType } from './code-type.ts'
import { Label } from './contact-fields.ts'

/** Content of a SOCIAL code: links to profiles. */
export const SocialData = strictObject(
  {
    title: Type.Optional(Line(limits.nameCharsMax, 'Headline of the page.')),
    links: Type.Array(
      strictObject({
        platform: Line(50, 'Which network.', { examples: ['instagram'] }),
        url: Url('Address of the profile: http or https.'),
        label: Type.Optional(Label('What the link says.')),
      }),
      { minItems: 1, maxItems: limits.socialLinksMax },
    ),
  },
  {
    description: 'Content of type SOCIAL.',
    examples: [
      { title: 'Follow us', links: [{ platform: 'instagram', url: 'https://instagram.com/example' }] },
    ],
  },
)
export type SocialData = Static<typeof SocialData>

export const social = {
  schema: SocialData,
  answers: 'page',
  destinations: (data, prefix) =>
    listOf(data, 'links').map(({ url }, at) => ({
      path: joinPath(joinPath(joinPath(prefix, 'links'), at), 'url'),
      url,
    })),
  leads: (data) => [textOf(data, 'title'), ...listOf(data, 'links').map((link) => textOf(link, 'url'))],
  importColumns: [
    optional('title', 'Follow us'),
    optional('website', 'https://example.com'),
    optional('facebook', 'https://www.facebook.com/example'),
    optional('instagram', 'https://www.instagram.com/example'),
    optional('x', 'https://x.com/example'),
    optional('linkedin', 'https://www.linkedin.com/company/example'),
    optional('youtube', 'https://www.youtube.com/@example'),
    optional('tiktok', 'https://www.tiktok.com/@example'),
  ],
  // Every column except the title is a link to that platform.
  imported: {
    read: (cells) => {
      const title = cells.get('title')
      return { ...(title !== undefined && { title }), links: linksOf(cells) }
    },
    write: (data) => {
      const title = textOf(data, 'title')
      const links = listOf(data, 'links')
      const cells = new Map(links.map((link) => [textOf(link, 'platform'), textOf(link, 'url')]))
      // A column has one link without a label, and "title" is no platform.
      const isLost = cells.size < links.length || cells.has('title')
      if (isLost || links.some((link) => textOf(link, 'label') !== '')) return undefined
      return title === '' ? cells : cells.set('title', title)
    },
    problem: (cells) => (linksOf(cells).length === 0 ? problem('noLink') : undefined),
    columnOf: (path, data) => {
      const link = /^links\[(\d+)\]/.exec(path)
      return link === null ? undefined : textOf(listOf(data, 'links')[Number(link[1])] ?? {}, 'platform')
    },
  },
} satisfies CodeType

function linksOf(cells: ReadonlyMap<string, string>): { platform: string; url: string }[] {
  return [...cells].filter(([column]) => column !== 'title').map(([platform, url]) => ({ platform, url }))
}
