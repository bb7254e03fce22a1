import type { Passkey, User } from '@everscan/client/create-client.ts'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog, FormButtons } from '../ui/dialog.tsx'
import { formatTime, formatWhen } from '../ui/format.ts'
import { NameDialog } from '../ui/name-dialog.tsx'
import { Card, Failure, Notice } from '../ui/surfaces.tsx'
import { accountWords } from '../words/account-words.ts'
import { passkeysWords } from '../words/passkeys-words.ts'
import { refreshAccountLog } from './account-log-card.tsx'
import { api, queries } from './api.ts'
import { CurrentPassword, Form, RecoveryCodes } from './factor-forms.tsx'
import { browserHasPasskeys } from './passkey-support.ts'
import { programOf } from './programs.ts'
import { refreshMe, signInOptionsQuery } from './session.ts'
import { loadPart } from './reachability.ts'

const text = passkeysWords

/** Query of the user's passkeys, oldest first. */
export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async () => (await api.me.passkeys({ limit: 100 })).data,
})

const refreshPasskeys = async () => queries.invalidateQueries({ queryKey: passkeysQuery.queryKey })

/** Passkeys and whether signing in requires a second factor change together. */
const refresh = async () => Promise.all([refreshPasskeys(), refreshMe(), refreshAccountLog()])

/** Lists, adds, renames and removes the user's passkeys. */
export function PasskeysCard({ user }: { user: User }) {
  const passkeys = useQuery(passkeysQuery)
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  const all = passkeys.data ?? []
  return (
    <Card title={text.title}>
      <p className="mb-4 text-soft">{text.text}</p>
      {passkeys.isError && <Failure error={passkeys.error} onRetry={() => void passkeys.refetch()} />}
      {all.length > 0 && (
        <ul className="mb-4 divide-y divide-line border-b border-line">
          {all.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              isLastFactor={all.length === 1 && !user.authenticator}
            />
          ))}
        </ul>
      )}
      {recoveryCodes !== undefined ? (
        <RecoveryCodes codes={recoveryCodes} onDone={() => setRecoveryCodes(undefined)} />
      ) : (
        <AddPasskey
          isFirst={passkeys.isSuccess && all.length === 0}
          hasSecondFactor={user.twoFactor}
          onRecoveryCodes={setRecoveryCodes}
        />
      )}
    </Card>
  )
}

function AddPasskey({
  isFirst,
  hasSecondFactor,
  onRecoveryCodes,
}: {
  isFirst: boolean
  hasSecondFactor: boolean
  onRecoveryCodes: (codes: readonly string[]) => void
}) {
  const signInOptions = useQuery(signInOptionsQuery)
  const [currentPassword, setPassword] = useState('')
  const add = useMutation({
    mutationFn: async () => {
      const options = await api.me.beginPasskey({ currentPassword })
      const { createPasskey } = await loadPart(async () => import('./passkeys.ts'))
      const { isElsewhere, ...passkey } = await createPasskey(options)
      const device = isElsewhere ? text.elsewhere : (programOf(navigator.userAgent) ?? text.here)
      return api.me.addPasskey({ name: device, passkey })
    },
    onSuccess: async ({ recoveryCodes }) => {
      setPassword('')
      if (recoveryCodes !== null) onRecoveryCodes(recoveryCodes)
      await refresh()
    },
  })
  if (signInOptions.data?.passkeys === false) return <p>{text.offHere}</p>
  if (!browserHasPasskeys()) return <p>{text.noBrowser}</p>
  return (
    <>
      {isFirst && (
        <p className="mb-4">
          {text.none} {!hasSecondFactor && text.first}
        </p>
      )}
      <Form error={add.error} onSubmit={() => add.mutate()}>
        {add.isSuccess && <Notice kind="good">{text.added(add.data.passkey.name)}</Notice>}
        <CurrentPassword value={currentPassword} onChange={setPassword} />
        <div>
          <Button type="submit" busy={add.isPending}>
            {text.add}
          </Button>
        </div>
      </Form>
    </>
  )
}

function PasskeyRow({ passkey, isLastFactor }: { passkey: Passkey; isLastFactor: boolean }) {
  const { id, name, backedUp, createdAt, lastUsedAt } = passkey
  const [open, setOpen] = useState<'rename' | 'remove'>()
  const close = () => setOpen(undefined)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-52">
        <p className="truncate font-medium">{name}</p>
        <p className="text-sm text-soft">
          {backedUp ? text.backedUp : text.notBackedUp} ·{' '}
          <time dateTime={createdAt} title={formatTime(createdAt)}>
            {text.addedWhen(formatWhen(createdAt))}
          </time>{' '}
          ·{' '}
          {lastUsedAt === null ? (
            text.neverUsed
          ) : (
            <time dateTime={lastUsedAt} title={formatTime(lastUsedAt)}>
              {accountWords.lastUsed(formatWhen(lastUsedAt))}
            </time>
          )}
        </p>
      </div>
      <div className="flex gap-2">
        <Button aria-label={text.renameLabel(name)} onClick={() => setOpen('rename')}>
          {text.rename}
        </Button>
        <Button aria-label={text.removeLabel(name)} onClick={() => setOpen('remove')}>
          {text.remove}
        </Button>
      </div>
      {open === 'rename' && (
        <NameDialog
          title={text.renameTitle}
          name={name}
          onSave={async (next) => {
            await api.me.renamePasskey(id, next)
            await refreshPasskeys()
          }}
          onClose={close}
        />
      )}
      {open === 'remove' && <RemoveDialog {...{ passkey, isLastFactor }} onClose={close} />}
    </li>
  )
}

function RemoveDialog({
  passkey,
  isLastFactor,
  onClose,
}: {
  passkey: Passkey
  isLastFactor: boolean
  onClose: () => void
}) {
  const [currentPassword, setPassword] = useState('')
  const remove = useMutation({
    mutationFn: async () => api.me.removePasskey(passkey.id, { currentPassword }),
    onSuccess: async () => {
      onClose()
      await refresh()
    },
  })
  return (
    <Dialog title={text.removeTitle(passkey.name)} text={text.removeText} onClose={onClose}>
      {isLastFactor && <p className="mb-4">{text.removeLast}</p>}
      <Form error={remove.error} onSubmit={() => remove.mutate()}>
        <CurrentPassword value={currentPassword} onChange={setPassword} />
        <FormButtons action={text.removeAction} look="danger" busy={remove.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}
