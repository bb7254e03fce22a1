import type { FastifyInstance } from 'fastify'
import type { Config } from '../../settings/settings.ts'
import { sendNotice } from './error-pages.ts'

const securityDays = 180

/** Search engines may read pages of codes, which say themselves that they are not listed. */
const robots = 'User-agent: *\nDisallow: /api/\nDisallow: /app\n'

/** Serves what people and crawlers ask of every site: `/`, `/robots.txt`, a contact. */
export function addSiteFiles(
  app: FastifyInstance,
  { rootUrl, securityContact, publicUrl }: Pick<Config, 'rootUrl' | 'securityContact' | 'publicUrl'>,
): void {
  app.get('/', async (request, reply) => {
    if (rootUrl !== undefined) return reply.redirect(rootUrl, 302)
    return sendNotice('home', request, reply)
  })
  app.get('/robots.txt', async (_request, reply) => reply.headers(textHeaders).send(robots))
  if (securityContact === undefined) return
  app.get('/.well-known/security.txt', async (_request, reply) => {
    const expires = new Date(Date.now() + securityDays * 86_400_000).toISOString()
    const canonical = `${publicUrl}/.well-known/security.txt`
    // RFC 9116
    return reply
      .headers(textHeaders)
      .send(`Contact: ${securityContact}\nExpires: ${expires}\nCanonical: ${canonical}\n`)
  })
}

const textHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' }
