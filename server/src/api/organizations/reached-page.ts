import type { FastifyInstance } from 'fastify'
import { saveReached, saveSeen } from '../../catalogue/installation/public-addresses.ts'
import type { Database } from '../../db/database.ts'
import { isPublicAddress } from '../../public-hosts.ts'

/** Returns the path of the address that a phone opens in a check. */
export const reachedPath = (id: string) => `/app/reached/${id}`

type Context = { db: Database; config: { publicUrl: string }; clock: () => number }

/** Serves the page that a phone sees in a check of the public address; notes that it arrived. */
export function addReachedPage(app: FastifyInstance, { db, config, clock }: Context): void {
  const publicHost = new URL(config.publicUrl).host
  app.get<{ Params: { id: string } }>(reachedPath(':id'), async (request, reply) => {
    // Another name of this machine proves nothing about the public one.
    const isPublicName = request.headers.host === publicHost
    const fromOutside = isPublicName && isPublicAddress(request.ip)
    const nowMs = clock()
    const isKnown = isPublicName && (await saveSeen(db, request.params.id, { fromOutside, nowMs }))
    if (isKnown && fromOutside) await saveReached(db, config.publicUrl, nowMs)
    // Pages are loaded only by a process that shows one.
    const { sentNotice } = await import('../../sent-pages.ts')
    const { readAcceptLanguage } = await import('@everscan/pages/visitor-language.ts')
    const { language } = readAcceptLanguage(request.headers['accept-language'] ?? '')
    const { status, headers, body } = sentNotice(isKnown ? 'reached' : 'unknown', language)
    for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1])
    return reply.code(status).send(body)
  })
}
