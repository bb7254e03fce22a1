import type { frontProblems as english } from '@everscan/contract/problems/front-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const frontProblems = {
  requestNotHttp: 'La solicitud no es HTTP válido.',
  methodNotServed: 'El servicio solo acepta {allowed}.',
  pathOnlyRead: 'Esta dirección solo se puede leer.',
  requestTooSlow: 'Esto no llegó a tiempo. Compruebe su conexión e inténtelo de nuevo.',
  expectationNotMet: 'El servicio no cumple ninguna expectativa de la cabecera Expect salvo 100-continue.',
  headTooLarge: 'La cabecera de la solicitud puede tener como máximo {max} KiB.',
  targetNotHere: 'La solicitud debe ser de una ruta o de una dirección con http o https.',
  hostHeaderNotOne: 'La solicitud debe tener una sola cabecera Host.',
  httpVersionStrange: 'La solicitud debe ser HTTP/1.1 o HTTP/1.0.',
  serviceNotReady: 'El servicio está arrancando o sobrecargado. Inténtelo de nuevo en un momento.',
  answerTooLate:
    'El servicio no respondió a tiempo. Puede que el cambio se haya hecho de todos modos: compruébelo antes de volver a intentarlo.',
  serviceUpgrading: 'El servicio se está actualizando. Inténtelo de nuevo en un momento.',
  noSuchChallenge: 'No existe esa comprobación.',
  tlsAskedFromAfar: 'Solo pueden preguntarlo equipos de la propia red, sin proxy.',
  tlsHostMissing: '«domain» debe ser un nombre de host, como go.example.com.',
  tlsHostUnknown: '«domain» no es ni el host de PUBLIC_URL ni un dominio demostrado.',
} as const satisfies ProblemWords<typeof english>
