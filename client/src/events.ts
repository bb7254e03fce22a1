import type { Event, eventGap, EventStreamQuery } from '@everscan/contract/resources/events.ts'
import { ConnectionError, EverscanError, TimeoutError, UnavailableError } from './errors.ts'
import type { Service } from './calling.ts'
import { pathOf, type CallOptions } from './send.ts'
import { sleep } from './sleep.ts'

/** Events of an organization, as they happen. */
export type Events = ReturnType<typeof eventCalls>

export type StreamOptions = CallOptions & {
  /** Resumes after this event, which may be up to 24 hours old. By default starts now. */
  lastEventId?: string | undefined
  /**
   * Called when events are missing because the service no longer has the last one. The stream
   * continues with the oldest event that it has.
   */
  onGap?: () => void
  /** Called when the stream opens, and when it closes or fails to open. The client then retries. */
  onConnection?: (state: 'open' | 'lost') => void
}

/** The service sends a comment every 15 s. */
const timeoutMsDefault = 40_000
const waitMsMin = 500
const waitMsMax = 5_000

export function eventCalls({ sendStreamed }: Service) {
  return {
    /**
     * Yields events as they happen, until the loop ends. The client reopens a connection that
     * breaks or ends and resumes after the last event: no event is missed, and an event comes twice
     * only if `lastEventId` is used again. Throws an error that a retry cannot fix.
     *
     * @example
     * for await (const event of everscan.events.stream(orgId, { event: ['qr.scanned'] }))
     *   console.log(event.data)
     */
    async *stream(
      orgId: string,
      query: EventStreamQuery = {},
      { lastEventId, onGap, onConnection, ...options }: StreamOptions = {},
    ): AsyncGenerator<Event, void, undefined> {
      const path = pathOf`/organizations/${orgId}/events`
      let last = lastEventId
      for (let failures = 0; ; failures++) {
        options.signal?.throwIfAborted()
        if (failures > 0) await sleep(waitMs(failures), options.signal)
        try {
          const { body } = await sendStreamed({
            method: 'GET',
            path,
            query,
            headers: { 'last-event-id': last },
            idempotent: true,
            options: { timeoutMs: timeoutMsDefault, ...options },
          })
          onConnection?.('open')
          for await (const { id, event, data } of messagesOf(body)) {
            failures = 0
            if (id !== '') last = id
            if (event === gapEvent) onGap?.()
            else if (data !== undefined) yield JSON.parse(data) as Event
          }
        } catch (error) {
          if (!(error instanceof EverscanError) || !isTransient(error)) throw error
        }
        onConnection?.('lost')
      }
    },
  }
}

/** The contract's constant, which is only a type here: the compiled client imports nothing. */
const gapEvent: typeof eventGap = 'stream.gap'

/** A message without data only has an id to resume from, or is a comment. */
type Message = { id: string; event: string; data: string | undefined }

/** Yields the messages of a stream of this service: one line per field, LF at the end. */
async function* messagesOf(
  body: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Message, void, undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true })
    let from = 0
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n', from)) {
      yield messageOf(text.slice(from, end))
      from = end + 2
    }
    text = text.slice(from)
  }
}

function messageOf(text: string): Message {
  const fields: Record<string, string> = {}
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? []
    fields[name] = value
  }
  const { id = '', event = '', data } = fields
  return { id, event, data }
}

function isTransient(error: EverscanError): boolean {
  const passes = [ConnectionError, TimeoutError, UnavailableError].some((one) => error instanceof one)
  return passes || error.status === 429 || error.status === 502 || error.status === 504
}

function waitMs(failures: number): number {
  const fullMs = Math.min(waitMsMin * 2 ** (failures - 1), waitMsMax)
  return fullMs / 2 + (Math.random() * fullMs) / 2
}
