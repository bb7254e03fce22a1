import { createClient, EverscanError, type ConfirmSession } from '@everscan/client/create-client.ts'
import { QueryClient } from '@tanstack/react-query'
import { confirming } from './confirmations.ts'

const client = createClient({ baseUrl: location.origin })

/**
 * Client of the service that this page came from. The session is in a cookie that no script can
 * read. Calls of `me` ask the user for a second factor if they require one.
 */
export const api = { ...client, me: confirming(client.me) }

/** Confirms the session. Not a call of `api.me`, which would ask the user while it is asking. */
export const confirmSession = async (factor: ConfirmSession) => client.me.confirm(factor)

/** Returns whether a request failed because the user is no longer signed in. */
export const isSignedOut = (error: unknown) => error instanceof EverscanError && error.code === 'UNAUTHORIZED'

/**
 * Cache of responses. When the user returns to a page, it shows the cached data at once and reads
 * it again in the background.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The client itself retries where that helps.
      retry: false,
    },
  },
})
