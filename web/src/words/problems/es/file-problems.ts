import type { fileProblems as english } from '@everscan/contract/problems/file-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const fileProblems = {
  metadataKeyOfColumn: 'El nombre de un campo adicional tiene de 1 a 50 caracteres.',
  columnNotInFile: 'El archivo no tiene la columna «{column}».',
  fieldWithoutColumn: 'El archivo no tiene ninguna columna para esto. Elija una.',
  visitsWithoutCodes: 'Ninguna columna tiene el código corto o la URL corta, como «shortCode».',
  visitsWithoutTimes: 'Ninguna columna tiene la hora de la visita, como «date».',
  visitWithoutCode: 'Falta el código corto.',
  visitWithoutTime: 'Falta la hora.',
  timeBefore2000: '«{text}» es anterior al año 2000.',
  timeBeyond: 'Este momento debe ser posterior a 1970 y no debe estar en el futuro.',
  notDate: 'Escriba una fecha o una hora, como 2026-01-31 o 2026-01-31T09:30:00Z.',
  notCount: 'Esto no es un número de clics.',
  cellEmpty: 'Este campo es obligatorio.',
  codeNotExact: '«{code}» no puede ser un código corto: de 1 a 128 letras, cifras o «-_.~+/».',
  codeOfEveryHost: 'El propio servicio usa «{code}». Elija otro.',
  codeOfService: 'El propio servicio usa «{code}». Elija otro.',
  codeFormHere: '«{code}» no puede ser un código corto aquí: de {min} a {max} letras, cifras o «-».',
} as const satisfies ProblemWords<typeof english>
