import { limits } from '@everscan/contract/schema/limits.ts'
import type { OrganizationDetails } from '@everscan/client/create-client.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../session/api.ts'
import { showOrganization } from '../session/organizations.ts'
import { fieldProblem } from '../ui/problems.ts'
import { commonWords } from '../words/common-words.ts'
import { settingsWords } from '../words/settings-words.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { LogoField } from './logo-field.tsx'
import { Card, FormProblem } from '../ui/surfaces.tsx'

const text = settingsWords

/** Edits the name of an organization, and what its pages show of it. */
export function OrganizationCard({ organization }: { organization: OrganizationDetails }) {
  const { id, role } = organization
  const [name, setName] = useState(organization.name)
  const [publicName, setPublicName] = useState(organization.publicName ?? '')
  const isAdmin = role === 'ADMIN'
  const isSame = name === organization.name && publicName === (organization.publicName ?? '')
  const save = useMutation({
    mutationFn: async () =>
      api.organizations.update(id, { name, publicName: publicName.trim() === '' ? null : publicName }),
    onSuccess: (saved) => {
      setName(saved.name)
      setPublicName(saved.publicName ?? '')
      showOrganization(saved)
    },
  })
  return (
    <Card title={text.general}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <FormProblem error={save.error} fields={['name', 'publicName']} />
        <Field
          label={text.name}
          hint={text.nameHint}
          required
          maxLength={limits.nameCharsMax}
          autoComplete="organization"
          readOnly={!isAdmin}
          value={name}
          problem={fieldProblem(save.error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label={text.publicName}
          hint={text.publicNameHint}
          maxLength={limits.nameCharsMax}
          autoComplete="off"
          readOnly={!isAdmin}
          value={publicName}
          problem={fieldProblem(save.error, 'publicName')}
          onChange={(event) => setPublicName(event.target.value)}
        />
        {isAdmin && <SaveLine busy={save.isPending} isSame={isSame} isSaved={save.isSuccess} />}
      </form>
      <LogoField organization={organization} />
    </Card>
  )
}

function SaveLine({ busy, isSame, isSaved }: { busy: boolean; isSame: boolean; isSaved: boolean }) {
  return (
    <div className="flex items-center gap-3">
      <Button type="submit" look="primary" busy={busy} disabled={isSame}>
        {commonWords.save}
      </Button>
      <span role="status" className="text-sm text-soft">
        {isSaved && isSame && text.saved}
      </span>
    </div>
  )
}
