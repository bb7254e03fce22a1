import { Button } from '../ui/button.tsx'
import { formatWhen } from '../ui/format.ts'
import { Card } from '../ui/surfaces.tsx'
import { commonWords } from '../words/common-words.ts'
import { editorWords } from '../words/editor-words.ts'
import { nameOf } from './code-drafts.ts'
import type { KeptCode } from './unfinished-codes.ts'

const text = editorWords.unfinished

/** Offers to go on with a new code of an earlier visit. */
export function UnfinishedCode({
  kept: { draft, atMs, lacksPassword },
  onResume,
  onStartNew,
}: {
  kept: KeptCode
  onResume: () => void
  onStartNew: () => void
}) {
  const typeName = commonWords.types[draft.type]
  const name = nameOf(draft)
  return (
    <Card title={text.title} className="max-w-xl">
      <p className="break-words">
        {text.text(typeName, name === typeName ? undefined : name, formatWhen(new Date(atMs).toISOString()))}
      </p>
      {lacksPassword && <p className="mt-1 text-soft">{text.password}</p>}
      <div className="mt-5 flex flex-wrap items-center gap-2">
        <Button look="primary" autoFocus onClick={onResume}>
          {text.resume}
        </Button>
        <Button onClick={onStartNew}>{text.startNew}</Button>
        <p className="text-sm text-soft">{text.startNewHint}</p>
      </div>
    </Card>
  )
}
