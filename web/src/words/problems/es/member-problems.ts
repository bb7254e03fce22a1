import type { memberProblems as english } from '@everscan/contract/problems/member-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const memberProblems = {
  tooFewDifferentCharacters: '{min} caracteres distintos como mínimo.',
  passwordOfOwnWord: 'Otros pueden adivinar «{word}». Elija otra contraseña.',
  passwordCommon: 'Es una de las contraseñas más frecuentes. Elija otra.',

  requiredForNewAccount: 'Esto es obligatorio, porque este correo electrónico aún no tiene cuenta.',
  requiredForAccount: 'Esto es obligatorio, porque este correo electrónico ya tiene una cuenta.',
  leftOutForAccount: 'Omita esto, porque este correo electrónico ya tiene una cuenta.',
  notPasswordOfAccount: 'Esta no es la contraseña de la cuenta con este correo electrónico.',
  accountChangedMeanwhile:
    'La cuenta con este correo electrónico se acaba de crear o confirmar. Inténtelo de nuevo.',
  addressHasAccount: 'Este correo electrónico ya tiene una cuenta. Inicie sesión.',
  invitationAccepted: 'Esta invitación ya se aceptó. Elimine en su lugar al miembro.',
  memberAlready: 'La cuenta con este correo electrónico ya es miembro.',
  onlyAdmin:
    'Este miembro es el único administrador de la organización. Haga primero administrador a otro miembro.',

  secondFactorMissing: 'Esta cuenta usa la verificación en dos pasos. Falta el segundo factor.',
  notRecoveryCode: 'Introduzca un código de recuperación que aún no haya usado.',
  notPasskeyAnswer: 'Esto no es la respuesta de una llave de acceso a «options».',
  passkeysNotHere:
    'Las llaves de acceso no funcionan aquí: PUBLIC_URL debe ser https con un nombre de host, como https://qr.example.com.',
} as const satisfies ProblemWords<typeof english>
