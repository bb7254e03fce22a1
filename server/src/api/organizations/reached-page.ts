import type { FastifyInstance } from 'fastify'
import { saveReached, saveSeen } from '../../catalogue/installation/public-addresses.ts'
import type { Database } from '../../db/database.ts'
import { isPublicAddress } from '../../public-hosts.ts'
import { sendNotice } from '../http/error-pages.ts'

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
    return sendNotice(isKnown ? 'reached' : 'unknown', request, reply)
  })
}
