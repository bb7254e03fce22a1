import { Marked, type Token, type Tokens } from 'marked'

/** The part of a page below a heading, up to the next one. `text` has no markup. */
export type PagePart = { heading: string; anchor: string; depth: number; text: string }

export type RenderedPage = {
  title: string
  html: string
  /** The first part has the title of the page and no anchor. */
  parts: readonly PagePart[]
}

/** Returns the address for a target in a page. Undefined: it is shown without a link. */
export type ResolveTarget = (target: string) => string | undefined

/** Headings down to this depth have an anchor and are parts of the search. */
const anchorDepthMax = 4

/**
 * Renders a page. Raw HTML is left out: pages need none, and comments in them are for checks.
 * Throws if the page does not begin with its title.
 */
export function renderMarkdown(
  markdown: string,
  { link, image }: { link: ResolveTarget; image: ResolveTarget },
): RenderedPage {
  const tokens = parseMarkdown(markdown)
  const anchors = anchorsOf(tokens)
  const marked = new Marked({
    renderer: {
      html: () => '',
      heading(token) {
        const anchor = anchors.get(token)
        const content = this.parser.parseInline(token.tokens)
        if (anchor === undefined || token.depth === 1)
          return `<h${token.depth}>${content}</h${token.depth}>\n`
        const name = escapeHtml(plainText(token.tokens))
        const mark = `<a class="anchor" href="#${anchor}" aria-label="Link to “${name}”">#</a>`
        return `<h${token.depth} id="${anchor}">${content} ${mark}</h${token.depth}>\n`
      },
      link({ href, tokens: content }) {
        const address = link(href)
        const inner = this.parser.parseInline(content)
        return address === undefined ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`
      },
      image({ href, text }) {
        const address = image(href)
        return address === undefined ? '' : `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}">`
      },
      // A region that scrolls must be reachable with the keyboard.
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    },
  })
  const html = marked
    .parser(tokens)
    .replaceAll('<table>', '<div class="table" role="group" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    // A corner without a text is no header.
    .replaceAll('<th></th>', '<td></td>')
  const parts = partsOf(tokens, anchors)
  const [first] = parts
  if (first?.depth !== 1) throw new Error('a page must begin with its title')
  return { title: first.heading, html, parts }
}

export function parseMarkdown(markdown: string): Token[] {
  return new Marked().lexer(markdown)
}

/** Returns every token of a page, also those inside others. */
export function allTokens(tokens: readonly Token[]): Token[] {
  const found: Token[] = []
  void new Marked().walkTokens([...tokens], (token) => void found.push(token))
  return found
}

/** Returns the anchors of the headings, named as GitHub names them. */
export function anchorsOf(tokens: readonly Token[]): ReadonlyMap<Token, string> {
  const used = new Map<string, number>()
  const anchors = new Map<Token, string>()
  for (const token of tokens) {
    if (!isHeading(token) || token.depth > anchorDepthMax) continue
    const name = plainText(token.tokens)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const count = used.get(name) ?? 0
    used.set(name, count + 1)
    anchors.set(token, count === 0 ? name : `${name}-${count}`)
  }
  return anchors
}

function partsOf(tokens: readonly Token[], anchors: ReadonlyMap<Token, string>): PagePart[] {
  const parts: { heading: string; anchor: string; depth: number; texts: string[] }[] = []
  for (const token of tokens) {
    const anchor = anchors.get(token)
    if (isHeading(token) && anchor !== undefined) {
      const { depth } = token
      parts.push({ heading: plainText(token.tokens), anchor: depth === 1 ? '' : anchor, depth, texts: [] })
    } else parts.at(-1)?.texts.push(plainText([token]))
  }
  return parts.map(({ texts, ...part }) => ({
    ...part,
    text: texts.join(' ').replaceAll(/\s+/g, ' ').trim(),
  }))
}

/** Returns the words of tokens without markup, separated by spaces where blocks end. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'html') return ''
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        return [header, ...rows].flatMap((cells) => cells.map((cell) => plainText(cell.tokens))).join(' ')
      }
      if (token.type === 'list')
        return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ')
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens)
      return 'text' in token && typeof token.text === 'string' ? token.text : ' '
    })
    .join('')
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
