import type { Notice } from '@everscan/pages/notice-pages.ts'
import type { SentPage } from '../../files/sent-pages.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Paths below which programs ask: there, errors are JSON. */
const forPrograms = ['/api/v1', '/mcp', '/.well-known', '/healthz', '/readyz', '/metrics']
const languageCharsMax = 200

/** Returns whether an error must be a page: whatever a person opens should be readable. */
export function wantsPage({ method, url }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const path = url.split('?', 1)[0] ?? ''
  return forPrograms.every((prefix) => path !== prefix && !path.startsWith(`${prefix}/`))
}

/** Sends a notice in the language of a visitor. */
export async function sendNotice(
  notice: Notice,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Pages are loaded only by a process that shows one.
  const { sentNotice } = await import('../../files/sent-pages.ts')
  const { readAcceptLanguage } = await import('@everscan/pages/visitor-language.ts')
  const wanted = (headers['accept-language'] ?? '').slice(0, languageCharsMax)
  return sendPage(sentNotice(notice, readAcceptLanguage(wanted).language), reply)
}

export function sendPage(page: SentPage, reply: FastifyReply): FastifyReply {
  for (let at = 0; at < page.headers.length; at += 2)
    reply.header(page.headers[at] ?? '', page.headers[at + 1])
  return reply.code(page.status).send(page.body)
}
