import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzip } from 'node:zlib'
import { landingPage, landingPageSteps, pageVariant } from '@everscan/pages/landing-page.ts'
import type { PageCode } from '@everscan/pages/page-content.ts'
import type { PageReply, ScanVisitor } from './scan-answer.ts'
import { RecentCache } from './recent-cache.ts'
import { sentPage, type SentPage } from '../files/sent-pages.ts'

/**
 * The pages of codes as last rendered, by code and by the properties of the visitor that they
 * depend on.
 */
export type PageReplies = {
  /**
   * Adds a code, and returns the function that renders its pages. A code that was looked up again
   * gets new pages. The function returns a promise for a page that takes long (`inSteps`) and is
   * not rendered yet.
   */
  add: (code: PageCode, how: { inSteps: boolean }) => (visitor: ScanVisitor) => PageReply | Promise<PageReply>
}

type Rendered = { plain: SentPage; gzipped?: SentPage; compressing?: true }

/** The limit of the pages in memory. A page that is not there is rendered again. */
const pageBytesMax = 64 * 1024 * 1024
/**
 * The size from which pages are compressed. A smaller page fits into the first packets of a
 * response (RFC 6928: about 14 KB), so it would not arrive sooner if compressed.
 */
const gzipFromBytes = 14_000

/**
 * Creates a store that renders pages on request and keeps the last ones, compressed where that
 * pays.
 */
export function createPageReplies(bytesMax = pageBytesMax): PageReplies {
  const rendered = new RecentCache<Rendered>(bytesMax, ({ plain }) => 2 * plain.body.length)
  const rendering = new Map<string, Promise<Rendered>>()
  let codes = 0

  const keep = (key: string, plain: SentPage): Rendered => {
    const page = { plain }
    rendered.set(key, page)
    return page
  }
  const renderInSteps = async (
    key: string,
    steps: ReturnType<typeof landingPageSteps>,
  ): Promise<Rendered> => {
    try {
      for (;;) {
        const { done, value } = steps.next()
        if (done === true) return keep(key, sentPage(value))
        await nextTurn()
      }
    } finally {
      rendering.delete(key)
    }
  }

  return {
    add: (code, { inSteps }) => {
      const number = codes++
      return (visitor) => {
        const key = `${number} ${pageVariant(code, visitor)}`
        const page = rendered.get(key)
        if (page !== undefined) return replyOf(page, visitor)
        if (!inSteps) return replyOf(keep(key, sentPage(landingPage(code, visitor))), visitor)
        let coming = rendering.get(key)
        if (coming === undefined) {
          coming = renderInSteps(key, landingPageSteps(code, visitor))
          rendering.set(key, coming)
        }
        return coming.then((ready) => replyOf(ready, visitor))
      }
    },
  }
}

function replyOf(page: Rendered, { acceptsGzip }: ScanVisitor): PageReply {
  if (page.plain.body.length < gzipFromBytes || !acceptsGzip) return page.plain
  compressOnce(page)
  return page.gzipped ?? page.plain
}

/**
 * Compresses a page in one of Node's own threads. Until that is done, visitors get the uncompressed
 * page without waiting.
 */
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
