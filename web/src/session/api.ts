import {
  createClient,
  EverscanError,
  type ConfirmSession,
  type FailedCall,
  type User,
} from '@everscan/client/create-client.ts'
import { onlineManager, QueryClient } from '@tanstack/react-query'
import { confirming } from './confirmations.ts'
import { isHeld } from './ended-session.ts'
import { keepNewestAnswers } from './newest-answers.ts'
import { readReach, watchReach } from './reachability.ts'
import { recover } from './recovery.ts'
import { sendForm } from './send-form.ts'
import { currentLanguage } from '../words/chosen-language.ts'
import type { Language } from '../words/languages.ts'
import { loadProblemWords } from '../words/show-language.ts'

/** Returns the user who is signed in, as far as this page knows. */
export const readUser = () => queries.getQueryData<User>(['me'])

const onFailure = async (failed: FailedCall) => {
  const { path, error } = failed
  // Nobody is told that the session has ended: the user signs in again.
  const isTold = error.code !== 'UNAUTHORIZED' || path.startsWith('/auth/')
  if (isTold && error.problem !== undefined) await loadProblemWords()
  return recover(failed, readUser())
}

/** Sends nothing for a user while this browser is signed in to another account. */
const sendUnlessHeld = async (input: Parameters<typeof fetch>[0], init?: RequestInit) =>
  isHeld() && typeof input === 'string' && !input.includes('/api/v1/auth/')
    ? Response.json({ code: 'UNAUTHORIZED', message: '' }, { status: 401 })
    : fetch(input, { ...init, headers: inPageLanguage(init?.headers) })

/** The service writes mails to people without an account in the language of the page. */
function inPageLanguage(given: HeadersInit | undefined): Headers {
  const headers = new Headers(given)
  headers.set('accept-language', currentLanguage())
  return headers
}

const baseUrl = location.origin
const client = createClient({ baseUrl, fetch: sendUnlessHeld, onFailure })

/** Returns the same client, which reports the share of a file that was sent, from 0 to 1. */
export const apiReporting = (onSent: (share: number) => void) =>
  createClient({
    baseUrl,
    onFailure,
    fetch: async (input, init) =>
      init?.body instanceof FormData && typeof input === 'string' && !isHeld()
        ? sendForm(input, init, { form: init.body, onSent })
        : sendUnlessHeld(input, init),
  })

/**
 * Client of the service that this page came from. The session is in a cookie that no script can
 * read. Calls of `me` ask the user for a second factor if they require one. All calls wait for the
 * user if the session has ended, and for the service if it cannot be reached.
 */
export const api = { ...client, me: confirming(client.me) }

/** Client whose requests outlive the page, and wait for nobody. */
const outliving = createClient({
  baseUrl,
  fetch: async (input, init) => sendUnlessHeld(input, { ...init, keepalive: true }),
})

/** Stores the language of mails to the signed-in user. The page may be left meanwhile. */
export const saveLanguage = async (language: Language) => outliving.me.update({ language })

/** Confirms the session. Not a call of `api.me`, which would ask the user while it is asking. */
export const confirmSession = async (factor: ConfirmSession) => client.me.confirm(factor)

/** Returns whether a request failed because the user is no longer signed in. */
export const isSignedOut = (error: unknown) => error instanceof EverscanError && error.code === 'UNAUTHORIZED'

/**
 * Cache of responses. When the user returns to a page, it shows the cached data at once and reads
 * it again in the background. While the service cannot be reached, reads and changes wait.
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

keepNewestAnswers(queries)

onlineManager.setEventListener((setOnline) => watchReach(() => setOnline(readReach() === 'reached')))
