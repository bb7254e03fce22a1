import { AuthenticationError, createClient, type User } from '@everscan/client/create-client.ts'
import { endedSessionWords } from '../words/sign-in-words.ts'

/** A session that ended while its user was working. */
export type EndedSession = {
  /** The user whose work is on the page. */
  user: User
  /**
   * `asking`: a window asks the user to sign in again. `left`: they closed it, and read on.
   * `other`: this browser is signed in to another account now, and nothing is sent until the user
   * decides.
   */
  state: 'asking' | 'left' | 'other'
  /** The other account. Undefined until it is known. */
  other?: User | undefined
}

/** The calls that wait for the user. */
type Answer = { promise: Promise<void>; resolve: () => void; reject: () => void }

/** Its failures are not caught here. */
const plain = createClient({ baseUrl: location.origin })
/** Tells the id of the account at every sign-in to the other tabs of this browser. */
const signIns = new BroadcastChannel('everscan-sign-ins')

let ended: EndedSession | undefined
let answer: Answer | undefined
let looking: Promise<User | undefined> | undefined
/** In this tab and in others. */
let signInsSeen = 0
const listeners = new Set<() => void>()

export const readEndedSession = () => ended

/** Calls `listener` at every change. Returns a function that ends that. */
export function watchEndedSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Waits until the user of a page has signed in again, after a call was refused because nobody is
 * signed in. Rejects if they do not, in words for the user: those of the service are for programs.
 */
export async function signInAgain(
  user: User | undefined,
  { isChange }: { isChange: boolean },
): Promise<void> {
  if (user === undefined || listeners.size === 0) throw endedError(isChange)
  // A page that is only read does not ask again and again.
  if (ended?.state === 'left' && !isChange) throw endedError(isChange)
  if (ended === undefined || ended.state === 'left') {
    // Another tab may have signed in, or the call began before this one did.
    const found = await findUser()
    if (found?.id === user.id) return goOn()
    if (found !== undefined) show({ user, state: 'other', other: found })
    else if (readEndedSession()?.state !== 'other') show({ user, state: 'asking' })
  }
  answer ??= newAnswer()
  return answer.promise.catch(() => {
    throw endedError(isChange)
  })
}

/** Goes on as the user who signed in, or asks what to do if they are another one. */
export function goOnAs(signedIn: User): void {
  signInsSeen++
  signIns.postMessage(signedIn.id)
  if (ended === undefined) return
  if (signedIn.id === ended.user.id) goOn()
  else show({ ...ended, state: 'other', other: signedIn })
}

/** Closes the window. The calls that wait are rejected, and nothing is saved from now on. */
export function leaveSession(): void {
  if (ended === undefined) return
  show({ ...ended, state: 'left' })
  answer?.reject()
  answer = undefined
}

/** Opens the window again. */
export function askToSignIn(): void {
  if (ended !== undefined) show({ ...ended, state: 'asking' })
}

/** Forgets the session, because the page has no user any more. */
export function forgetEndedSession(): void {
  answer?.reject()
  answer = undefined
  show(undefined)
}

/** Whether calls must not be sent, because they would be those of another account. */
export const isHeld = () => ended?.state === 'other'

/** Follows other tabs of this browser. Returns a function that ends that. */
export function watchOtherTabs(readUser: () => User | undefined): () => void {
  const onSignIn = ({ data }: MessageEvent<unknown>) => {
    signInsSeen++
    const user = readUser()
    if (user === undefined) return
    // Held at once: the browser sends the cookie of the other account from now on.
    if (data !== user.id) show({ user, state: 'other' })
    void lookAgain(user)
  }
  signIns.addEventListener('message', onSignIn)
  addEventListener('focus', lookOnReturn)
  document.addEventListener('visibilitychange', lookOnReturn)
  return () => {
    signIns.removeEventListener('message', onSignIn)
    removeEventListener('focus', lookOnReturn)
    document.removeEventListener('visibilitychange', lookOnReturn)
  }
}

/** Another browser tab may have signed in, in a version of this page that tells nothing. */
function lookOnReturn(): void {
  if (!document.hidden && ended !== undefined) void lookAgain(ended.user)
}

async function lookAgain(user: User): Promise<void> {
  const found = await findUser()
  if (found === undefined) return
  if (found.id !== user.id) show({ user, state: 'other', other: found })
  else if (ended !== undefined) goOn()
}

/** Returns the user who is signed in now. */
async function findUser(): Promise<User | undefined> {
  looking ??= look().finally(() => (looking = undefined))
  return looking
}

/** An answer that was asked for before somebody signed in does not tell who is signed in now. */
async function look(): Promise<User | undefined> {
  const before = signInsSeen
  const found = await plain.me.read().catch(() => undefined)
  return before === signInsSeen ? found : look()
}

function goOn(): void {
  show(undefined)
  answer?.resolve()
  answer = undefined
}

const endedError = (isChange: boolean) =>
  new AuthenticationError(isChange ? endedSessionWords.notSaved : endedSessionWords.notRead, {
    status: 401,
    code: 'UNAUTHORIZED',
  })

function newAnswer(): Answer {
  const parts: Partial<Answer> = {}
  const promise = new Promise<void>((resolve, reject) => Object.assign(parts, { resolve, reject }))
  return { ...(parts as Answer), promise }
}

function show(now: EndedSession | undefined): void {
  ended = now
  for (const listener of listeners) listener()
}
