import type { UseQueryResult } from '@tanstack/react-query'
import { Field } from '../ui/field.tsx'
import { formatNumber } from '../ui/format.ts'
import { deletionWords } from '../words/bin-words.ts'
import { typedFrom } from './bin.ts'

const text = deletionWords

/** Tells how often codes were scanned lately, and what their deletion means. */
export function DeletionEffect({ count, scans }: { count: number; scans: UseQueryResult<number> }) {
  return (
    <>
      <p role="status" className="font-medium">
        {scans.data === undefined
          ? scans.isError
            ? text.notCounted
            : text.counting
          : text.scanned(count, scans.data, formatNumber(scans.data))}
      </p>
      <p className="text-soft">{text.effect(count)}</p>
    </>
  )
}

/** Whether so many codes may be deleted after this was typed. */
export const isConfirmed = (count: number, typed: string) =>
  count < typedFrom || typed.replaceAll(/\D/g, '') === String(count)

type TypedProps = { count: number; typed: string; onType: (typed: string) => void }

/** Wants the number of many codes typed. */
export function TypedCount({ count, typed, onType }: TypedProps) {
  if (count < typedFrom) return null
  return (
    <Field
      label={text.type(formatNumber(count))}
      inputMode="numeric"
      autoComplete="off"
      value={typed}
      onChange={(event) => onType(event.target.value)}
    />
  )
}
