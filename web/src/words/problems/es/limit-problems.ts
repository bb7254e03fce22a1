import type { limitProblems as english } from '@everscan/contract/problems/limit-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const limitProblems = {
  stylesFull: 'La organización tiene {max} estilos, que es el máximo. Elimine uno primero.',
  utmTemplatesFull: 'La organización tiene {max} plantillas UTM, que es el máximo. Elimine una primero.',
  viewsFull: 'La organización tiene {max} vistas, que es el máximo. Elimine una primero.',
  domainsFull: 'La organización tiene {max} dominios, que es el máximo. Elimine uno primero.',
  unprovedDomainsFull:
    'La organización tiene {max} dominios sin verificar, que es el máximo. Verifique o elimine uno primero.',
  apiKeysFull:
    'Una organización tiene como máximo {max} claves de API que no estén revocadas ni caducadas, y esta tiene {count}. Revoque una primero.',
  openImportsFull:
    'Una organización tiene como máximo {max} importaciones sin terminar. Espere a que termine una, o cancele una.',
  ownOrganizationsFull:
    'Usted puede ser administrador de {max} organizaciones como máximo, y ya lo es en {count}. Salga primero de una.',

  tooManyFailedAttempts: 'Demasiados intentos fallidos. Inténtelo de nuevo en {seconds} s.',
  tooManyUnknownKeys:
    'Su red ha enviado {count} claves de API desconocidas en un minuto. Inténtelo de nuevo en {seconds} s.',
  tooManySignIns: 'Muchas personas están iniciando sesión. Inténtelo de nuevo en un momento.',
  tooManyFilesRead: 'Se están leyendo demasiados archivos. Inténtelo de nuevo en un momento.',
  tooManySharedViews: 'Hay demasiadas vistas compartidas abiertas. Inténtelo de nuevo en un momento.',

  placesOfKeyTaken: ({ count, places }) =>
    `Esta clave de API tiene ${count} ${noun(places)} en curso, que es su máximo. ${later}`,
  placesOfSessionTaken: ({ count, places }) =>
    `Esta sesión tiene ${count} ${noun(places)} en curso, que es su máximo. ${later}`,
  placesOfKeyOwnerTaken: ({ count, places }) =>
    `La cuenta que creó esta clave de API tiene ${count} ${noun(places)} en curso en todas sus organizaciones y claves, que es su máximo. ${later}`,
  placesOfAccountTaken: ({ count, places }) =>
    `Su cuenta tiene ${count} ${noun(places)} en curso en todas sus organizaciones y claves, que es su máximo. ${later}`,
  placesOfOrganizationTaken: ({ count, places }) =>
    `Esta organización tiene ${count} ${noun(places)} en curso, que es su máximo. ${later}`,
  placesOfServiceTaken: ({ count, places }) =>
    `Este servicio ya tiene ${count} ${noun(places)} en curso, que es su máximo. ${later}`,
  fairShareTaken: ({ count, places }) =>
    `Este servicio está casi al máximo de ${noun(places)}, y esta organización ya tiene su parte, ${count}. ${later}`,
  webhooksFull: 'La organización tiene {max} webhooks, que es el máximo. Elimine uno primero.',
} as const satisfies ProblemWords<typeof english>

const later = 'Espere a que termine algo, o inténtelo más tarde.'
const nouns: Readonly<Record<string, string>> = {
  downloads: 'descargas',
  uploads: 'subidas',
  'streams of events': 'flujos de eventos',
}
const noun = (places: string | number) => nouns[places] ?? String(places)
