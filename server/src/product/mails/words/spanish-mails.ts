import { spanishTerms } from '@everscan/contract/words/spanish-terms.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { amountsOf, pluralsOf } from '../mail-amounts.ts'
import type { englishMails } from './english-mails.ts'

const { days, hours } = amountsOf('es')
const plural = pluralsOf('es')

/** Spanish. */
export const spanishMails: typeof englishMails = {
  invitation: {
    subject: (host) => `Invitación a ${host}`,
    invites: (by, organization) => `${by} le invita a la organización «${organization}» en Everscan.`,
    invitesTo: (organization) => `Tiene una invitación a la organización «${organization}» en Everscan.`,
    accept: `Acepte aquí la invitación. El enlace es válido durante ${days(limits.invitationDays)}:`,
    ignore: 'Si no espera esta invitación, ignore este correo.',
    never: (host) =>
      `Si no quiere más correos de este tipo de ${host}, sea quien sea quien los cause, dígalo aquí:`,
  },
  passwordReset: {
    subject: 'Su contraseña de Everscan',
    requested: 'Alguien, probablemente usted, ha pedido una nueva contraseña para su cuenta de Everscan.',
    choose: `Elíjala aquí. El enlace es válido durante ${hours(limits.passwordResetHours)}:`,
    unconfirmed:
      'Su correo electrónico aún no está confirmado. Este enlace lo confirma, y quita las apps de autenticación y las llaves de acceso, por si las añadió otra persona.',
    ignore: 'Si no fue usted, ignore este correo: su contraseña no cambia.',
  },
  signUp: {
    subject: 'Su cuenta de Everscan',
    requested:
      'Alguien, probablemente usted, ha pedido una cuenta de Everscan para esta dirección de correo.',
    confirm: `Confírmela aquí y elija una contraseña. El enlace es válido durante ${hours(limits.signUpHours)}:`,
    ignore: 'Si no fue usted, ignore este correo: no se creará ninguna cuenta.',
  },
  accountExists: {
    requested:
      'Alguien, probablemente usted, ha pedido una cuenta de Everscan para esta dirección de correo, que ya tiene una.',
    signIn: 'Inicie sesión aquí. Si ha olvidado su contraseña, allí también puede sustituirla:',
  },
  takeOver: {
    requested:
      'Alguien, probablemente usted, ha pedido una cuenta de Everscan para esta dirección de correo. Ya tiene una, pero nadie ha confirmado que la dirección sea suya.',
    signIn: 'Si usted usa esa cuenta, inicie sesión y confirme su dirección en la página de su cuenta:',
    takeOver: `Si no conoce esa cuenta, quédese con ella aquí. Se sustituyen su nombre y su contraseña, se cierran las sesiones de todos los que la usan, y se quitan sus apps de autenticación y sus llaves de acceso. El enlace es válido durante ${hours(limits.signUpHours)}:`,
    ignore: 'Si no fue usted, ignore este correo: no cambia nada.',
  },
  emailConfirmation: {
    subject: 'Confirme su correo electrónico',
    requested:
      'Alguien, probablemente usted, ha iniciado sesión en una cuenta de Everscan con esta dirección de correo.',
    confirm: `Confirme que la dirección es suya, en un navegador con la sesión de esa cuenta. El enlace es válido durante ${hours(limits.emailConfirmationHours)}:`,
    ignore:
      'Si no fue usted, no confirme nada. Puede quedarse con la cuenta con una nueva contraseña: elija «¿Ha olvidado su contraseña?» donde se inicia sesión.',
  },
  account: {
    subject: 'Seguridad de su cuenta de Everscan',
    changes: {
      'account.take-over':
        'Alguien se ha quedado con su cuenta de Everscan, con un enlace que se le envió por correo.',
      'password.change': 'La contraseña de su cuenta de Everscan ha cambiado.',
      'password-reset.use': 'La contraseña de su cuenta de Everscan se ha sustituido, con un enlace.',
      'two-factor.on': 'Se ha activado la verificación en dos pasos de su cuenta de Everscan.',
      'two-factor.off': 'Se ha desactivado la verificación en dos pasos de su cuenta de Everscan.',
      'recovery-codes.renew': 'Se han sustituido los códigos de recuperación de su cuenta de Everscan.',
      'passkey.add': 'Se ha añadido una llave de acceso a su cuenta de Everscan.',
      'passkey.remove': 'Se ha quitado una llave de acceso de su cuenta de Everscan.',
      'recovery-code.use':
        'Se ha usado un código de recuperación para confirmar un cambio de su cuenta de Everscan.',
      'sign-in.recovery-code':
        'Se ha usado un código de recuperación para iniciar sesión en su cuenta de Everscan.',
    },
    happened: (at) => `Ocurrió el ${at} (UTC).`,
    happenedFrom: (at, network) => `Ocurrió el ${at} (UTC), desde la red ${network}.`,
    ignore: 'Si fue usted, ignore este correo.',
    act: 'Si no fue usted, establezca ahora una nueva contraseña («¿Ha olvidado su contraseña?»), con lo que terminan todas las sesiones. Después mire «Actividad reciente» en su cuenta, y quite las llaves de acceso que no reconozca:',
  },
  consent: {
    subject: (host) => `Una pregunta de ${host}`,
    asks: (by, organization, host) =>
      `${by} quiere enviarle correos con cifras de códigos QR, para la organización «${organization}» en ${host}.`,
    asksForOrganization: (organization, host) =>
      `La organización «${organization}» en ${host} quiere enviarle correos con cifras de códigos QR.`,
    answer: 'No recibirá ninguno si no está de acuerdo. Responda sí o no aquí:',
    ignore: 'Si no hace nada, no recibirá estos correos.',
  },
  consentPage: {
    title: '¿Quiere estos correos?',
    text: (organization, address) =>
      `La organización «${organization}» quiere enviar correos con cifras de códigos QR a ${address}.`,
    yes: 'Sí, enviarlos',
    no: 'No, y no volver a preguntar',
    never: (host) =>
      `Si responde que no, nadie podrá enviar más cifras, preguntas ni invitaciones de ${host} a esta dirección.`,
    agreed: 'Recibirá estos correos',
    agreedText: 'Cada uno tiene un enlace para dejar de recibirlo.',
  },
  leavePage: {
    title: '¿Dejar de recibir estos correos?',
    text: (organization, address) =>
      `La organización «${organization}» envía correos con cifras de códigos QR a ${address}.`,
    invited: (address) => `Otras personas pueden invitar a ${address} por correo.`,
    stop: 'Dejar de recibir este correo',
    stopAll: (host) => `Dejar de recibir todos los correos de ${host}`,
    stopAllText: (host) =>
      `Si deja de recibirlos todos, nadie podrá enviar cifras, preguntas ni invitaciones de ${host} a esta dirección. Los correos sobre su propia cuenta seguirán llegando.`,
    stopped: 'Ya no recibirá este correo',
    stoppedText: 'Pueden llegar otros correos de la organización.',
    refused: 'No recibirá más correos de este tipo',
    refusedText: (host) =>
      `Nadie puede enviar cifras, preguntas ni invitaciones de ${host} a esta dirección.`,
    allow: 'Volver a permitir estos correos',
    unknown: 'Este enlace está incompleto',
    unknownText: 'Abra de nuevo el del correo.',
  },
  proof: {
    subject: (hostname) => `Falta la prueba de ${hostname}`,
    missing: (hostname) => `La prueba de su dominio ${hostname} falta desde hace más de 7 días.`,
    risk: 'Los códigos impresos siguen funcionando. Pero otra organización de esta instalación puede quedarse con el dominio, y entonces los códigos nuevos en él serían suyos.',
    act: 'Vuelva a crear el registro TXT que se muestra aquí:',
  },
  certificate: {
    subject: (hostname, day) => `El certificado de ${hostname} caduca el ${day}`,
    ends: (hostname, day) =>
      `El certificado para https de su dominio ${hostname} caduca el ${day} (UTC), y no se pudo renovar:`,
    next: 'Se intenta de nuevo cada día. Cuando haya caducado, los navegadores advertirán a quienes abran sus códigos impresos por https. Los registros del dominio se muestran aquí:',
  },
  notice: {
    subject: (hostname, day) => `Sus códigos en ${hostname} terminan el ${day}`,
    given: (hostname) =>
      `${hostname}, que antes era un dominio de su organización, pertenece ahora a otra organización de esta instalación. Esta ha dado un preaviso.`,
    until: (day) =>
      `Hasta el ${day} (UTC), sus códigos impresos en él siguen funcionando, pero solo se pueden archivar o eliminar. Después, sus escaneos muestran que el código ha terminado.`,
    act: 'Imprima antes de ese día, con otra dirección, los códigos que aún necesite. Si el preaviso es un error, hable con el propietario actual del nombre, o vuelva a probar el dominio. Su página está aquí:',
    offSubject: (hostname) => `Se ha retirado el preaviso para ${hostname}`,
    off: (hostname) =>
      `La organización a la que pertenece ahora ${hostname} ha retirado su preaviso. Sus códigos impresos en él siguen funcionando, y puede volver a modificarlos. La página del dominio está aquí:`,
  },
  view: {
    line: (title, value) => `${title}: ${value}`,
    scanCount: (count, written) => plural(count, `${written} escaneo`, `${written} escaneos`),
    scans: 'Escaneos',
    uniqueScans: 'Escaneos únicos',
    scansPerDay: 'Escaneos al día',
    nothing: 'No hay escaneos en este periodo.',
    timeline: 'Escaneos a lo largo del tiempo',
    topQrCodes: 'Códigos más escaneados',
    destinations: 'Destinos',
    lists: spanishTerms.lists,
    unknown: 'Desconocido',
    noRule: 'Ninguna regla',
    unknownRule: 'Regla desconocida',
    noReferrer: 'Cámara o dirección escrita',
    none: 'ninguna',
    devices: { mobile: 'Teléfono', desktop: 'Ordenador', tablet: 'Tableta' },
    scope: {
      qrCode: 'Código',
      folder: 'Carpeta',
      unfiled: 'Códigos sin carpeta',
      deletedFolder: 'Una carpeta eliminada',
      tags: 'Etiquetas',
      type: 'Tipo',
      qrCodes: 'Códigos seleccionados',
      not: (value) => `no ${value}`,
      filters: spanishTerms.dimensions,
      types: spanishTerms.types,
    },
    open: 'Abrir estas estadísticas',
    openHere: 'Abrir estas estadísticas:',
    openSignedIn: 'Abrir estas estadísticas (necesita una cuenta):',
    setUp: {
      week: (name, organization) => `${name}, de ${organization}, configuró este correo. Llega cada semana.`,
      month: (name, organization) => `${name}, de ${organization}, configuró este correo. Llega cada mes.`,
    },
    leave: 'Para dejar de recibirlo en su dirección, use este enlace:',
    leaveAction: 'Dejar de recibir estos correos',
  },
}
