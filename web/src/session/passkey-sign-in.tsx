import type { SignedIn } from '@everscan/client/create-client.ts'
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/surfaces.tsx'
import { passkeysWords } from '../words/passkeys-words.ts'
import { api } from './api.ts'
import { passkeyProblem } from './passkey-support.ts'
import { loadPart } from './reachability.ts'

const text = passkeysWords

/** Signs in with a passkey alone. The user chooses the account in the browser's window. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: (signedIn: SignedIn) => Promise<void> }) {
  const signIn = useMutation({
    mutationFn: async () => {
      const { answerWithPasskey } = await loadPart(async () => import('./passkeys.ts'))
      const passkey = await answerWithPasskey(await api.auth.beginPasskey())
      return api.auth.signInWithPasskey({ passkey })
    },
    onSuccess: onSignedIn,
  })
  return (
    <div className="mt-4 grid gap-4">
      <p className="flex items-center gap-3 text-sm text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {text.or}
      </p>
      <Button busy={signIn.isPending} onClick={() => signIn.mutate()}>
        <KeyRound size={18} aria-hidden />
        {text.signIn}
      </Button>
      {signIn.isError && <Notice kind="problem">{passkeyProblem(signIn.error)}</Notice>}
    </div>
  )
}
