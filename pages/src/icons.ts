import { Html } from './html.ts'
import platformIcons from './platform-icons.json' with { type: 'json' }

/** Paths on a grid of 24 × 24, drawn as lines with round ends. */
const lines = {
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
  phone:
    'M5.5 3.5h3l1.6 4.2-2 1.7a13 13 0 0 0 6.5 6.5l1.7-2 4.2 1.6v3a2 2 0 0 1-2.1 2A17 17 0 0 1 3.5 5.6a2 2 0 0 1 2-2.1z',
  mail: 'M4.5 5.5h15a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17V7a1.5 1.5 0 0 1 1.5-1.5zM3.5 7l8.5 6 8.5-6',
  message:
    'M5 4.5h14A1.5 1.5 0 0 1 20.5 6v9.5A1.5 1.5 0 0 1 19 17h-7l-4.5 3.5V17H5a1.5 1.5 0 0 1-1.5-1.5V6A1.5 1.5 0 0 1 5 4.5z',
  wifi: 'M2.5 9.5a14 14 0 0 1 19 0M5.8 13a9.2 9.2 0 0 1 12.4 0M9 16.4a4.5 4.5 0 0 1 6 0M12 19.6v.01',
  globe:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3.2 12h17.6M12 3c2.4 2.5 3.6 5.5 3.6 9S14.4 18.5 12 21c-2.4-2.5-3.6-5.5-3.6-9S9.6 5.5 12 3z',
  place:
    'M12 21c4.3-4.2 6.5-7.7 6.5-10.700a6.5 6.5 0 1 0-13 0C5.5 13.3 7.7 16.8 12 21zM12 12.500a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.600z',
  note: 'M5 6h14M5 11h14M5 16h9',
  link: 'M10 14a4 4 0 0 0 5.7 0l3.1-3.100a4 4 0 0 0-5.7-5.700L12 6.300M14 10a4 4 0 0 0-5.7 0l-3.1 3.100a4 4 0 0 0 5.7 5.700l1.1-1.1',
  save: 'M12 4v11M7.5 11l4.5 4.5 4.5-4.500M4.5 19.500h15',
  question: 'M8.3 8.4a3.8 3.8 0 1 1 5.4 3.4c-1.1.6-1.7 1.4-1.7 2.6v.3M12 19v.01',
  check: 'M4.500 12.500l5 5L19.500 7',
  off: 'M12 3.500v8M7.4 6.700a7.5 7.5 0 1 0 9.2 0',
  lock: 'M6.500 11h11a1.500 1.500 0 0 1 1.500 1.500v6.500a1.500 1.500 0 0 1-1.500 1.500h-11a1.500 1.500 0 0 1-1.500-1.500v-6.500a1.500 1.500 0 0 1 1.500-1.500zM8 11V8a4 4 0 0 1 8 0v3',
  calendar:
    'M5 5.500h14A1.500 1.500 0 0 1 20.500 7v12a1.500 1.500 0 0 1-1.500 1.500H5A1.500 1.500 0 0 1 3.500 19V7A1.500 1.500 0 0 1 5 5.500zM3.500 10h17M8 3.500v4M16 3.500v4',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5.300l3.4 2',
} as const

/**
 * Returns an icon of this project. Screen readers skip it, because the words beside it say the
 * same.
 */
export function icon(name: keyof typeof lines): Html {
  return new Html(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${lines[name]}"/></svg>`)
}

type PlatformIcon = { title: string; path: string }
const platforms: ReadonlyMap<string, PlatformIcon> = new Map(Object.entries(platformIcons))

/** Names of platforms that the icon set lacks, and other names of platforms that it has. */
const namesOnly: ReadonlyMap<string, string> = new Map([['linkedin', 'LinkedIn']])
const otherNames: ReadonlyMap<string, string> = new Map([['twitter', 'x']])

/**
 * Returns the name of a platform as it writes itself, and its icon. An unknown platform gets a
 * neutral icon and keeps the given name.
 */
export function platformOf(platform: string): { name: string; icon: Html } {
  const key = platform.toLowerCase().replace(/[^a-z0-9]/g, '')
  const known = platforms.get(otherNames.get(key) ?? key)
  if (known === undefined)
    return { name: namesOnly.get(key) ?? platform, icon: icon(key === 'website' ? 'globe' : 'link') }
  const { title, path } = known
  return {
    name: title,
    icon: new Html(`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`),
  }
}
