import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { showProblem } from '../ui/problems.ts'
import { saveCsv } from '../ui/save-file.ts'

type Props = { id: string; label: string; read: () => Promise<string> }

/** Saves all rows of a job that did not become codes, with the reasons. */
export function SaveErrors({ id, label, read }: Props) {
  const save = useMutation({
    mutationFn: async () => saveCsv(await read(), `${id}-errors.csv`),
    onError: showProblem,
  })
  return (
    <Button busy={save.isPending} onClick={() => save.mutate()}>
      <Download size={18} aria-hidden />
      {label}
    </Button>
  )
}
