import type { Role } from '@everscan/contract/schema/common.ts'
import { useQuery } from '@tanstack/react-query'
import { installationQuery } from './installation.ts'
import { settingsWords } from '../words/settings-words.ts'
import { Parts, type Part } from '../ui/parts.tsx'

const text = settingsWords

/**
 * Shows the head of every page of the settings. Copies are for the operator of the installation.
 */
export function SettingsHead({ orgId, role }: { orgId: string; role: Role }) {
  const isAdmin = role === 'ADMIN'
  const installation = useQuery({ ...installationQuery(orgId), enabled: isAdmin })
  const ofOperator: readonly Part[] =
    isAdmin && installation.data != null ? [{ to: '/$orgId/settings/copies', name: text.copies }] : []
  const parts = [...settingsParts(role), ...ofOperator]
  return <Parts title={text.title} label={text.parts} orgId={orgId} parts={parts} />
}

/** Returns the pages of the settings. The audit log and the connection are for admins only. */
function settingsParts(role: Role): readonly Part[] {
  const all: readonly Part[] = [
    { to: '/$orgId/settings', name: text.general, exact: true },
    { to: '/$orgId/settings/members', name: text.members },
    { to: '/$orgId/settings/domains', name: text.domains },
  ]
  const ofAdmins: readonly Part[] = [
    { to: '/$orgId/settings/audit-log', name: text.auditLog },
    { to: '/$orgId/settings/connection', name: text.connection },
  ]
  return role === 'ADMIN' ? [...all, ...ofAdmins] : all
}
