import { Button } from '../ui/button.tsx'
import { LearnMore } from '../ui/learn-more.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { developersWords } from '../words/developers-words.ts'

const text = developersWords

/** Shows the secret of a webhook, until the user has kept it. */
export function ShownSecret({ secret, onKept }: { secret: string; onKept: () => void }) {
  return (
    <ShownOnce
      title={text.webhookSecret}
      text={
        <>
          {text.secretOnce} <LearnMore about="signatures" />
        </>
      }
      value={secret}
      copyLabel={text.copySecret}
    >
      <Button className="mt-3" onClick={onKept}>
        {text.kept}
      </Button>
    </ShownOnce>
  )
}
