import type {
  accountLogWords as EnglishLog,
  accountWords as EnglishAccount,
  invitationWords as EnglishInvitation,
} from '../account-words.ts'

const timesOf = (times: number) => (times === 1 ? 'una vez' : `${times} veces`)

/** Spanish. */
export const invitationWords: typeof EnglishInvitation = {
  title: 'Su invitación',
  join: (organization) => `Unirse a ${organization}`,
  invites: (who, organization) => `${who} le invita a trabajar en los códigos de ${organization}.`,
  email: 'Para',
  role: 'Como',
  roles: {
    ADMIN: 'administrador: todo, también miembros y ajustes',
    EDITOR: 'editor: crear y cambiar códigos',
    VIEWER: 'lector: ver códigos y estadísticas',
  },
  valid: 'Caduca',
  name: 'Su nombre',
  newPassword: 'Elija una contraseña',
  passwordHint: 'La contraseña de su cuenta con esta dirección.',
  submit: 'Aceptar e iniciar sesión',
  gone: 'Esta invitación ya se usó o se retiró, o ha caducado. Pida una nueva.',
  welcome: (organization) => `Le damos la bienvenida a ${organization}`,
  done: (organization) => `Se ha unido a ${organization}. Inicie sesión para empezar.`,
}

export const accountWords: typeof EnglishAccount = {
  neededBy: (organizations) =>
    `Sin ella no se puede abrir: ${organizations}. Puede volver a activarla, por ejemplo con otro teléfono.`,
  title: 'Su cuenta',
  profile: 'Perfil',
  name: 'Nombre',
  email: 'Correo electrónico',
  saved: 'Guardado',
  password: 'Contraseña',
  current: 'Contraseña actual',
  next: 'Nueva contraseña',
  change: 'Cambiar contraseña',
  changed: 'Contraseña cambiada. Todas las demás sesiones han terminado.',
  passkeysKept: 'Sus llaves de acceso siguen funcionando: quite las que no reconozca.',
  sessions: 'Sesiones',
  sessionsText: 'Dónde tiene la sesión iniciada. Termine cualquier sesión que no reconozca.',
  thisOne: 'Esta sesión',
  unknownProgram: 'Navegador desconocido',
  lastUsed: (when) => `último uso ${when}`,
  end: 'Terminar',
  endOthers: 'Terminar todas las demás sesiones',
  twoFactor: 'Verificación en dos pasos',
  twoFactorText: 'Al iniciar sesión con su contraseña se pide también un código de una app de autenticación.',
  twoFactorPasskeys: 'Tiene una llave de acceso como segundo factor. Una app es otro más, por si la pierde.',
  on: 'Activada',
  off: 'Desactivada',
  turnOn: 'Activar',
  turnOff: 'Desactivar',
  scan: 'Escanee esto con su app de autenticación e introduzca el código que muestra.',
  secret: 'O introduzca este secreto:',
  code: 'Código',
  confirm: 'Confirmar',
  recovery: 'Códigos de recuperación',
  recoveryText:
    'Cada código sustituye una vez a su llave de acceso o a su app, por si las pierde. Guárdelos en otro lugar; no se volverán a mostrar.',
  done: 'Listo, los he guardado',
  renew: 'Nuevos códigos de recuperación',
  renewText: 'Crea diez códigos nuevos. Los anteriores dejan de funcionar.',
}

export const accountLogWords: typeof EnglishLog = {
  title: 'Actividad reciente',
  text: 'Inicios de sesión, intentos fallidos y cambios de su cuenta. Everscan no guarda direcciones completas: 203.0.113.0/24 es una red, que pueden compartir muchas personas.',
  advice: '¿No fue usted? Cambie su contraseña. Así terminan todas las demás sesiones.',
  toPassword: 'Ir a la contraseña',
  none: 'Aún no hay nada. Aquí aparecerán los inicios de sesión y los cambios de su cuenta.',
  more: 'Mostrar más',
  someProgram: 'un navegador desconocido',
  manyNetworks: 'muchas redes',
  operator: 'el operador de este servicio',
  by: (name) => `por ${name}`,
  period: (first, last) => `de ${first} a ${last}`,
  actions: {
    'sign-in.password': ({ program }) => `Inicio de sesión desde ${program}`,
    'sign-in.code': ({ program }) => `Inicio de sesión desde ${program}, con un código de autenticación`,
    'sign-in.recovery-code': ({ program }) =>
      `Inicio de sesión desde ${program}, con un código de recuperación`,
    'sign-in.password-and-passkey': ({ program }) =>
      `Inicio de sesión desde ${program}, con contraseña y llave de acceso`,
    'sign-in.passkey': ({ program }) => `Inicio de sesión desde ${program}, con una llave de acceso`,
    'account.create': 'Cuenta creada',
    'account.take-over': 'Cuenta asumida mediante un enlace en un correo, tras confirmarse su dirección',
    'email.confirm': 'Correo electrónico confirmado',
    'password.change': 'Contraseña cambiada',
    'password-reset.create': 'Enlace creado para una nueva contraseña',
    'password-reset.use': 'Nueva contraseña establecida mediante un enlace',
    'two-factor.on': 'Verificación en dos pasos activada',
    'two-factor.off': 'Verificación en dos pasos desactivada',
    'recovery-codes.renew': 'Nuevos códigos de recuperación creados',
    'recovery-code.use': 'Código de recuperación usado para confirmar un cambio',
    'passkey.add': 'Llave de acceso añadida',
    'passkey.remove': ({ times }) =>
      times === 1 ? 'Llave de acceso quitada' : `${times} llaves de acceso quitadas`,
    'session.end': 'Sesión terminada',
    'session.end-others': 'Todas las demás sesiones terminadas',
    'import.dry-run': 'Archivo comprobado para una organización nueva, sin importarlo',
    'sign-in.wrong-password': ({ times, from }) =>
      `${times === 1 ? '1 inicio de sesión fallido' : `${times} inicios de sesión fallidos`} desde ${from}`,
    'sign-in.wrong-code': ({ times, from }) =>
      `Contraseña correcta, pero código incorrecto, ${timesOf(times)} desde ${from}`,
    'sign-in.wrong-passkey': ({ times, from }) =>
      `Llave de acceso rechazada, ${timesOf(times)} desde ${from}`,
    'sign-in.password-and-wrong-passkey': ({ times, from }) =>
      `Contraseña correcta, pero llave de acceso rechazada, ${timesOf(times)} desde ${from}`,
    'passkey.counter-refused': ({ from }) =>
      `Llave de acceso rechazada, desde ${from}: su contador retrocedió, así que alguien puede haberla copiado. Quítela si no sabe explicarlo.`,
    'confirmation.wrong-password': ({ times, from }) =>
      `Contraseña actual incorrecta, ${timesOf(times)} desde ${from}`,
    'confirmation.wrong-code': ({ times, from }) =>
      `Código incorrecto al confirmar un cambio, ${timesOf(times)} desde ${from}`,
    'confirmation.wrong-passkey': ({ times, from }) =>
      `Llave de acceso rechazada al confirmar un cambio, ${timesOf(times)} desde ${from}`,
    'password-reset.request': ({ from }) => `Enlace para una nueva contraseña solicitado desde ${from}`,
  },
}
