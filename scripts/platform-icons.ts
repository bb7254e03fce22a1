import * as simpleIcons from 'simple-icons'
import type { SimpleIcon } from 'simple-icons'

/** Common platforms on cards and posters, by their names in `simple-icons`. */
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

/** Returns names and outlines of platforms for landing pages as JSON, from `simple-icons` (CC0). */
export function platformIcons(): string {
  const all = Object.values<unknown>(simpleIcons) as SimpleIcon[]
  const known = new Map(all.map((icon) => [icon.slug, icon]))
  const icons = platforms.map((slug) => {
    const icon = known.get(slug)
    if (icon === undefined) throw new Error(`the icons' package no longer has ${slug}`)
    return [slug, { title: icon.title, path: icon.path }]
  })
  return `${JSON.stringify(Object.fromEntries(icons), undefined, 2)}\n`
}
