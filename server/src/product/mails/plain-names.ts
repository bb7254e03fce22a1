/** Longer names are cut: a mail to a stranger has no room for a message. */
const charsMax = 40
/** A year may belong to a name, a telephone number does not. */
const digitsMax = 4

/**
 * Returns a name that a stranger chose, for a mail to somebody who does not know them: on one line,
 * short, and without what mail programs turn into a link or people could call. Letters of every
 * script, digits, spaces and a few signs are left.
 */
export function plainName(name: string): string {
  const words = name
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}\p{N}&'’()+ -]/gu, ' ')
    // Marks above marks hide the lines around them.
    .replaceAll(/(\p{M}{2})\p{M}+/gu, '$1')
  const digits = words.match(/\p{N}/gu)?.length ?? 0
  const shown = (digits > digitsMax ? words.replaceAll(/\p{N}/gu, ' ') : words).replaceAll(/\s+/g, ' ').trim()
  const characters = Array.from(new Intl.Segmenter().segment(shown), ({ segment }) => segment)
  const cut = characters.slice(0, charsMax).join('').trim()
  return cut === '' ? '?' : cut
}
