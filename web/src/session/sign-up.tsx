import { limits } from '@everscan/contract/schema/limits.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, buttonClass } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { NarrowPage } from '../ui/narrow-page.tsx'
import { FormProblem, Notice } from '../ui/surfaces.tsx'
import { api } from './api.ts'
import { fieldProblem } from '../ui/problems.ts'
import { signInOptionsQuery } from './session.ts'
import { newPasswordWords, signInWords, signUpWords } from '../words/sign-in-words.ts'

const text = signUpWords

/** Creates an account with its own organization, if the installation allows it. */
export function SignUpPage() {
  const options = useQuery(signInOptionsQuery)
  const [mailed, setMailed] = useState<boolean>()
  if (mailed !== undefined)
    return (
      <NarrowPage title={text.title}>
        <div className="grid gap-4">
          <Notice kind="good">{mailed ? text.mailed : text.done}</Notice>
          {!mailed && (
            <Link to="/sign-in" className={buttonClass('primary')}>
              {signInWords.title}
            </Link>
          )}
        </div>
      </NarrowPage>
    )
  if (options.data?.signUp === false)
    return (
      <NarrowPage title={text.title}>
        <div className="grid gap-4">
          <p className="text-soft">{text.off}</p>
          <Link to="/sign-in" className={buttonClass()}>
            {signInWords.title}
          </Link>
        </div>
      </NarrowPage>
    )
  return (
    <NarrowPage title={text.title}>
      <SignUpForm
        // With mails, the password is chosen by whoever opens the mailed link: the owner of the
        // address.
        choosesPassword={options.data?.mails !== true}
        onSignedUp={setMailed}
      />
      <p className="mt-5 border-t border-line pt-4 text-sm text-soft">
        {text.haveAccount}{' '}
        <Link to="/sign-in" className="font-medium text-brand underline underline-offset-4">
          {signInWords.title}
        </Link>
      </p>
    </NarrowPage>
  )
}

type FormProps = { choosesPassword: boolean; onSignedUp: (mailed: boolean) => void }

function SignUpForm({ choosesPassword, onSignedUp }: FormProps) {
  const [fields, setFields] = useState({ name: '', email: '', password: '', organizationName: '' })
  const { password, ...others } = fields
  const signUp = useMutation({
    mutationFn: async () => api.auth.signUp({ ...others, ...(choosesPassword && { password }) }),
    onSuccess: (done) => onSignedUp(done.mailed),
  })
  const fieldOf = (name: keyof typeof fields) => ({
    required: true,
    value: fields[name],
    problem: fieldProblem(signUp.error, name),
    onChange: (event: { target: { value: string } }) => setFields({ ...fields, [name]: event.target.value }),
  })
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        signUp.mutate()
      }}
    >
      <FormProblem error={signUp.error} fields={Object.keys(fields)} />
      <Field
        {...fieldOf('name')}
        label={text.name}
        autoComplete="name"
        autoFocus
        maxLength={limits.nameCharsMax}
      />
      <Field {...fieldOf('email')} label={text.email} type="email" autoComplete="username" />
      {choosesPassword && (
        <Field
          {...fieldOf('password')}
          label={signInWords.password}
          hint={newPasswordWords.hint}
          type="password"
          autoComplete="new-password"
        />
      )}
      <Field
        {...fieldOf('organizationName')}
        label={text.organizationName}
        hint={text.organizationHint}
        autoComplete="organization"
        maxLength={limits.nameCharsMax}
      />
      <Button type="submit" look="primary" busy={signUp.isPending}>
        {text.submit}
      </Button>
    </form>
  )
}
