import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../session/roles.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Card } from '../ui/surfaces.tsx'
import { addressWords } from '../words/address-words.ts'
import { AddressCheck } from './address-check.tsx'
import { publicAddressQuery } from './public-address.ts'

const text = addressWords

/** Warns beside everything that prints codes, while phones cannot open them. */
export function AddressNotice({ orgId }: { orgId: string }) {
  const { data: address } = useQuery(publicAddressQuery(orgId))
  const mayCheck = useMay(orgId, 'EDITOR')
  const [isOpen, setOpen] = useState(false)
  if (address === undefined || (address.problem === null && !isOpen)) return null
  return (
    <>
      {!address.ready && address.problem !== null && (
        <div
          role="alert"
          className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control border border-danger px-3 py-2 text-sm text-danger"
        >
          <TriangleAlert size={18} aria-hidden className="shrink-0" />
          <p className="min-w-40 flex-1 break-words">{text.notice[address.problem](address.url)}</p>
          {mayCheck && <Button onClick={() => setOpen(true)}>{text.open}</Button>}
        </div>
      )}
      {isOpen && (
        <Dialog title={text.title} onClose={() => setOpen(false)} wide>
          <AddressCheck orgId={orgId} address={address} />
        </Dialog>
      )}
    </>
  )
}

/** Asks somebody who has just begun which address phones reach. */
export function FirstAddressCard({ orgId }: { orgId: string }) {
  const { data: address } = useQuery(publicAddressQuery(orgId))
  const [wasAsked, setAsked] = useState(false)
  if (address === undefined || (address.ready && !wasAsked)) return null
  // Goes on to show that the phone has arrived.
  if (!wasAsked) setAsked(true)
  return (
    <div className="mb-5">
      <Card title={text.title}>
        <AddressCheck orgId={orgId} address={address} />
      </Card>
    </div>
  )
}
