import type { serviceWords as English } from '../service-words.ts'

/** Spanish. */
export const serviceWords: typeof English = {
  tooManyRequests: 'Demasiadas peticiones. Inténtelo de nuevo en un momento.',
  tooSlow:
    'El envío ha tardado demasiado. Compruebe su conexión e inténtelo de nuevo. Un archivo necesita una línea que no se interrumpa.',
  unexpected:
    'El servicio ha tenido un fallo inesperado. Inténtelo de nuevo; si se repite, avise al operador.',
  unavailable: 'El servicio no está disponible ahora. Inténtelo de nuevo en un momento.',
}
