import { limits } from '@everscan/contract/schema/limits.ts'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { NarrowPage } from '../ui/narrow-page.tsx'
import { FormProblem } from '../ui/surfaces.tsx'
import { api, queries } from './api.ts'
import { addOrganization } from './organizations.ts'
import { fieldProblem } from '../ui/problems.ts'
import { commonWords } from '../words/common-words.ts'
import { settingsWords } from '../words/settings-words.ts'

const text = settingsWords

/**
 * Creates an organization for a user who is in none: after leaving the last one, or before the
 * first.
 */
export function NewOrganizationPage() {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const make = useMutation({
    mutationFn: async () => api.organizations.create({ name }),
    onSuccess: async (made) => {
      addOrganization(made)
      await navigate({ to: '/$orgId/codes', params: { orgId: made.id } })
    },
  })
  const signOut = useMutation({
    mutationFn: async () => api.auth.signOut(),
    onSuccess: async () => {
      queries.clear()
      await navigate({ to: '/sign-in' })
    },
  })
  return (
    <NarrowPage title={text.noOrganization}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <p className="text-soft">{text.noOrganizationText}</p>
        <FormProblem error={make.error} fields={['name']} />
        <Field
          label={commonWords.newOrganization.name}
          required
          maxLength={limits.nameCharsMax}
          autoComplete="organization"
          value={name}
          problem={fieldProblem(make.error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" look="primary" busy={make.isPending}>
          {commonWords.newOrganization.action}
        </Button>
        <Button busy={signOut.isPending} onClick={() => signOut.mutate()}>
          {commonWords.nav.signOut}
        </Button>
      </form>
    </NarrowPage>
  )
}
