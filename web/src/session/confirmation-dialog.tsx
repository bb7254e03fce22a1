import { Dialog } from '../ui/dialog.tsx'
import { commonWords } from '../words/common-words.ts'
import { confirmationWords } from '../words/sign-in-words.ts'
import { confirmSession } from './api.ts'
import type { PendingConfirmation } from './confirmations.ts'
import { SecondFactor } from './second-factor.tsx'

const text = confirmationWords

/** Asks for a second factor in a session that has to be confirmed. */
export function ConfirmationDialog({ pending }: { pending: PendingConfirmation }) {
  const { offer, onConfirmed, onCancel } = pending
  return (
    <Dialog title={text.title} text={text.text} onClose={onCancel}>
      <SecondFactor
        offer={offer}
        send={async (factor) => {
          await confirmSession(factor)
          onConfirmed()
        }}
        submit={text.submit}
        back={commonWords.cancel}
        onBack={onCancel}
      />
    </Dialog>
  )
}
