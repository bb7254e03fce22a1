import type { mailProblems as english } from '@everscan/contract/problems/mail-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const mailProblems = {
  mailRefusedTriedAgain:
    'El servidor de correo no ha aceptado el correo para {addresses}. Se intentará de nuevo.',
  mailRefused: 'El servidor de correo no ha aceptado el correo para {addresses}. Intentos: {attempts}.',
  figuresUnreadTriedAgain: 'No se han podido leer las cifras. Se intentará de nuevo.',
  figuresUnread: 'No se han podido leer las cifras. Intentos: {attempts}.',
  codeOfViewDeleted: 'No se ha enviado nada: el código de esta vista se ha eliminado.',
  viewMailsUsedUp:
    'Direcciones sin este correo: {unsent} de {addresses}. La organización ha enviado hoy {max} correos de vistas, que es el máximo.',
  mailsStopped:
    'No se envió nada: el operador de esta instalación ha detenido los correos de su organización.',
  restWaitsForAccount:
    'El resto espera a mañana: quien configuró el correo ha alcanzado el máximo de correos por día.',
  restWaitsForInstallation:
    'El resto espera a mañana: esta instalación ha alcanzado su máximo de correos por día.',
} as const satisfies ProblemWords<typeof english>
