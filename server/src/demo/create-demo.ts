import { createHashOf } from '../product/codes/accept-access.ts'
import { noDomains } from '../product/codes/code-domains.ts'
import { newQrCode } from '../product/codes/new-qr-codes.ts'
import { runStyleJob } from '../product/styles/style-jobs.ts'
import { acceptQrCodeStyle } from '../product/styles/qr-code-styles.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import { saveMember } from '../catalogue/accounts/users.ts'
import { createFolder } from '../catalogue/codes/folders.ts'
import { createQrCode, updateQrCode, type NewQrCode } from '../catalogue/codes/qr-codes.ts'
import { createSavedStyle } from '../catalogue/codes/saved-styles.ts'
import { findDemo, listOperators, lockDemo, saveDemo } from '../catalogue/installation/demo-organizations.ts'
import { createOrganization, updateOrganization } from '../catalogue/organizations/organizations.ts'
import { systemOrigin } from '../catalogue/rows/change-origins.ts'
import type { QrCodeRow } from '../catalogue/rows/qr-code-row.ts'
import { inTransaction, type Database } from '../db/database.ts'
import { newCodeProblems } from '../product/validation/new-code-problems.ts'
import type { DemoCode } from './demo-code.ts'
import { demoCodes, demoFolders, demoLooks, demoName, demoPublicName } from './demo-codes.ts'
import { dayBefore, dayMs, type DemoPlan } from './demo-plan.ts'
import { archivedAtOf, createdAtOf } from './demo-scans.ts'

const origin = systemOrigin
/** No code of the demo has a password. */
const hashOf = createHashOf('')

/** The parts of the demo, checked and drawn, but in no catalogue yet. */
export type DemoDrafts = {
  looks: readonly { name: string; style: Style }[]
  codes: readonly { code: DemoCode; draft: NewQrCode }[]
}

/**
 * Checks the codes of the demo as the API does, with their pictures. Outside of a transaction,
 * because it takes a second. Throws an Error for content or a style that the API would refuse.
 */
export async function draftDemo(
  plan: DemoPlan,
  { publicUrl, onStep }: { publicUrl: string; onStep: () => void },
): Promise<DemoDrafts> {
  const work = { run: runStyleJob, suggests: false }
  const looks = new Map<string, Style>()
  for (const [name, style] of Object.entries(demoLooks)) {
    looks.set(name, (await acceptQrCodeStyle(style, { publicUrl, work })).style)
    onStep()
  }
  const [defaultLook = ''] = looks.keys()
  const codes: { code: DemoCode; draft: NewQrCode }[] = []
  for (const code of demoCodes) {
    const { type, name, data, tags, rules = [], look = defaultLook } = code
    const style = (look === null ? undefined : looks.get(look)) ?? {}
    const body = { type, name, data, rules: [...rules], style, tags: [...(tags ?? [])] }
    requireValid(body, publicUrl)
    for (const change of code.changes ?? []) requireValid({ ...body, data: change.data }, publicUrl)
    const context = { config: { publicUrl }, work, clock: () => createdAtOf(code, plan) }
    // The style is already that of the look.
    codes.push({
      code,
      draft: await newQrCode(body, context, {
        styleOf: async () => style,
        domainOf: noDomains,
        hashOf,
        origin,
      }),
    })
    onStep()
  }
  return { looks: [...looks].map(([name, style]) => ({ name, style })), codes }
}

function requireValid(body: Parameters<typeof newCodeProblems>[0], publicUrl: string): void {
  const [problem] = newCodeProblems(body, publicUrl)
  if (problem !== undefined) throw new Error(`${body.name}: ${problem.path} ${problem.message}`)
}

/**
 * Creates the organization with its folders, styles and codes, and saves the plan with their ids,
 * in one transaction. Returns the demo of this installation: another machine may have been first.
 */
export async function createDemo(
  db: Database,
  plan: DemoPlan,
  drafts: DemoDrafts,
): Promise<{ id: string; plan: string }> {
  return await inTransaction(db, async (tx) => {
    await lockDemo(tx)
    const found = await findDemo(tx)
    if (found !== undefined) return found
    const nowMs = Math.min(...drafts.codes.map(({ code }) => createdAtOf(code, plan)))
    const { id } = await createOrganization(tx, { name: demoName, nowMs })
    await updateOrganization(tx, id, { publicName: demoPublicName, origin, nowMs })
    for (const { id: userId } of await listOperators(tx)) await saveMember(tx, id, { userId, role: 'ADMIN' })
    for (const [index, look] of drafts.looks.entries())
      await createSavedStyle(tx, id, { ...look, isDefault: index === 0, origin, nowMs })
    const folders = await createFolders(tx, id, nowMs)
    const rows = await createCodes(tx, id, { drafts, folders })
    for (const [index, { code }] of drafts.codes.entries())
      await changeCode(tx, plan, { code, row: rows[index] })
    const codes = rows.map(({ id: qrCodeId, shortCode, rules }, index) => ({
      key: drafts.codes[index]?.code.key ?? '',
      id: qrCodeId,
      shortCode,
      ...(rules.length > 0 && { rules: rules.map((rule) => rule.id) }),
    }))
    const text = JSON.stringify({ ...plan, codes })
    await saveDemo(tx, id, { plan: text })
    return { id, plan: text }
  })
}

/** Returns the ids of the folders by their paths, such as `Cafés/Vienna Neubau`. */
async function createFolders(
  tx: Database,
  organizationId: string,
  nowMs: number,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const { name, inside } of demoFolders) {
    const parentId = inside === undefined ? null : ids.get(inside)
    const folder = await createFolder(tx, organizationId, { name, parentId, origin, nowMs })
    if (folder === undefined) throw new Error(`there are two folders "${name}"`)
    ids.set(inside === undefined ? name : `${inside}/${name}`, folder.id)
  }
  return ids
}

async function createCodes(
  tx: Database,
  organizationId: string,
  { drafts, folders }: { drafts: DemoDrafts; folders: ReadonlyMap<string, string> },
): Promise<QrCodeRow[]> {
  const inputs = drafts.codes.map(({ code, draft }) => {
    const folderId = code.folder === undefined ? null : folders.get(code.folder)
    if (folderId === undefined) throw new Error(`${code.key}: there is no folder "${code.folder}"`)
    return { ...draft, folderId }
  })
  const rows: QrCodeRow[] = []
  // One at a time: pictures are drawn between statements, and a transaction must not pause long.
  for (const input of inputs) rows.push(await createQrCode(tx, organizationId, input))
  return rows
}

/** Gives a code the later versions of its history. */
async function changeCode(
  tx: Database,
  plan: DemoPlan,
  { code, row }: { code: DemoCode; row: QrCodeRow | undefined },
): Promise<void> {
  if (row === undefined) throw new Error(`${code.key} was not created`)
  for (const { day, data } of code.changes ?? [])
    await updateQrCode(tx, row, { data, origin, nowMs: dayBefore(plan, day) + dayMs / 3 })
  const archivedAtMs = archivedAtOf(code, plan)
  if (archivedAtMs !== undefined)
    await updateQrCode(tx, row, { status: 'ARCHIVED', origin, nowMs: archivedAtMs })
}
