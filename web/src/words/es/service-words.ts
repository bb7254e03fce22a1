import type { serviceWords as English } from '../service-words.ts'

/** Spanish. */
export const serviceWords: typeof English = {
  wrongSignIn: 'El correo electrónico o la contraseña no son correctos.',
  wrongPassword: 'La contraseña no es correcta.',
  wrongCode: 'El código no es correcto o ya se ha usado.',
  tooManyAttempts: (seconds) => `Demasiados intentos fallidos. Inténtelo de nuevo en ${seconds} s.`,
  tooManyRequests: 'Demasiadas peticiones. Inténtelo de nuevo en un momento.',
  tooSlow:
    'El envío ha tardado demasiado. Compruebe su conexión e inténtelo de nuevo. Un archivo necesita una línea que no se interrumpa.',
  roleNeeded: (needed, role) => `Para esto hace falta el rol ${needed}; usted tiene ${role}.`,
  unexpected:
    'El servicio ha tenido un fallo inesperado. Inténtelo de nuevo; si se repite, avise al operador.',
  unavailable: 'El servicio no está disponible ahora. Inténtelo de nuevo en un momento.',
  required: 'Este campo es obligatorio.',
  atLeast: (chars) => `${chars} caracteres como mínimo.`,
  atMost: (chars) => `${chars} caracteres como máximo.`,
  email: 'Esto no es una dirección de correo electrónico.',
  phone: 'Esto no es un número de teléfono, como +34 912 34 56 78.',
  address: 'Esto no es una dirección web. Empieza por http:// o https://.',
  color: 'Un color tiene la forma #RRGGBB.',
  controls: 'Aquí no se admiten caracteres de control.',
}
