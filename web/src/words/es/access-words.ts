import type { accessWords as English } from '../access-words.ts'
import { isOne } from '../plurals.ts'

/** Spanish. */
export const accessWords: typeof English = {
  title: 'Acceso',
  intro:
    'Cuándo está abierto este código, cuántas veces y para quién. Se aplica de inmediato, sin una imagen nueva.',
  states: {
    LIVE: 'Abierto',
    SCHEDULED: 'Aún no abierto',
    ENDED: 'Caducado',
    FULL: 'Agotado',
    ARCHIVED: 'Archivado',
  },
  opens: 'Inicio',
  ends: 'Fin',
  timesHint: (zone) => `Vacío: sin límite de tiempo. Las horas son las de ${zone}.`,
  limit: 'Número de escaneos',
  limitHint: 'Vacío: sin límite. Los bots y las vistas previas no cuentan.',
  count: (count, limit) => `${count} de ${limit} hasta ahora`,
  reset: 'Volver a contar desde cero',
  resetTitle: '¿Volver a contar desde cero?',
  resetText: (count) =>
    `Los escaneos hechos hasta ahora (${count}) dejan de contar para el límite. Las cifras de las estadísticas se mantienen.`,
  resetDone: 'El recuento empieza de cero.',
  cancel: 'Cancelar',
  whenUnknown: 'Si el recuento no está disponible por un momento',
  unknownAnswers: { open: 'Seguir abierto y contar después', closed: 'Cerrar' },
  password: 'Contraseña',
  passwordHint: 'Los visitantes deben introducirla. No se volverá a mostrar en ningún sitio.',
  passwordShort: (days) =>
    `Esta es corta: un programa que pruebe desde muchas redes la encuentra en unos ${days} ${isOne(days) ? 'día' : 'días'}. Ocho letras y cifras resisten muchos años.`,
  passwordSet: 'Los visitantes deben introducir una contraseña.',
  passwordChange: 'Cambiar contraseña',
  passwordRemove: 'Quitar contraseña',
  passwordRemoved: 'La contraseña se quitará al guardar.',
  passwordKeep: 'Mantener contraseña',
  newPassword: 'Nueva contraseña',
  closed: 'Qué ven los visitantes mientras está cerrado',
  closings: {
    page: 'Una página con el motivo',
    message: 'Una página con mi mensaje',
    url: 'Otra dirección',
  },
  message: 'Mensaje',
  url: 'Dirección',
  urlHint: 'Por ejemplo, https://example.com/pronto',
  save: 'Guardar acceso',
  discard: 'Descartar',
  saved: 'Acceso guardado.',
  undone: 'El acceso vuelve a estar como antes.',
  late: 'Otra persona ha modificado este código. Se muestra su acceso actual; vuelva a hacer su cambio.',
}
