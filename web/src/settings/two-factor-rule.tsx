import type { Member, Organization } from '@everscan/client/create-client.ts'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../session/api.ts'
import { showOrganization } from '../session/organizations.ts'
import { meQuery } from '../session/session.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { showProblem } from '../ui/problems.ts'
import { Card } from '../ui/surfaces.tsx'
import { showToast } from '../ui/toasts.ts'
import { membersWords } from '../words/settings-words.ts'

const text = membersWords

type Props = {
  organization: Organization
  /** The members on this page, and whether they are all. */
  members: readonly Member[]
  isWhole: boolean
}

/** Lets an admin demand two-factor sign-in of all members. */
export function TwoFactorRule({ organization, members, isWhole }: Props) {
  const { id } = organization
  const isRequired = organization.twoFactorRequired === true
  const { data: me } = useSuspenseQuery(meQuery)
  const [asking, setAsking] = useState(false)
  const save = async (required: boolean) => {
    showOrganization(await api.organizations.update(id, { twoFactorRequired: required }))
    const done = required ? text.twoFactorDemanded : text.twoFactorOptional
    showToast({ kind: 'good', text: done, undo: () => change.mutate(!required) })
  }
  const change = useMutation({ mutationFn: save, onError: showProblem })
  const without = members.filter(({ twoFactor }) => twoFactor === false).map(({ name }) => name)
  return (
    <Card title={text.twoFactor}>
      <Checkbox
        withLabel
        label={text.demandTwoFactor}
        hint={text.demandTwoFactorHint}
        checked={isRequired}
        disabled={change.isPending || (!me.twoFactor && !isRequired)}
        onChange={(event) => (event.target.checked ? setAsking(true) : change.mutate(false))}
      />
      {!me.twoFactor && !isRequired && (
        <p className="mt-3 text-sm">
          {text.twoFactorFirst}{' '}
          <Link to="/$orgId/account" params={{ orgId: id }} className="text-brand underline">
            {text.openAccount}
          </Link>
        </p>
      )}
      {asking && (
        <ConfirmDialog
          title={text.demandTitle}
          text={isWhole ? text.demandText(without) : text.demandSome}
          action={text.demandAction}
          onConfirm={async () => save(true)}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}
