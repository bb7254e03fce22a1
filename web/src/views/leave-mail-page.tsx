import { useMutation } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'
import { NarrowPage } from '../ui/narrow-page.tsx'
import { FormProblem } from '../ui/surfaces.tsx'
import { viewsWords } from '../words/views-words.ts'
import { sharedViews } from './shared-client.ts'

const text = viewsWords.page.leaving

/** Takes an address off the list of a mail. The token is behind "#", which no server gets. */
export function LeaveMailPage() {
  const leave = useMutation({ mutationFn: async () => sharedViews.leaveMail(location.hash.slice(1)) })
  if (leave.isSuccess)
    return (
      <NarrowPage title={text.done}>
        <p role="status">{text.doneText}</p>
      </NarrowPage>
    )
  return (
    <NarrowPage title={text.title}>
      <div className="grid gap-4">
        <p className="text-soft">{text.text}</p>
        <FormProblem error={leave.error} fields={[]} />
        <Button look="primary" busy={leave.isPending} onClick={() => leave.mutate()}>
          {text.action}
        </Button>
      </div>
    </NarrowPage>
  )
}
