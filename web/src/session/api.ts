import { createClient, EverscanError } from '@everscan/client/create-client.ts'
import { QueryClient } from '@tanstack/react-query'

/** The service that this page came from; the session is in a cookie that no script can read. */
export const api = createClient({ baseUrl: location.origin })

/** Makes calls that go on when the page is closed meanwhile. A browser takes bodies of 64 KB in all for such calls. */
export const lastingApi = createClient({
  baseUrl: location.origin,
  fetch: async (input, init) => fetch(input, { ...init, keepalive: true }),
})

/** Whether a call failed because nobody is signed in any more. */
export const isSignedOut = (error: unknown) => error instanceof EverscanError && error.code === 'UNAUTHORIZED'

/** What was read is shown at once when a page comes back, and read again behind it. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The client itself tries again where that helps.
      retry: false,
    },
  },
})
