import type { ImportJob, ImportRepairs } from '@everscan/client/create-client.ts'
import { readImportHeader, type ImportMapping } from '@everscan/contract/code-types/import-mapping.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '../session/api.ts'
import { ignoringUnknown, mappingOf, rememberColumns } from './column-choices.ts'
import { randomKey } from './random-key.ts'
import { changedRows } from './repairs.ts'

/** Returns the columns of a file, and what the user chose that they become. */
export function useImportColumns(
  orgId: string,
  { type, names }: { type: QrCodeType; names: readonly string[] },
) {
  const [choices, setChoices] = useState<ImportMapping>({})
  const columns = mappingOf({ type, header: names, orgId }, choices)
  const header = readImportHeader(type, names, columns)
  const fits =
    header.missing.length === 0 &&
    header.columns.every(({ column, repeated }) => column !== undefined && !repeated)
  const choose = (mapping: ImportMapping) => {
    setChoices({ ...choices, ...mapping })
    rememberColumns(orgId, type, mapping)
  }
  return {
    columns,
    header,
    /** Whether every column has a meaning, so that the file can be checked. */
    fits,
    choose,
    ignoreUnknown: () => choose(ignoringUnknown(type, names, columns)),
  }
}

type Settings = {
  type: QrCodeType
  file: File
  fileName: string
  columns: ImportMapping
  styleId?: string
}
type CheckOptions = {
  /** It tells files apart that the user chose one after the other. */
  number: number
  settings: Settings
  fits: boolean
}

/** Checks all rows of a file, and again with the repairs of the user. */
export function useImportCheck(orgId: string, { number, settings, fits }: CheckOptions) {
  const { type, styleId = '', columns } = settings
  const [repairs, setRepairs] = useState<ImportRepairs>({})
  /** The repairs that the last check had. */
  const [checked, setChecked] = useState<ImportRepairs>({})
  const checkOf = (withRepairs: ImportRepairs) =>
    queryOptions({
      queryKey: ['import check', orgId, number, type, styleId, columns, withRepairs],
      queryFn: async ({ signal }) => {
        const options = { ...settings, dryRun: true, repairs: withRepairs }
        const { id } = await api.imports.start(orgId, options, { signal })
        const job = await api.imports.waitFor(orgId, id, { signal })
        void queries.invalidateQueries({ queryKey: ['imports', orgId, 'list'] })
        return job
      },
      // The file does not change.
      staleTime: Infinity,
    })
  const check = useQuery({ ...checkOf(checked), enabled: fits })
  const recheck = useMutation({
    mutationFn: async () => {
      const job = await queries.fetchQuery(checkOf(repairs))
      setChecked(repairs)
      return job
    },
  })
  return {
    repairs,
    setRepairs,
    checked,
    /** Forgets repairs: they are of columns that another type may not have. */
    dropRepairs: () => {
      setRepairs({})
      setChecked({})
    },
    check,
    recheck,
  }
}

type StartOptions = {
  settings: Settings
  folderId: string
  checking: ReturnType<typeof useImportCheck>
  onStarted: (job: ImportJob, folder: string | undefined) => void
}

/** Starts the import, unless a repaired row is still faulty. */
export function useImportStart(orgId: string, { settings, folderId, checking, onStarted }: StartOptions) {
  const { type, styleId = '', columns } = settings
  const { repairs, check, recheck } = checking
  // With this key the import happens once, however often the request is sent.
  const [idempotencyKey] = useState(randomKey)
  return useMutation({
    mutationFn: async () => {
      // Rows that the user repaired must become codes, or else be shown again.
      const changed = changedRows(check.data?.errors ?? [], repairs).map(({ row }) => row)
      if (changed.length > 0) {
        const { errors } = await recheck.mutateAsync()
        if (errors.some(({ row }) => changed.includes(row))) return undefined
      }
      return api.imports.start(
        orgId,
        { ...settings, repairs, ...(folderId !== '' && { folderId }) },
        { idempotencyKey: keyOf([idempotencyKey, type, styleId, folderId, columns, repairs]) },
      )
    },
    onSuccess: async (job) => {
      if (job === undefined) return
      await queries.invalidateQueries({ queryKey: ['imports'] })
      onStarted(job, folderId === '' ? undefined : folderId)
    },
  })
}

/** A key must stay short, and be another one for other settings. */
function keyOf(parts: readonly unknown[]): string {
  let hash = 0
  for (const character of JSON.stringify(parts))
    hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0
  return `${String(parts[0])}-${hash >>> 0}`
}
