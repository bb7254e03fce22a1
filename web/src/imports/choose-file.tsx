import { useState } from 'react'
import { FileDrop } from '../ui/file-drop.tsx'
import { showProblem } from '../ui/problems.ts'
import { Notice } from '../ui/surfaces.tsx'
import { commonWords } from '../words/common-words.ts'

/** The beginning of a file: its columns and first rows, or the reason why there are none. */
export type ReadFile = { problem: undefined; header: string[]; rows: string[][] } | { problem: string }

/** A file that was chosen. `number` tells apart files that were chosen one after the other. */
export type ChosenFile = { file: File; read: { header: string[]; rows: string[][] }; number: number }

let chosenSoFar = 0

type Props = {
  words: { label: string; action: string; hint: string }
  /** The kinds of files that the browser offers. */
  accept: string
  read: (file: File) => Promise<ReadFile>
  onChosen: (chosen: ChosenFile) => void
}

/** Asks for the file of an import or a move, and says why one cannot be taken. */
export function ChooseFile({ words, accept, read, onChosen }: Props) {
  const [refused, setRefused] = useState<{ name: string; why: string }>()
  const choose = async (file: File) => {
    const found = await read(file)
    if (found.problem === undefined) onChosen({ file, read: found, number: ++chosenSoFar })
    else setRefused({ name: file.name, why: found.problem })
  }
  return (
    <>
      {refused !== undefined && (
        <Notice kind="problem">
          {refused.name}
          {commonWords.colon} {refused.why}
        </Notice>
      )}
      <FileDrop {...words} accept={accept} onFile={(file) => void choose(file).catch(showProblem)} />
    </>
  )
}
