import { gzip } from 'node:zlib'
import { landingPage, pageVariant } from '../pages/landing-page.ts'
import type { Page } from '../pages/page.ts'
import type { PageCode } from '../pages/page-content.ts'
import type { Reply, ScanVisitor } from './answer.ts'
import { RecentCache } from './recent-cache.ts'

/** The pages of codes as they were last rendered, by code and by what of a visitor they depend on. */
export type PageReplies = {
  /** Names a code's pages among those of all others; a code that was looked up again has new ones. */
  add: (code: PageCode) => (visitor: ScanVisitor) => Reply
}

type Rendered = { plain: Page; gzipped?: Page; compressing?: true }

/** In memory at most; a page that is not there is rendered again. */
const pageBytesMax = 64 * 1024 * 1024
/** Up to here a page is in the first packets of an answer (RFC 6928: about 14 KB), so a smaller one comes no sooner. */
const gzipFromBytes = 14_000

/** Renders pages when they are asked for, and keeps the last ones, compressed where that pays. */
export function createPageReplies(bytesMax = pageBytesMax): PageReplies {
  const rendered = new RecentCache<Rendered>(bytesMax, ({ plain }) => 2 * plain.body.length)
  let codes = 0

  return {
    add: (code) => {
      const number = codes++
      return (visitor) => {
        const key = `${number} ${pageVariant(code, visitor)}`
        let page = rendered.get(key)
        if (page === undefined) {
          page = { plain: landingPage(code, visitor) }
          rendered.set(key, page)
        }
        if (page.plain.body.length < gzipFromBytes || !visitor.acceptsGzip) return page.plain
        compressOnce(page)
        return page.gzipped ?? page.plain
      }
    },
  }
}

/** In a thread of Node's own: until it is done, a visitor gets the page as it is and nobody waits. */
function compressOnce(page: Rendered): void {
  if (page.compressing) return
  page.compressing = true
  gzip(page.plain.body, { level: 9 }, (error, body) => {
    if (error !== null) return
    const headers = page.plain.headers.slice()
    headers[headers.indexOf('Content-Length') + 1] = String(body.length)
    page.gzipped = {
      ...page.plain,
      headers: [...headers, 'Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding'],
      body,
    }
  })
}
