import type { finderWords as EnglishFinder, pictureWords as EnglishPicture } from '../finder-words.ts'

/** Spanish. */
export const finderWords: typeof EnglishFinder = {
  open: 'Buscar cualquier cosa',
  openHint: (keys) => `Buscar cualquier cosa (${keys})`,
  title: 'Buscar',
  placeholder: 'Nombre, código corto, destino, etiqueta…',
  results: 'Resultados',
  count: (results, written) =>
    results === 0 ? 'Sin resultados' : results === 1 ? '1 resultado' : `${written} resultados`,
  searching: 'Buscando…',
  nothing: (typed) => `No se encontró nada para «${typed}»`,
  nothingHint: 'Pruebe con menos palabras, o con una parte del código corto.',
  offline: 'Ahora no se pueden buscar códigos ni carpetas. Las páginas y las acciones siguen funcionando.',
  failed: 'La búsqueda ha fallado.',
  moreCodes: (written) => `Mostrar los ${written} códigos`,
  groups: {
    recent: 'Recientes',
    changed: 'Últimos cambiados',
    codes: 'Códigos',
    folders: 'Carpetas',
    actions: 'Acciones',
    pages: 'Páginas',
  },
  keys: [
    ['↑ ↓', 'elegir'],
    ['Intro', 'abrir'],
    ['Esc', 'cerrar'],
  ],
  actions: {
    newCode: 'Nuevo código',
    import: 'Importar un archivo',
    invite: 'Invitar a un miembro',
    picture: 'Buscar por imagen',
    newKey: 'Crear una clave de API',
  },
  alsoNamed: {
    newCode: 'crear añadir qr',
    import: 'subir csv excel hoja masivo',
    invite: 'usuario equipo personas',
    picture: 'cámara escanear foto cartel',
    newKey: 'desarrolladores token',
    analytics: 'escaneos cifras análisis',
    bin: 'basura eliminados restaurar',
    account: 'contraseña idioma llave de acceso perfil',
    auditLog: 'historial cambios auditoría',
    members: 'usuarios equipo personas roles',
  },
  pages: {
    bin: 'Papelera',
    members: 'Miembros',
    auditLog: 'Registro',
  },
  archived: 'archivado',
}

export const pictureWords: typeof EnglishPicture = {
  open: 'Buscar por imagen',
  title: 'Buscar por imagen',
  text: 'Muestre un código impreso a la cámara, o elija una foto suya. Ninguna imagen sale de este navegador.',
  camera: 'Usar la cámara',
  stop: 'Detener la cámara',
  cameraView: 'Imagen de la cámara',
  looking: 'Buscando un código…',
  photo: 'Suelte o pegue una foto aquí',
  choose: 'o elija una',
  hint: 'PNG, JPEG, WebP o HEIC, si su navegador lo abre',
  reading: 'Leyendo la imagen…',
  back: 'Volver a la búsqueda',
  noCode: 'No se encontró ningún código QR en esta imagen. Pruebe con una foto más nítida, o de más cerca.',
  notPicture: 'Este archivo no es una imagen que su navegador pueda abrir.',
  foreign: 'Esta imagen contiene lo siguiente, que no es uno de sus códigos:',
  hidden: (shortCode) =>
    `El código corto ${shortCode} pertenece a esta instalación, pero usted no puede ver su código. Se eliminó, o está en una organización a la que usted no pertenece.`,
  denied: 'La cámara está bloqueada para esta página. Permítala en el navegador, o elija una foto.',
  noCamera: 'No se encontró ninguna cámara. Elija una foto.',
  insecure: 'Los navegadores solo abren la cámara en páginas https. Elija una foto.',
}
