import type { Words } from '../words.ts'

/** Spanish. */
export const es: Words = {
  contact: {
    save: 'Guardar contacto',
    call: 'Llamar',
    mail: 'Escribir un correo',
    website: 'Sitio web',
    address: 'Dirección',
    note: 'Nota',
  },
  wifi: {
    title: 'Conectarse al wifi',
    network: 'Red',
    password: 'Contraseña',
    open: 'No necesita contraseña',
    hidden: 'La red oculta su nombre: escríbalo en los ajustes de wifi.',
    copy: 'Copiar la contraseña',
    copied: 'Contraseña copiada',
    touch: 'Toque la contraseña para seleccionarla y cópiela.',
    picture: 'Para conectar otro teléfono, escanee esta imagen con su cámara.',
  },
  mail: {
    title: 'Escribir un correo',
    action: 'Abrir correo',
    to: 'Para',
    subject: 'Asunto',
    message: 'Mensaje',
  },
  sms: { title: 'Enviar un mensaje', action: 'Abrir mensaje', to: 'Para', message: 'Mensaje' },
  phone: { title: 'Llamar', action: 'Llamar ahora' },
  menu: { sections: 'Secciones' },
  social: { follow: 'Síganos' },
  app: { get: 'Obtener la aplicación', ios: 'App Store', android: 'Google Play' },
  badLink: {
    title: 'Este enlace no se puede abrir',
    text: 'Su dirección no es una dirección web. Avise a quien le dio este código.',
  },
  unknown: {
    title: 'No encontramos este código',
    text: 'Compruebe la dirección o escanee el código de nuevo.',
  },
  gone: { title: 'Este código ya no se usa', text: 'Su propietario lo ha desactivado.' },
  later: {
    title: 'Inténtelo de nuevo en un momento',
    text: 'Ahora no se puede consultar este código.',
  },
  reached: { title: 'Este teléfono llega a sus códigos', text: 'Puede cerrar esta página.' },
  home: {
    title: 'Aquí viven códigos QR',
    text: 'Escanee un código o escriba la dirección corta completa que está impresa debajo.',
  },
  method: { title: 'Abra esta dirección en un navegador', text: 'Los programas no pueden enviarle datos.' },
  closed: {
    SCHEDULED: { title: 'Este código aún no está disponible', text: 'Inténtelo de nuevo más tarde.' },
    ENDED: { title: 'Este código ha caducado', text: 'Solo estuvo disponible por un tiempo limitado.' },
    FULL: { title: 'Este código está agotado', text: 'Solo era válido para un número limitado de escaneos.' },
  },
  password: {
    title: 'Introduzca la contraseña',
    label: 'Contraseña',
    action: 'Continuar',
    wrong: 'La contraseña no es correcta.',
    limited: 'Demasiadas contraseñas incorrectas. Inténtelo de nuevo en unos minutos.',
    busy: 'Hay muchas personas en este momento. Inténtelo de nuevo enseguida.',
  },
}
