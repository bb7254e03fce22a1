import type { AuditEntry } from '@everscan/client/create-client.ts'
import { auditActions } from '@everscan/contract/resources/audit-log.ts'
import { formatAge, formatTime } from '../ui/format.ts'
import { programOf } from '../session/programs.ts'
import { auditLogWords } from '../words/audit-log-words.ts'

const text = auditLogWords

/** Shows a change as a sentence: actor, action and target, with the time and the way below it. */
export function AuditRow({ entry }: { entry: AuditEntry }) {
  const { actor, fields, origin, createdAt } = entry
  const program = programOf(origin.userAgent)
  const how = [
    actor.kind === 'api-key' && origin.via !== 'mcp' ? text.viaKey : text.via[origin.via],
    actor.kind === 'user' ? program : undefined,
  ].filter((part) => part !== undefined && part !== '')
  return (
    <li className="px-4 py-3">
      <p className="break-words">
        <strong className="font-semibold">{actorName(entry)}</strong> {sentenceOf(entry)}
      </p>
      <p className="text-sm text-soft">
        <time dateTime={createdAt} title={formatTime(createdAt)}>
          {formatAge(createdAt)}
        </time>
        {how.map((part) => ` · ${part}`).join('')}
        {fields.length > 0 && ` · ${text.changedFields(fields.map(fieldText).join(', '))}`}
      </p>
    </li>
  )
}

function actorName({ actor, origin }: AuditEntry): string {
  if (actor.kind !== 'system') return actor.name
  return origin.via === 'command' ? text.operator : text.service
}

function sentenceOf({ action, actor, target }: AuditEntry): string {
  const isSelf = target.id === actor.id
  if (isSelf && action === 'member.join') return text.joined
  if (isSelf && action === 'member.remove') return text.left
  const what = target.name === null || target.name === '' ? text.nameless : text.quoted(target.name)
  const known = auditActions.find((one) => one === action)
  // A newer service may report actions that this page does not know yet.
  return known === undefined ? `${action} ${what}` : text.actions[known].did(what)
}

function fieldText(field: string): string {
  const known: Readonly<Record<string, string>> = text.fields
  return known[field] ?? field
}
