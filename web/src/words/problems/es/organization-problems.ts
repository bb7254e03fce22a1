import type { organizationProblems as english } from '@everscan/contract/problems/organization-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const organizationProblems = {
  scopeNotOfKey: 'La clave de esta petición no tiene el permiso «{got}», sino: {scopes}.',
  networkNotOfKey:
    'Debe estar dentro de una red de la clave de esta petición, que tiene {networks}, no «{got}».',
  expiresAfterKey: 'Como máximo {max}, cuando caduca la clave de esta petición.',
  notKeyNetwork:
    'Esto no es una dirección IP ni una red en notación CIDR, como 203.0.113.7, 10.0.0.0/8 o 2001:db8::/32.',
  notFirstAddress: 'Una red empieza por su primera dirección, aquí {network}.',
  noSuchFolder: 'Esta carpeta no existe en esta organización: «{got}».',
  codesWaitForDomain:
    'Códigos QR que esperan a este dominio: {count}. Verifíquelo, o elimínelo junto con estos códigos.',
  noSuchDomain: 'Debe ser un dominio verificado de esta organización, no «{got}».',
  noSuchDay: 'Este día o esta hora no existe: «{got}».',
  notInFuture: 'Este momento debe estar en el futuro.',

  scopeMissing: 'Para esto hace falta el permiso {scope}; la clave de API tiene: {scopes}.',
  scopeOfEventMissing:
    'Para el evento {event} hace falta el permiso {scope}; la clave de API tiene: {scopes}.',

  domainHere: 'La organización ya tiene el dominio «{hostname}».',
  codesComparedOtherwise:
    'Ya se crearon códigos cortos en «{hostname}». La forma de compararlos allí se queda así ({form}).',
  domainHasCodes: ({ count }) =>
    `Códigos QR activos en este dominio: ${count}. Archívelos primero, o elimine el dominio con ellos.`,
  noticeOfUnproved:
    '«{hostname}» no está verificado. Solo puede dar aviso la organización que tiene el dominio.',
  noticeToNobody: 'Ninguna otra organización tiene códigos de antes en este nombre de host.',
  noNotice: 'No hay ningún aviso que se pueda retirar.',
  domainOnNotice:
    '«{hostname}» pertenece ahora a otra organización, que ha dado aviso: sus códigos terminan el {day} y solo se pueden archivar o eliminar.',
} as const satisfies ProblemWords<typeof english>
