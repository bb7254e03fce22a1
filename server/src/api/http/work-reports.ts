import type { FastifyReply, FastifyRequest } from 'fastify'

/** Less than the 30 s in which `front` expects the beginning of an answer; an hour in all. */
const everyMsDefault = 5_000
const reportsMax = 720

/**
 * Tells `front` that a complete file is being worked on, which may take longer than other requests:
 * with 102 (RFC 2518, 10.1), which goes no further. A process that hangs sends none.
 */
export function reportWork(
  { raw: request }: FastifyRequest,
  { raw: response }: FastifyReply,
  everyMs = everyMsDefault,
): void {
  request.once('end', () => {
    let reports = 0
    const timer = setInterval(() => {
      if (response.headersSent || response.destroyed || ++reports > reportsMax) clearInterval(timer)
      else response.writeProcessing()
    }, everyMs)
    response.once('close', () => clearInterval(timer))
  })
}
