import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { NarrowPage } from '../ui/narrow-page.tsx'
import { signInWords, signUpWords } from '../words/sign-in-words.ts'
import { queries } from './api.ts'
import { ConnectionBar } from './connection-bar.tsx'
import { goOnAs } from './ended-session.ts'
import { signInOptionsQuery } from './session.ts'
import { SignInForm } from './sign-in-form.tsx'

/** Asks a visitor to sign in, and leads to the page that they wanted. */
export function SignInPage() {
  const navigate = useNavigate()
  const { to } = useSearch({ from: '/sign-in' })
  const options = useQuery(signInOptionsQuery)
  return (
    <NarrowPage title={signInWords.title}>
      <ConnectionBar className="-mt-2 mb-4 rounded-control" />
      <SignInForm
        onSignedIn={async ({ user }) => {
          queries.clear()
          queries.setQueryData(['me'], user)
          goOnAs(user)
          await navigate({ to: to ?? '/', replace: true })
        }}
      />
      {options.data?.signUp === true && (
        <p className="mt-5 border-t border-line pt-4 text-sm text-soft">
          {signUpWords.offer}{' '}
          <Link to="/sign-up" className="font-medium text-brand underline underline-offset-4">
            {signUpWords.link}
          </Link>
        </p>
      )}
    </NarrowPage>
  )
}
