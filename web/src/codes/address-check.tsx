import type { PublicAddress } from '@everscan/client/create-client.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { api, queries } from '../session/api.ts'
import { useMay } from '../session/roles.ts'
import { Button } from '../ui/button.tsx'
import { LearnMore } from '../ui/learn-more.tsx'
import { problemText, showProblem } from '../ui/problems.ts'
import { Notice } from '../ui/surfaces.tsx'
import { showToast } from '../ui/toasts.ts'
import { addressWords } from '../words/address-words.ts'
import { addressPictureQuery, checkQuery, newCheckQuery, publicAddressQuery } from './public-address.ts'

const text = addressWords

/**
 * Shows a code for a phone, and whether the phone has arrived: from outside, printed codes can be
 * opened.
 */
export function AddressCheck({ orgId, address }: { orgId: string; address: PublicAddress }) {
  const mayDecide = useMay(orgId, 'ADMIN')
  const made = useQuery(newCheckQuery(orgId))
  const check = useQuery(checkQuery(orgId, made.data?.id))
  const picture = useQuery(addressPictureQuery(made.data?.url))
  const { seenAt = null, fromOutside = null } = check.data ?? {}
  useEffect(() => {
    if (fromOutside === true) void queries.invalidateQueries({ queryKey: publicAddressQuery(orgId).queryKey })
  }, [fromOutside, orgId])
  const decide = useMutation({
    mutationFn: async (localOnly: boolean) => api.organizations.updatePublicAddress(orgId, { localOnly }),
    onSuccess: (now) => {
      queries.setQueryData(publicAddressQuery(orgId).queryKey, now)
      if (now.localOnly) showToast({ kind: 'good', text: text.localDone })
    },
    onError: showProblem,
  })
  const { url, problem, localOnly } = address
  return (
    <div className="grid gap-5 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <div className="flex size-40 items-center justify-center justify-self-center rounded-control border border-line bg-white">
        {picture.data === undefined ? (
          made.isError || picture.isError ? (
            <p className="p-3 text-center text-sm text-danger">{text.failed}</p>
          ) : null
        ) : (
          <img src={picture.data} alt={text.alt} className="size-full" />
        )}
      </div>
      <div className="grid content-start gap-3">
        {made.isError && <Notice kind="problem">{problemText(made.error)}</Notice>}
        <p>{problem === null ? text.ready(url) : text.fact[problem](url)}</p>
        {localOnly && <p className="font-medium">{text.localNow}</p>}
        <p className="text-soft">{problem === 'PRIVATE' ? text.scanInside : text.scan}</p>
        <Arrival
          orgId={orgId}
          seenAt={seenAt}
          fromOutside={fromOutside}
          isPrivate={problem === 'PRIVATE'}
          mayDecide={mayDecide}
        />
        {problem !== null && (
          <p className="text-sm text-soft">
            {text.change} <LearnMore about="publicAddress" />
          </p>
        )}
        {mayDecide && problem !== null && (
          <div className="border-t border-line pt-3">
            <Button busy={decide.isPending} onClick={() => decide.mutate(!localOnly)}>
              {localOnly ? text.localEnd : text.local}
            </Button>
            {!localOnly && <p className="mt-1 text-sm text-soft">{text.localHint}</p>}
          </div>
        )}
      </div>
    </div>
  )
}

type ArrivalProps = {
  orgId: string
  seenAt: string | null
  fromOutside: boolean | null
  /** Whether only phones in this network can arrive. */
  isPrivate: boolean
  mayDecide: boolean
}

function Arrival({ orgId, seenAt, fromOutside, isPrivate, mayDecide }: ArrivalProps) {
  const [Icon, look, said] =
    fromOutside === true
      ? ([CircleCheck, 'text-brand', text.outside] as const)
      : seenAt === null
        ? ([LoaderCircle, 'text-soft', text.waiting] as const)
        : isPrivate
          ? ([CircleCheck, 'text-ink', text.insideOnly] as const)
          : ([TriangleAlert, 'text-ink', text.inside] as const)
  return (
    <p role="status" className={`flex items-start gap-2 font-medium ${look}`}>
      <Icon
        size={18}
        aria-hidden
        className={`mt-0.5 shrink-0 ${seenAt === null ? 'motion-safe:animate-spin' : ''}`}
      />
      <span>
        {said}{' '}
        {fromOutside === false && !isPrivate && mayDecide && (
          <Link to="/$orgId/settings/connection" params={{ orgId }} className="text-brand underline">
            {text.proxyCheck}
          </Link>
        )}
      </span>
    </p>
  )
}
