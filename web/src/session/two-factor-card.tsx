import type { BegunTwoFactor, User } from '@everscan/client/create-client.ts'
import { createMatrix } from '@everscan/qr/content/matrix.ts'
import { drawSvg } from '@everscan/qr/writers/svg.ts'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { refreshAccountLog } from './account-log-card.tsx'
import { api } from './api.ts'
import { CurrentPassword, Form, RecoveryCodes } from './factor-forms.tsx'
import { organizationsQuery, refreshMe } from './session.ts'
import { accountWords } from '../words/account-words.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Card } from '../ui/surfaces.tsx'

const text = accountWords

const refresh = async () => Promise.all([refreshMe(), refreshAccountLog()])

/** Turns two-factor sign-in with an authenticator app on and off. */
export function TwoFactorCard({ user }: { user: User }) {
  const [begun, setBegun] = useState<BegunTwoFactor>()
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  return (
    <Card title={text.twoFactor}>
      <p className="mb-4 text-soft">
        {text.twoFactorText} <strong className="text-ink">{user.authenticator ? text.on : text.off}</strong>
      </p>
      {user.twoFactor && !user.authenticator && <p className="mb-4 text-soft">{text.twoFactorPasskeys}</p>}
      {recoveryCodes !== undefined ? (
        <RecoveryCodes codes={recoveryCodes} onDone={() => setRecoveryCodes(undefined)} />
      ) : begun !== undefined ? (
        <Confirm
          begun={begun}
          onDone={(codes) => {
            setBegun(undefined)
            setRecoveryCodes(codes)
            void refresh()
          }}
        />
      ) : (
        <div className="grid gap-6">
          {user.authenticator ? <TurnOff onDone={() => void refresh()} /> : <Begin onDone={setBegun} />}
          {user.twoFactor && (
            <Renew
              onDone={(codes) => {
                setRecoveryCodes(codes)
                void refreshAccountLog()
              }}
            />
          )}
        </div>
      )}
    </Card>
  )
}

function Begin({ onDone }: { onDone: (begun: BegunTwoFactor) => void }) {
  const [currentPassword, setPassword] = useState('')
  const begin = useMutation({
    mutationFn: async () => api.me.beginTwoFactor({ currentPassword }),
    onSuccess: onDone,
  })
  return (
    <Form error={begin.error} onSubmit={() => begin.mutate()}>
      <CurrentPassword value={currentPassword} onChange={setPassword} />
      <div>
        <Button type="submit" busy={begin.isPending}>
          {text.turnOn}
        </Button>
      </div>
    </Form>
  )
}

function Confirm({ begun, onDone }: { begun: BegunTwoFactor; onDone: (codes: readonly string[]) => void }) {
  const [code, setCode] = useState('')
  const confirm = useMutation({
    mutationFn: async () => api.me.confirmTwoFactor({ code: code.replaceAll(/\s/g, '') }),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  const svg = drawSvg(createMatrix({ text: begun.otpauthUri, errorCorrection: 'M' }), { sizePx: 200 })
  return (
    <Form error={confirm.error} onSubmit={() => confirm.mutate()}>
      <p>{text.scan}</p>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
        alt={text.scan}
        width="200"
        height="200"
        className="rounded-control"
      />
      <p className="text-sm text-soft">
        {text.secret} <code className="break-all text-ink select-all">{begun.secret}</code>
      </p>
      <Field
        label={text.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        autoFocus
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <div>
        <Button type="submit" look="primary" busy={confirm.isPending}>
          {text.confirm}
        </Button>
      </div>
    </Form>
  )
}

function TurnOff({ onDone }: { onDone: () => void }) {
  const { data: organizations } = useSuspenseQuery(organizationsQuery)
  const demanding = organizations
    .filter(({ twoFactorRequired }) => twoFactorRequired === true)
    .map(({ name }) => name)
  const [currentPassword, setPassword] = useState('')
  const end = useMutation({
    mutationFn: async () => api.me.endTwoFactor({ currentPassword }),
    onSuccess: onDone,
  })
  return (
    <Form error={end.error} onSubmit={() => end.mutate()}>
      {demanding.length > 0 && <p>{text.neededBy(demanding.join(', '))}</p>}
      <CurrentPassword value={currentPassword} onChange={setPassword} />
      <div>
        <Button type="submit" busy={end.isPending}>
          {text.turnOff}
        </Button>
      </div>
    </Form>
  )
}

/** Renews the recovery codes of a user who has used or lost them. */
function Renew({ onDone }: { onDone: (codes: readonly string[]) => void }) {
  const [currentPassword, setPassword] = useState('')
  const renew = useMutation({
    mutationFn: async () => api.me.renewRecoveryCodes({ currentPassword }),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  return (
    <details className="border-t border-line pt-4">
      <summary className="cursor-pointer text-soft hover:text-ink">{text.renew}</summary>
      <p className="my-3 text-soft">{text.renewText}</p>
      <Form error={renew.error} onSubmit={() => renew.mutate()}>
        <CurrentPassword value={currentPassword} onChange={setPassword} />
        <div>
          <Button type="submit" busy={renew.isPending}>
            {text.renew}
          </Button>
        </div>
      </Form>
    </details>
  )
}
