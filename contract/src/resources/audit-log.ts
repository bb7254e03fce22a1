import { Type, type Static } from 'typebox'
import { Actor } from './actors.ts'
import { DateInput, Id, OptionalLine, Timestamp, nullable, oneOf, strictObject } from '../schema/common.ts'
import { Page, pageParameters } from '../schema/pages.ts'

export const auditOrigins = ['dashboard', 'api', 'import', 'command', 'system', 'mcp'] as const
export type AuditOrigin = (typeof auditOrigins)[number]

/**
 * The actions in the audit log of an organization. The codes that an import creates have no
 * entries: its one `import.start` stands for them. The service itself is the actor of the actions
 * on catalogue and scans; their target is the organization, with a number of its scans as the name.
 * `mcp.call` is a call of a tool over MCP, also one that only reads; what it changes has entries of
 * its own.
 */
export const auditActions = [
  'qr-code.create',
  'qr-code.update',
  'qr-code.rollback',
  'qr-code.delete',
  'qr-code.restore',
  'qr-code.purge',
  'folder.create',
  'folder.update',
  'folder.delete',
  'style.create',
  'style.update',
  'style.delete',
  'utm-template.create',
  'utm-template.update',
  'utm-template.delete',
  'domain.create',
  'domain.update',
  'domain.delete',
  'domain.adopt',
  'organization.update',
  'api-key.create',
  'api-key.revoke',
  'import.start',
  'import.cancel',
  'member.join',
  'member.update',
  'member.remove',
  'member.reset-password',
  'invitation.create',
  'invitation.revoke',
  'invitation.accept',
  'webhook.create',
  'webhook.update',
  'webhook.rotate-secret',
  'webhook.delete',
  'view.create',
  'view.update',
  'view.delete',
  'view.send-mail',
  'view.leave-mail',
  'mails.stop',
  'mails.allow',
  'catalogue.restore',
  'scans.recount',
  'scans.put-back',
  'scans.lost',
  'mcp.call',
] as const
export type AuditAction = (typeof auditActions)[number]

/**
 * One change in an organization: the actor, the action, the time and the origin (never an IP
 * address).
 */
export const AuditEntry = strictObject({
  id: Id('aud'),
  action: Type.String({
    description: `Noun and verb: ${auditActions.join(', ')}.`,
    examples: ['qr-code.update'],
  }),
  actor: Actor,
  target: strictObject({
    kind: Type.String({ description: 'Kind of the changed record.', examples: ['qr-code'] }),
    id: Type.String({ description: 'Identifier of the changed record.' }),
    name: nullable(
      Type.String({
        description:
          "Name of the record at the time of the change. For `scans`: the number of the organization's scans that were recounted (with a sign), put back or lost. For `mcp`: the tool, and after a colon `dry run`, or why the call failed.",
      }),
    ),
  }),
  fields: Type.Array(Type.String(), {
    description: 'Names of the changed fields. The history of the code has their values.',
  }),
  origin: strictObject({
    via: oneOf(auditOrigins, {
      description:
        'How the change was made. `command`: by the operator on the machine, with `./everscan`. `mcp`: with a tool over MCP.',
    }),
    country: Type.String({ description: 'ISO 3166-1 country code; XX if unknown.', examples: ['XX'] }),
    userAgent: nullable(Type.String({ description: 'User agent of the client.' })),
    requestId: nullable(Type.String({ description: 'Identifier of the request, as in the log.' })),
  }),
  createdAt: Timestamp('When the change was made.'),
})
export type AuditEntry = Static<typeof AuditEntry>

/** The query of the audit log, newest first. */
export const ListAuditLogQuery = strictObject({
  ...pageParameters,
  action: Type.Optional(OptionalLine(100, 'Only changes of this kind.')),
  actorId: Type.Optional(OptionalLine(200, 'Only changes by this user or key.')),
  targetId: Type.Optional(OptionalLine(200, 'Only changes of this record.')),
  startDate: Type.Optional(DateInput('Start of the period, inclusive.')),
  endDate: Type.Optional(DateInput('End of the period; a date alone means the whole day.')),
})
export type ListAuditLogQuery = Static<typeof ListAuditLogQuery>

export const AuditLogPage = Page(AuditEntry)
export type AuditLogPage = Static<typeof AuditLogPage>
