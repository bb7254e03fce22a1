import type { accessProblems as english } from '@everscan/contract/problems/access-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const accessProblems = {
  apiKeyNotValid: 'La clave de API falta o no es válida. Envíela en la cabecera X-API-Key.',
  bearerNotValid:
    'La clave de API falta o no es válida. Envíela como «Authorization: Bearer KEY» o en la cabecera X-API-Key.',
  apiKeyRevoked: 'Esta clave de API se ha revocado. Use otra.',
  apiKeyExpired: 'Esta clave de API ha caducado. Use otra.',
  apiKeyFromElsewhere: 'Esta clave de API no se acepta desde su dirección, {address}.',
  apiKeysDiffer: 'Authorization y X-API-Key tienen claves distintas. Envíe solo una.',
  apiKeyWithSession: 'Envíe una clave de API o la cookie de una sesión, no ambas.',
  apiKeyOfOtherOrganization: 'Esta clave de API no pertenece a la organización de la ruta.',
  apiKeyOfOtherTarget: 'Esta clave de API no pertenece a la organización que indica organizationId.',
  targetMissing: 'Esto es obligatorio con una clave de API, que llena su propia organización.',
  apiKeyRoleTooLow: ({ needed, role }) =>
    `Para esto hace falta el rol ${roleName(needed)}; la clave de API tiene ${roleName(role)}.`,
  userRequired: 'Una clave de API no puede hacer esto: hace falta una persona que haya iniciado sesión.',

  notSignedIn: 'No ha iniciado sesión. Iníciela primero.',
  sessionUnknown: 'La sesión es desconocida o ha terminado. Inicie sesión de nuevo.',
  sessionEnded: 'Su sesión ha terminado.',
  accountGone: 'Esta cuenta ya no existe.',
  notMember: 'Usted no es miembro de esta organización.',
  notMemberOfTarget: 'Usted no es miembro de la organización que indica organizationId.',
  noSuchMembership: 'Usted no es miembro de ninguna organización con este identificador.',
  roleTooLow: ({ needed, role }) =>
    `Para esto hace falta el rol ${roleName(needed)}; usted tiene ${roleName(role)}.`,
  twoFactorOfOrganization:
    'Esta organización exige la verificación en dos pasos. Actívela primero para su cuenta.',
  twoFactorOfOwnFirst:
    'Active primero la verificación en dos pasos para su propia cuenta: sin ella no podría entrar en esta organización.',
  changeFromOtherSite: 'Un cambio con una sesión debe venir de una página de este sitio.',
  pageOfOtherSite: 'Las páginas de otros sitios no pueden usar este punto de acceso.',
  noSuchSession: 'Su cuenta no tiene ninguna sesión con este identificador.',

  emailOrPasswordWrong: 'El correo electrónico o la contraseña no son correctos.',
  codeWrong: 'El código no es correcto o ya se ha usado.',
  codeFieldWrong: 'El código no es correcto o ya se ha usado.',
  passkeyNotChecked: 'No se pudo comprobar la llave de acceso, o se tardó demasiado. Inténtelo de nuevo.',
  passkeyFieldNotChecked: 'No se pudo comprobar la llave de acceso.',
  passkeyUnknown:
    'Esta llave de acceso es desconocida aquí o no se pudo comprobar. Inténtelo de nuevo o inicie sesión con su contraseña.',
  passkeyTooLate:
    'No se pudo comprobar la llave de acceso, o se tardó más de {minutes} minutos. Inténtelo de nuevo.',
  passkeyKnown: 'Esta llave de acceso ya se añadió antes.',
  tooManyPasskeys: 'Una cuenta tiene como máximo {max} llaves de acceso. Elimine una primero.',
  noSuchPasskey: 'Su cuenta no tiene ninguna llave de acceso con este identificador.',
  authenticatorOn: 'La verificación en dos pasos con una app de autenticación ya está activada.',
  authenticatorOff: 'La verificación en dos pasos con una app de autenticación está desactivada.',
  noSecondFactor: 'Su cuenta no tiene un segundo factor.',
  confirmationRequired: 'Para esto hace falta un segundo factor: confirme primero su sesión.',

  passwordWrong: 'La contraseña no es correcta.',
  currentPasswordWrong: 'Esta no es la contraseña de esta cuenta.',
  passwordComesLater: 'La contraseña se elige después, con el enlace que llega por correo.',
  ownPasswordOfMember: 'Cambie su propia contraseña en su cuenta, con la actual.',
  passwordOfMemberRefused:
    'Usted no puede restablecer la contraseña de este miembro; solo puede hacerlo el operador.',
  resetTokenUnknown: 'Este enlace es desconocido, ya se usó o ha caducado. Pida uno nuevo.',
  signUpTokenUnknown: 'Este enlace es desconocido o ha caducado. Regístrese de nuevo.',
  invitationTokenUnknown: 'Este enlace es desconocido, ya se usó o ha caducado. Pida una nueva invitación.',
  confirmationLinkUnknown: 'Este enlace ha caducado o pertenece a otra cuenta. Pida uno nuevo en su cuenta.',
  emailConfirmedBefore: 'Su correo electrónico ya está confirmado.',
  signUpRefused: 'Esta instalación no permite registrarse con este correo electrónico. Pida una invitación.',
  viewLocked: 'Esta vista tiene una contraseña. Escríbala primero.',
  viewLinkUnknown: 'Este enlace es desconocido o ha terminado. Pida uno nuevo.',
  mailLinkIncomplete: 'Este enlace está incompleto. Abra de nuevo el del correo.',

  noMails: 'Esta instalación no envía correos.',
  mailsNotSetUp: 'Esta instalación no envía correos. Su operador puede definir SMTP_URL.',
  viewWithoutMail: 'La vista no tiene correo. Configúrelo primero.',
  signUpMailsUsedUp:
    'Esta instalación ha alcanzado el máximo de registros por correo al día. Regístrese mañana.',
  accountMailsUsedUp: 'Ha alcanzado el máximo de correos al día. Invite a esta persona mañana.',
  installationMailsUsedUp:
    'Esta instalación ha alcanzado el máximo de correos al día. Invite a esta persona mañana.',

  apiKeyTooFast:
    'Esta clave de API puede hacer {max} peticiones por minuto como máximo. Inténtelo de nuevo en {seconds} s.',
  accountTooFast:
    'Su cuenta puede hacer {max} peticiones por minuto como máximo. Inténtelo de nuevo en {seconds} s.',
  networkTooFast:
    'Su red puede hacer {max} peticiones por minuto como máximo. Inténtelo de nuevo en {seconds} s.',
  viewTooFast: 'Demasiadas personas leen esta vista ahora. Inténtelo de nuevo en un momento.',
  tooManyAnswers: 'Demasiadas respuestas. Inténtelo de nuevo en un momento.',
} as const satisfies ProblemWords<typeof english>

const roleNames: Readonly<Record<string, string>> = {
  ADMIN: 'administrador',
  EDITOR: 'editor',
  VIEWER: 'lector',
}
const roleName = (role: string | number) => roleNames[role] ?? String(role)
