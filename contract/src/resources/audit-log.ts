import { Type, type Static } from 'typebox'
import { Actor } from './actors.ts'
import { DateInput, Id, OptionalLine, Timestamp, nullable, oneOf, strictObject } from '../schema/common.ts'
import { Page, pageParameters } from '../schema/pages.ts'

export const auditOrigins = ['dashboard', 'api', 'import', 'command', 'system'] as const
export type AuditOrigin = (typeof auditOrigins)[number]

/**
 * What an organization's log tells of. Codes that an import makes are told of by its one `import.start`. Those of catalogue and scans are
 * by the service itself, about the organization; the name in their target is a number of its scans.
 */
export const auditActions = [
  'qr-code.create',
  'qr-code.update',
  'qr-code.rollback',
  'qr-code.delete',
  'folder.create',
  'folder.update',
  'folder.delete',
  'style.create',
  'style.update',
  'style.delete',
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
  'catalogue.restore',
  'scans.recount',
  'scans.put-back',
  'scans.lost',
] as const
export type AuditAction = (typeof auditActions)[number]

/** One change in an organization: who, what, when, and from where (never an IP address). */
export const AuditEntry = strictObject({
  id: Id('aud'),
  action: Type.String({
    description: `Noun and verb: ${auditActions.join(', ')}.`,
    examples: ['qr-code.update'],
  }),
  actor: Actor,
  target: strictObject({
    kind: Type.String({ description: 'Noun of what was changed.', examples: ['qr-code'] }),
    id: Type.String({ description: 'Its identifier.' }),
    name: nullable(
      Type.String({
        description:
          'Its name at that time; of `scans`: how many of the organization were counted anew (with a sign), put back or lost.',
      }),
    ),
  }),
  fields: Type.Array(Type.String(), {
    description: 'Names of the fields that changed; values are in the history.',
  }),
  origin: strictObject({
    via: oneOf(auditOrigins, {
      description: 'Which way in; `command` is the operator on the machine, with `./everscan`.',
    }),
    country: Type.String({ description: 'ISO 3166-1 code; XX when unknown.', examples: ['XX'] }),
    userAgent: nullable(Type.String({ description: 'The program that asked.' })),
    requestId: nullable(Type.String({ description: 'The request, as in the log.' })),
  }),
  createdAt: Timestamp('When.'),
})
export type AuditEntry = Static<typeof AuditEntry>

/** The query of the audit log, newest first. */
export const ListAuditLogQuery = strictObject({
  ...pageParameters,
  action: Type.Optional(OptionalLine(100, 'Changes of this kind only.')),
  actorId: Type.Optional(OptionalLine(200, 'Changes by this user or key only.')),
  targetId: Type.Optional(OptionalLine(200, 'Changes of this record only.')),
  startDate: Type.Optional(DateInput('From when.')),
  endDate: Type.Optional(DateInput('Until when; a date alone means the whole day.')),
})
export type ListAuditLogQuery = Static<typeof ListAuditLogQuery>

export const AuditLogPage = Page(AuditEntry)
export type AuditLogPage = Static<typeof AuditLogPage>
