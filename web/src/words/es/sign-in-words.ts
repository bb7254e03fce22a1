import type {
  confirmationWords as EnglishConfirmation,
  emailConfirmationWords as EnglishEmailConfirmation,
  endedSessionWords as EnglishEndedSession,
  newPasswordWords as EnglishNewPassword,
  secondFactorWords as EnglishSecondFactor,
  signInWords as EnglishSignIn,
  signUpWords as EnglishSignUp,
} from '../sign-in-words.ts'

/** Spanish. */
export const signInWords: typeof EnglishSignIn = {
  title: 'Iniciar sesión',
  email: 'Correo electrónico',
  password: 'Contraseña',
  submit: 'Iniciar sesión',
  forgotten: '¿Ha olvidado su contraseña?',
  forgottenHelp:
    'Escriba arriba su dirección para recibir un enlace por correo, o pida uno a un administrador de su organización (Ajustes, Miembros).',
  forgottenNoMails: 'Pida a un administrador de su organización un enlace de contraseña (Ajustes, Miembros).',
  askForLink: 'Enviarme un enlace',
  asked: 'Si una cuenta tiene esa dirección, hay un enlace en camino.',
}

export const endedSessionWords: typeof EnglishEndedSession = {
  title: 'Su sesión ha terminado',
  text: 'Inicie sesión de nuevo para seguir donde estaba. Lo que escribió sigue aquí.',
  notNow: 'Ahora no',
  left: 'Su sesión está cerrada. Puede seguir leyendo, pero no se guarda nada.',
  notSaved: 'No se ha guardado, porque su sesión ha terminado. Inicie sesión de nuevo y guarde otra vez.',
  notRead: 'Su sesión ha terminado. Inicie sesión para ver esto.',
  otherTitle: 'Ha iniciado sesión con otra cuenta',
  otherText: (mine, other = 'otra cuenta') =>
    `Ahora este navegador tiene la sesión de ${other}. Lo que escribió aquí como ${mine} no se ha enviado.`,
  otherHint: (mine) =>
    `Inicie sesión de nuevo como ${mine} para guardarlo. O continúe sin ello: esta página se vuelve a cargar.`,
  signInAs: (email) => `Iniciar sesión como ${email}`,
  goOnAs: (email = 'la otra cuenta') => `Continuar como ${email}`,
}

export const confirmationWords: typeof EnglishConfirmation = {
  title: 'Confirme que es usted',
  text: 'Va a cambiar su forma de iniciar sesión. Confírmelo con su segundo factor; no volveremos a preguntar durante diez minutos.',
  submit: 'Confirmar',
  cancelled: 'No se ha cambiado nada, porque usted no lo confirmó.',
}

export const newPasswordWords: typeof EnglishNewPassword = {
  title: 'Elija una nueva contraseña',
  password: 'Nueva contraseña',
  hint: 'Al menos 10 caracteres. Una frase es fácil de recordar.',
  submit: 'Establecer contraseña',
  done: 'Su contraseña está establecida. Inicie sesión con ella.',
  noToken: 'Este enlace está incompleto. Ábralo exactamente como se lo enviaron.',
}

export const signUpWords: typeof EnglishSignUp = {
  title: 'Crear una cuenta',
  offer: '¿Es nuevo aquí?',
  link: 'Crear una cuenta',
  name: 'Su nombre',
  email: 'Correo electrónico',
  organizationName: 'Nombre de su organización',
  organizationHint: 'Su empresa, restaurante o club. Puede cambiarlo más tarde.',
  submit: 'Crear cuenta',
  mailed: 'Mire su correo: le hemos enviado un enlace. Ábralo para elegir su contraseña.',
  done: 'Su cuenta está lista. Inicie sesión para empezar.',
  haveAccount: '¿Ya tiene una cuenta?',
  off: 'Aquí el registro está desactivado. Pida una invitación a un administrador.',
  confirmTitle: 'Confirme su correo electrónico',
  confirmText: 'Un paso más: elija la contraseña de su cuenta.',
  confirm: 'Confirmar',
  confirmed: 'Su dirección está confirmada y su cuenta está lista. Inicie sesión para empezar.',
}

export const emailConfirmationWords: typeof EnglishEmailConfirmation = {
  confirmed: 'Confirmado',
  notConfirmed: 'Sin confirmar',
  why: 'Demuestre que esta dirección es suya. Hasta entonces, quien pueda leer sus correos puede quedarse con su cuenta, incluso con la verificación en dos pasos.',
  send: 'Enviarme un enlace',
  sendAgain: 'Enviar otro enlace',
  sent: (email) => `Hay un enlace en camino a ${email}. Ábralo en este navegador.`,
  title: 'Confirme su correo electrónico',
  text: 'Ha iniciado sesión como',
  submit: 'Confirmar',
  done: 'Su correo electrónico está confirmado.',
  next: 'Ir a sus códigos',
}

export const secondFactorWords: typeof EnglishSecondFactor = {
  intro: 'Un paso más para iniciar sesión como',
  usePasskey: 'Usar una llave de acceso',
  noPasskeys: 'Sus llaves de acceso no funcionan en este navegador o en esta dirección.',
  code: 'Código de autenticación',
  codeHint: 'Las seis cifras que su app de autenticación muestra ahora.',
  recoveryCode: 'Código de recuperación',
  recoveryCodeHint: 'Uno de los códigos que guardó. Cada uno sirve una vez.',
  instead: {
    passkey: 'Usar una llave de acceso',
    code: 'Usar un código de autenticación',
    recoveryCode: 'Usar un código de recuperación',
  },
  back: 'Volver',
}
