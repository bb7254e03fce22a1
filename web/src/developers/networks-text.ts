import { formatNumber } from '../ui/format.ts'
import { developersWords } from '../words/developers-words.ts'

const shownMax = 2

/** Names the first networks of a key, and how many more there are. Addresses have no prefix. */
export function networksText(networks: readonly string[]): string {
  const shown = networks
    .slice(0, shownMax)
    .map((network) => network.replace(network.includes(':') ? /\/128$/ : /\/32$/, ''))
    .join(', ')
  const more = networks.length - shownMax
  return more > 0 ? `${shown} ${developersWords.andMore(formatNumber(more))}` : shown
}
