import * as simpleIcons from 'simple-icons'
import type { SimpleIcon } from 'simple-icons'

/** The platforms that people put on their cards and posters, by the names that `simple-icons` gives them. */
const platforms = [
  'appstore',
  'behance',
  'bluesky',
  'discord',
  'dribbble',
  'facebook',
  'github',
  'googleplay',
  'instagram',
  'kakaotalk',
  'line',
  'mastodon',
  'medium',
  'messenger',
  'patreon',
  'pinterest',
  'reddit',
  'signal',
  'snapchat',
  'soundcloud',
  'spotify',
  'telegram',
  'threads',
  'tiktok',
  'tripadvisor',
  'tumblr',
  'twitch',
  'vimeo',
  'vk',
  'wechat',
  'whatsapp',
  'x',
  'xing',
  'youtube',
]

/** Names and outlines of the platforms of landing pages as JSON, of the icons' package (CC0): `npm run generate` writes it. */
export function platformIcons(): string {
  const all = Object.values<unknown>(simpleIcons) as SimpleIcon[]
  const known = new Map(all.map((icon) => [icon.slug, icon]))
  const icons = platforms.map((slug) => {
    const icon = known.get(slug)
    if (icon === undefined) throw new Error(`the icons' package has no ${slug} any more`)
    return [slug, { title: icon.title, path: icon.path }]
  })
  return `${JSON.stringify(Object.fromEntries(icons), undefined, 2)}\n`
}
