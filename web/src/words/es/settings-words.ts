import { isOne, listsOf } from '../plurals.ts'
import type {
  copiesWords as EnglishCopies,
  machinesWords as EnglishMachines,
  membersWords as EnglishMembers,
  proxyCheckWords as EnglishProxyCheck,
  settingsWords as EnglishSettings,
} from '../settings-words.ts'

const inSentence = listsOf('es')

/** Spanish. */
export const settingsWords: typeof EnglishSettings = {
  title: 'Ajustes',
  parts: 'Secciones de los ajustes',
  general: 'Organización',
  members: 'Miembros',
  domains: 'Dominios',
  auditLog: 'Registro',
  connection: 'Comprobación del proxy',
  copies: 'Copias de seguridad',
  onlyAdmins: 'Solo los administradores de la organización pueden ver o cambiar esto.',
  onlyAdminsChange: 'Solo los administradores de la organización pueden cambiarlos.',
  name: 'Nombre',
  nameHint: 'Los miembros lo ven aquí, en el panel.',
  publicName: 'Nombre en sus páginas',
  publicNameHint: 'Los visitantes lo ven en las páginas que abren sus códigos. Vacío: ninguno.',
  saved: 'Guardado',
  logo: 'Logotipo en sus páginas',
  logoText: 'PNG, JPEG o WebP, hasta 1 MB.',
  noLogo: 'Sin logotipo',
  chooseLogo: 'Elegir una imagen',
  replaceLogo: 'Elegir otra imagen',
  removeLogo: 'Quitar',
  logoRemoved: 'Logotipo quitado.',
  logoTooLarge: 'Este archivo ocupa más de 1 MB. Elija una imagen más pequeña.',
  logoSaved: 'Logotipo guardado. Sus páginas ya lo muestran.',
  styles: 'Estilos guardados',
  stylesText:
    'Los códigos nuevos reciben el estilo marcado «Para códigos nuevos». Los existentes conservan el suyo.',
  noStyles: 'Aún no hay estilos guardados. Puede guardar uno mientras crea un código.',
  isDefault: 'Para códigos nuevos',
  makeDefault: 'Usar para códigos nuevos',
  noDefault: 'Usar el estilo predeterminado',
  styleMenu: (name) => `Acciones para ${name}`,
  rename: 'Cambiar nombre',
  renameTitle: 'Cambiar el nombre del estilo',
  deleteStyle: 'Eliminar',
  styleDeleted: (name) => `Estilo «${name}» eliminado.`,
  scansKept: 'Cuánto tiempo se guardan los escaneos',
  scansKeptText: (days) =>
    days === null
      ? 'Para siempre: esta instalación no elimina escaneos.'
      : `${days === 1 ? 'Un día' : `${days} días`}, hasta la medianoche siguiente (UTC). Después desaparecen de las listas, las estadísticas y los totales de los códigos. El operador lo fija con RETENTION_DAYS.`,
  export: 'Exportar todo',
  exportText:
    'Un archivo con todos los códigos, sus enlaces cortos y su historial, las carpetas y las reglas de redirección para otro servidor. Sus códigos impresos nunca quedan cautivos.',
  exportAction: 'Descargar exportación',
  mailsStopped: (since) =>
    `El operador de esta instalación ha detenido los correos de esta organización (${since}). No se envían invitaciones ni correos de vistas hasta que vuelva a permitirlos.`,
  leave: 'Salir de esta organización',
  leaveText: 'Pierde el acceso a sus códigos, y las claves de API que usted creó aquí dejan de funcionar.',
  leaveAction: 'Salir',
  leaveTitle: (name) => `¿Salir de ${name}?`,
  leaveConfirm: 'Solo podrá volver si alguien le invita de nuevo.',
  left: (name) => `Ha salido de ${name}.`,
  noOrganization: 'Aún no tiene una organización',
  noOrganizationText: 'Pida una invitación, o cree la suya.',
}

export const membersWords: typeof EnglishMembers = {
  title: 'Miembros',
  roles: { ADMIN: 'Administrador', EDITOR: 'Editor', VIEWER: 'Lector' },
  rolesText: {
    ADMIN: 'Administrador: todo, también miembros y claves',
    EDITOR: 'Editor: crea y cambia códigos',
    VIEWER: 'Lector: ve códigos y estadísticas',
  },
  count: (members, written) => (members === 1 ? '1 miembro' : `${written} miembros`),
  you: 'Usted',
  roleOf: (name) => `Rol de ${name}`,
  roleChanged: (name, role) => `${name}, nuevo rol: ${role}.`,
  ownRoleTitle: (role) => `¿Pasar al rol ${role}?`,
  ownRoleText: 'Pierde de inmediato sus derechos de administrador. Otro administrador puede devolvérselos.',
  ownRoleAction: 'Cambiar mi rol',
  joined: (when) => `se unió ${when}`,
  menu: (name) => `Acciones para ${name}`,
  resetPassword: 'Crear enlace de contraseña',
  resetLink: (name) => `Enlace de contraseña para ${name}`,
  resetOnce:
    'Déselo solo a esta persona: quien lo tenga puede establecer la contraseña. Sirve una vez, durante una hora.',
  copyLink: 'Copiar enlace',
  remove: 'Quitar',
  removeTitle: (name) => `¿Quitar a ${name}?`,
  removeText: 'Pierde el acceso de inmediato, y las claves de API que creó aquí dejan de funcionar.',
  removeAction: 'Quitar miembro',
  invite: 'Invitar a alguien',
  inviteTitle: 'Invitar a alguien',
  email: 'Correo electrónico',
  role: 'Rol',
  makeInvitation: 'Crear invitación',
  twoFactor: 'Verificación en dos pasos',
  withoutTwoFactor: 'Sin segundo factor',
  demandTwoFactor: 'Todos los miembros deben usar la verificación en dos pasos',
  demandTwoFactorHint: 'Los miembros que no la usan no pueden abrir esta organización hasta que la activen.',
  twoFactorFirst: 'Actívela primero en su propia cuenta.',
  openAccount: 'Abrir su cuenta',
  demandTitle: '¿Exigir la verificación en dos pasos?',
  demandText: (without) =>
    without.length === 0
      ? 'Todos los miembros la usan ya. Los nuevos la activan al unirse.'
      : `Estos miembros no podrán continuar hasta que la activen en su cuenta: ${listed(without)}. Las claves de API siguen funcionando.`,
  demandSome:
    'Los miembros que no la usan no podrán continuar hasta que la activen en su cuenta. Las claves de API siguen funcionando.',
  demandAction: 'Exigirla',
  twoFactorDemanded: 'Ahora la verificación en dos pasos es obligatoria.',
  twoFactorOptional: 'Ahora la verificación en dos pasos es opcional.',
  inviteLink: (email) => `Invitación para ${email}`,
  inviteOnce: 'Envíe este enlace a la persona. Sirve una vez, durante 7 días, y no se volverá a mostrar.',
  inviteMailed:
    'Le hemos enviado un enlace por correo. Si no llega, envíele este. Sirve una vez, durante 7 días, pero no confirma su correo electrónico.',
  inviteNotMailed: {
    UNWANTED: 'No se envió por correo: el dueño de esta dirección no quiere correos de esta instalación.',
    STOPPED: 'No se envió por correo: el operador ha detenido los correos de esta organización.',
    LIMITED: 'No se envió por correo: se enviaron demasiados correos.',
    REFUSED: 'No se envió por correo: el servidor de correo no lo aceptó.',
  },
  done: 'Listo',
  invitations: 'Invitaciones pendientes',
  invited: (who, when) => `invitado por ${who}, ${when}`,
  ends: (when) => `caduca ${when}`,
  revoke: 'Retirar',
  revokeTitle: (email) => `¿Retirar la invitación para ${email}?`,
  revokeText: 'Su enlace deja de funcionar. Puede volver a invitar a la persona.',
  revokeAction: 'Retirar invitación',
}

export const proxyCheckWords: typeof EnglishProxyCheck = {
  title: 'Comprobación del proxy',
  text: 'Comprueba si Everscan ve de dónde vienen realmente los visitantes. De ello dependen los países, las ciudades y los escaneos únicos.',
  youComeFrom: 'Su dirección aquí',
  directly: 'directamente, sin ningún proxy de confianza.',
  throughProxies: (count, which) =>
    count === 1 ? `a través de 1 proxy: ${which}.` : `a través de ${count} proxies: ${which}.`,
  compare:
    'Compárela con una página que muestre su dirección pública. En la red del servidor, es la dirección local de su dispositivo.',
  right: '¿Es esta su dirección?',
  rightText: 'Entonces todo está bien configurado.',
  wrong: '¿No es su dirección?',
  suggestionText: (address) =>
    `El servidor ${address} transmite su dirección, pero no es de confianza. Si es su proxy, inicie Everscan con este ajuste:`,
  copySetting: 'Copiar el ajuste',
  noHeader:
    'Entonces un proxy intermedio no transmite su dirección. Haga que envíe la cabecera X-Forwarded-For, y abra esta página de nuevo.',
  someHeader:
    'Entonces el proxy transmite su dirección en otra cabecera. Haga que envíe también X-Forwarded-For, y abra esta página de nuevo.',
  trusted: 'Proxies de confianza',
  trustedNone: 'Ninguno: TRUST_PROXY no está definido.',
  trustedText: 'Según el ajuste TRUST_PROXY. De todos los demás se ignora X-Forwarded-For.',
  headers: 'Cabeceras de su petición',
  peer: 'Conectado desde',
  scans: 'Escaneos recientes',
  scansNone: 'Aún no hay suficientes escaneos: hacen falta al menos 200.',
  scansFine: (share, count) =>
    `De los últimos ${count} escaneos, ${share} llegaron de la red más frecuente. Parece correcto.`,
  scansOne: (share, count) =>
    `De los últimos ${count} escaneos, ${share} llegaron de una sola red. Si los visitantes vienen de muchos lugares, Everscan ve un proxy en su lugar: defina TRUST_PROXY.`,
  again: 'Comprobar de nuevo',
}

export const machinesWords: typeof EnglishMachines = {
  title: 'Máquinas',
  text: 'Todas las máquinas comparten los códigos. Cada una guarda primero los escaneos en su propio disco. Quite una máquina solo cuando no haya escaneos esperando en ella.',
  states: { LIVE: 'En marcha', SILENT: 'Sin respuesta', STOPPED: 'Detenida' },
  since: { LIVE: 'Iniciada', SILENT: 'Vista por última vez', STOPPED: 'Detenida' },
  release: (release) => `Versión ${release}`,
  waitingUnknown: 'No se sabe cuántos escaneos esperan',
  waitingNone: 'No hay escaneos esperando',
  waiting: (size) => `${size} de escaneos esperando`,
  silent:
    'Ha dejado de responder sin que nadie la detuviera. Puede que los escaneos de su disco no estén en ningún otro sitio: vuelva a iniciar Everscan allí.',
  upgrade: {
    title: 'Actualización del almacén de escaneos',
    text: 'Los escaneos antiguos se están convirtiendo para esta versión. Mientras tanto, los códigos redirigen y las cifras son correctas; las estadísticas pueden tardar más.',
    done: (done, all) => `Filas listas: ${done} de ${all}`,
    endsAt: (when) => `fin prevista ${when}`,
    problem:
      'El almacén de escaneos no puede continuar. Lo intenta de nuevo por sí solo cuando se elimina la causa:',
  },
}

export const copiesWords: typeof EnglishCopies = {
  title: 'Copias de seguridad',
  text: 'Copias de toda la instalación: cada organización, código y escaneo. Con cada una se puede restaurar todo en otra máquina.',
  onlyOperator: 'Solo la organización del operador ve las copias.',
  state: 'Estado',
  last: 'Última copia',
  none: 'Ninguna todavía',
  holds: (size, codes, scans) =>
    `${size}: ${isOne(codes) ? '1 código' : `${codes} códigos`} y ${isOne(scans) ? '1 escaneo' : `${scans} escaneos`}`,
  lastVerified: 'Última verificación',
  never: 'Nunca',
  verifiedMeans: 'Verificada: restaurada en una prueba y comparada.',
  schedule: 'Calendario',
  scheduleText: (hours, keep) =>
    `${hours === 1 ? 'Cada hora' : hours === 24 ? 'Cada día' : `Cada ${hours} horas`}; ${keep === 1 ? 'solo se guarda la más reciente' : `se guardan las ${keep} más recientes`}.`,
  dir: 'Carpeta',
  encryption: 'Cifrado',
  encrypted: 'Cifradas. Sin la frase de contraseña, las copias no sirven: guárdela también en otro lugar.',
  notEncrypted:
    'Sin cifrar. Quien tenga estos archivos tiene todos sus secretos: defina BACKUP_PASSPHRASE_FILE.',
  whatToDo: (hours) =>
    `Arréglelo en el servidor. Everscan lo reintenta en ${hours === 1 ? 'una hora' : `${hours} horas`} como máximo; «./everscan backup» hace una copia de inmediato.`,
  setUp: 'No se hacen copias de seguridad',
  setUpText:
    'Si falla esta máquina o su disco, se pierden todos los códigos y escaneos. Inicie Everscan con estos dos ajustes y una carpeta en otro disco o máquina:',
  settings: 'BACKUP_DIR=/mnt/backup\nBACKUP_PASSPHRASE_FILE=/etc/everscan/passphrase',
  copySettings: 'Copiar los ajustes',
  setUpMore:
    'Escriba una frase de contraseña de su elección en la primera línea de ese archivo. Everscan hará entonces una copia cada día. Consulte docs/backup.md, incluido en Everscan.',
  recent: 'Últimas copias',
  states: {
    MAKING: 'En curso',
    CHECKED: 'Completa',
    VERIFIED: 'Verificada',
    PARTIAL: 'Faltan escaneos',
    FAILED: 'Fallida',
  },
  lost: (hits, days) =>
    `Escaneos del ${days} perdidos: ${hits}. Faltan en las estadísticas y en cada copia que se haga ahora.`,
  lostWhatToDo:
    'Restaure una copia que tenga estos escaneos o acepte la pérdida en el servidor con «./everscan adopt losses». Hasta entonces se conservan las copias completas anteriores.',
  onMachine: (machine) => `En la máquina ${machine}`,
  places: 'Lugares de los escaneos',
  placesText:
    'Los países y las ciudades proceden de una base de datos que envejece: las redes se mueven. Para usar archivos más recientes, defina GEOIP_CITY_V4 y GEOIP_CITY_V6 y sustituya los archivos cada mes.',
  placesIpv4: 'Fecha de los datos IPv4',
  placesIpv6: 'Fecha de los datos IPv6',
  placesUnreadable: 'El archivo no se puede leer: vea el registro del servidor.',
  wrongNow: 'Lo que ahora va mal',
  history: 'Historia de esta instalación',
  noNotes: 'Nada fuera de lo normal: no se perdieron escaneos ni se restauraron datos anteriores.',
  notes: {
    catalogueOlder: (minutes, written) =>
      `Se restauró un catálogo unos ${written} ${minutes === 1 ? 'minuto' : 'minutos'} más antiguo. Todos tuvieron que volver a iniciar sesión.`,
    catalogueBehind: (hits) =>
      `Se restauró un catálogo más antiguo. Escaneos del almacén de escaneos que le faltaban: ${hits}. Todos se han vuelto a contar.`,
    reservedThen: (codes, written) =>
      codes === 1
        ? 'Un código que le faltaba está reservado.'
        : `${written} códigos que le faltaban están reservados.`,
    keysSince:
      'El registro nombra las claves de API revocadas, creadas o usadas desde entonces. Las revocadas siguen revocadas.',
    scansDoubled: (hits) =>
      `Escaneos que estaban dos veces en el almacén de escaneos: ${hits}. Se quitaron los duplicados.`,
    countersCorrected: (scans) =>
      `Los totales de escaneos de algunos códigos tenían un error de ${scans} en total, y se corrigieron.`,
    scansPutBack: (hits) =>
      `Escaneos que el almacén de escaneos había perdido: ${hits}. Se restauraron todos.`,
    scansLost: (hits, days) =>
      `Escaneos del ${days} perdidos para siempre: ${hits}. Faltan en las estadísticas.`,
    days: (first, last) => `${first} al ${last}`,
    visitorKey:
      'Se sustituyó la clave que reconoce a los visitantes: quienes volvieron contaron como únicos una vez más.',
    visitorsBy64:
      'Desde entonces, los visitantes con IPv6 se reconocen por su red: algunos contaron como únicos una vez más.',
    adopted: (what) => `El operador adoptó de otra instalación: ${what}.`,
    adoptedParts: {
      'data-dir': 'un directorio de datos',
      'scan-store': 'un almacén de escaneos',
      secret: 'otro SECRET',
    },
    lossesAccepted: 'El operador aceptó la pérdida de escaneos.',
    restored: (madeAt) => `Todo se restauró desde la copia del ${madeAt}.`,
    moved: 'Todo se trasladó de las bases de datos integradas a PostgreSQL y ClickHouse.',
  },
  reserved: (codes, written) =>
    codes === 1
      ? 'Un código corto que se usaba falta en el catálogo restaurado. No se volverá a asignar nunca.'
      : `${written} códigos cortos que se usaban faltan en el catálogo restaurado. No se volverán a asignar nunca.`,
  mails: {
    title: 'Correos enviados',
    text: 'Invitaciones, preguntas de consentimiento y correos de vistas que los miembros causaron en los últimos 90 días. No se guardan las direcciones de los destinatarios. Las devoluciones posteriores van a la dirección del remitente.',
    none: 'No se enviaron correos de este tipo.',
    kinds: { invitation: 'Invitaciones', consent: 'Preguntas de consentimiento', view: 'Cifras de vistas' },
    count: (count, written) => (count === 1 ? 'Un correo' : `${written} correos`),
    refused: (written) => `no aceptados por el servidor de correo: ${written}`,
    to: (domain) => `a ${domain}`,
    deleted: 'Organización eliminada',
    unknownSender: 'Remitente desconocido',
    stopped: 'Detenidos',
    stop: 'Detener los correos',
    allow: 'Permitir los correos',
    stopTitle: (name) => `¿Detener los correos de ${name}?`,
    stopText:
      'Desde ahora no se envían invitaciones ni correos de vistas. Los administradores de la organización ven que lo hizo el operador. Los correos sobre cuentas y dominios siguen llegando.',
  },
  release: (release) => `Versión ${release}`,
}

const namedMax = 5

function listed(names: readonly string[]): string {
  const others = names.length - namedMax
  return inSentence(others <= 1 ? names : [...names.slice(0, namedMax), `${others} más`])
}
