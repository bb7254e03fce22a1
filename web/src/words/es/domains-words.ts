import type { domainsWords as English } from '../domains-words.ts'

/** Spanish. */
export const domainsWords: typeof English = {
  title: 'Dominios',
  text: 'Imprima códigos con una dirección propia, como go.example.com/MENU.',
  add: 'Añadir dominio',
  addTitle: 'Añadir un dominio',
  addText:
    'Use un nombre que sea solo para códigos, como un subdominio. Todo lo que hay en él se responde aquí, y su sitio web no puede compartirlo.',
  hostname: 'Nombre de host',
  hostnameHint: 'Por ejemplo, go.example.com. Después no se puede cambiar.',
  addAction: 'Añadir dominio',
  codes: 'Enlaces cortos',
  codeForms: {
    canonical: 'No distinguen mayúsculas y minúsculas',
    exact: 'Distinguen mayúsculas y minúsculas',
  },
  codesHint:
    'Si ya se imprimieron códigos de este dominio con otro producto, deben distinguirse mayúsculas y minúsculas: allí aBc y abc son códigos distintos. No se puede cambiar una vez que el dominio haya tenido un código.',
  exactCodes: 'Sus enlaces cortos distinguen mayúsculas y minúsculas.',
  changeCodes: 'Cambiar sus enlaces cortos',
  changeCodesTitle: (hostname) => `Enlaces cortos en ${hostname}`,
  none: {
    title: 'Aún no tiene un dominio propio',
    text: 'Sus códigos están en la dirección de esta instalación. Con un dominio propio, lo impreso muestra su nombre y puede trasladarse con usted.',
  },
  statuses: {
    PENDING: 'Sin verificar',
    ACTIVE: 'Activo',
    FAILING: 'Falta la prueba',
  },
  statusTexts: {
    PENDING:
      'Cree los registros de abajo en su proveedor de DNS. Hasta entonces, ningún código responde en este dominio.',
    ACTIVE: 'Verificado: puede haber códigos en este dominio.',
    FAILING:
      'La prueba falta desde hace más de 7 días. Los códigos impresos siguen funcionando, pero otra organización puede quedarse con el dominio. Vuelva a crear el registro TXT.',
  },
  isDefault: 'Para códigos nuevos',
  reach: {
    arrives: 'Los escaneos de este dominio llegan aquí.',
    missing: 'Los escaneos de este dominio aún no llegan aquí.',
    unknown:
      'Este servidor no puede averiguar por sí mismo si llegan los escaneos. Abra el dominio en un teléfono para verlo.',
  },
  answers: {
    own: (codes: number, written: string) =>
      codes === 1
        ? 'Responde a 1 código, que es de esta organización.'
        : `Responde a ${written} códigos, todos de esta organización.`,
    former: (written: string, others: string) =>
      `Responde a códigos de esta organización (${written}) y de un propietario anterior (${others}).`,
    waiting: (codes: number, written: string) =>
      codes === 1 ? '1 código espera la prueba' : `${written} códigos esperan la prueba`,
    lost: (codes: number, written: string) =>
      codes === 1
        ? '1 código importado cuyo enlace corto tiene otro código'
        : `${written} códigos importados cuyos enlaces cortos tienen otros códigos`,
    more: (written) => `${written} más`,
    renameLabel: (name) => `Cambiar el enlace corto de ${name}`,
    renameTitle: (name) => `Enlace corto de ${name}`,
    renameText: 'Lo impreso con el enlace corto actual no llevará a este código.',
    deleteLabel: (name) => `Eliminar ${name}`,
    deleteTitle: (name) => `¿Eliminar ${name}?`,
    deleteText:
      'Este código nunca respondió aquí. Se elimina para siempre, con los escaneos que vinieron con él.',
    deleteAction: 'Eliminar código',
  },
  shortCode: 'Enlace corto',
  former: {
    title: (written: string) => `Códigos del propietario anterior: ${written}`,
    noAddress: 'No lleva a ninguna dirección',
    give: 'Dar preaviso',
    giveTitle: (hostname) => `¿Dar preaviso al propietario anterior de ${hostname}?`,
    giveText:
      'Sus códigos impresos con este nombre funcionan 90 días más. Hasta entonces, nadie puede cambiar adónde llevan. Después, sus escaneos muestran que el código ha terminado. Los administradores del propietario anterior reciben un correo. Puede retirar el preaviso antes de que termine.',
    withdraw: 'Retirar el preaviso',
    withdrawTitle: (hostname) => `¿Retirar el preaviso para ${hostname}?`,
    withdrawText: 'Los códigos del propietario anterior siguen funcionando, y puede volver a modificarlos.',
    end: (day) => `Terminan el ${day}.`,
    notice: (hostname, day) =>
      `${hostname} pertenece ahora a otra organización, que ha dado un preaviso: sus códigos en él terminan el ${day}. Hasta entonces, solo se pueden archivar o eliminar. Imprima con otra dirección los que necesite.`,
    ended: (hostname, day) =>
      `${hostname} pertenece ahora a otra organización, que ha dado un preaviso: sus códigos en él terminaron el ${day}.`,
  },
  certificates: {
    PENDING: 'Se está pidiendo el certificado para https, lo que tarda uno o dos minutos.',
    ISSUED: (until) => `Tiene https. El certificado se renueva antes del ${until}.`,
    failing: (problem) => `No se pudo obtener un certificado para https: ${problem}`,
    expiring: (until, problem) =>
      `No se pudo renovar el certificado para https, que caduca el ${until}: ${problem}`,
  },
  certificateRecord: {
    title: 'Registro DNS para el certificado',
    text: 'Con él, el dominio tiene https antes de llevar aquí. Se busca cada minuto, y se puede quitar en cuanto el dominio tiene https.',
    copyName: 'Copiar el nombre del registro para el certificado',
    copyValue: 'Copiar el valor del registro para el certificado',
    byDns: 'Obtener el certificado por DNS',
    automatic: 'Obtener el certificado automáticamente',
    madeByDns: (hostname) => `El registro que debe crear para ${hostname} se muestra en un minuto.`,
    madeAutomatic: 'El certificado se pide en cuanto el dominio lleva aquí.',
  },
  records: 'Registros DNS que debe crear',
  recordsSet: 'Registros DNS',
  recordsText:
    'El registro TXT demuestra que el dominio es suyo y debe permanecer. El otro trae los escaneos aquí.',
  recordsProofText: 'Demuestra que el dominio es suyo y debe permanecer.',
  type: 'Tipo',
  name: 'Nombre',
  value: 'Valor',
  isSet: 'Creado',
  notFound: 'No encontrado',
  notLooked: 'Aún sin comprobar',
  leadsTo: (value) => `Lleva a ${value}`,
  copyName: (type) => `Copiar el nombre del registro ${type}`,
  copyValue: (type) => `Copiar el valor del registro ${type}`,
  check: 'Comprobar ahora',
  checkLabel: (hostname) => `Comprobar ahora: ${hostname}`,
  checked: (age) => `Comprobado ${age}`,
  proved: (hostname) => `${hostname} está verificado.`,
  stillMissing: 'Los cambios del DNS pueden tardar una hora en llegar.',
  allSet: (hostname) => `${hostname}: todos los registros están creados.`,
  menu: (hostname) => `Acciones para ${hostname}`,
  makeDefault: 'Usar para códigos nuevos',
  noDefault: 'No usar para códigos nuevos',
  madeDefault: (hostname) => `Ahora los códigos nuevos están en ${hostname}.`,
  unmadeDefault: 'Ahora los códigos nuevos están en la dirección de esta instalación.',
  addresses: 'Cambiar adónde lleva',
  addressesTitle: (hostname) => `Adónde lleva ${hostname}`,
  rootUrl: 'Página de inicio',
  rootUrlHint: (hostname) => `Para quien abra ${hostname} directamente. Vacío: una página sencilla.`,
  notFoundUrl: 'Códigos desconocidos',
  notFoundUrlHint: 'Para códigos mal escritos. Vacío: la página de Everscan.',
  goneUrl: 'Códigos terminados',
  goneUrlHint: 'Para códigos archivados o eliminados. Vacío: la página de Everscan.',
  addressesSaved: 'Guardado',
  leads: {
    rootUrl: 'Página de inicio',
    notFoundUrl: 'Códigos desconocidos',
    goneUrl: 'Códigos terminados',
  },
  showCodes: 'Mostrar sus códigos',
  delete: 'Eliminar',
  deleteTitle: (hostname) => `¿Eliminar ${hostname}?`,
  deleteCounting: 'Contando sus códigos…',
  deleteUnused: 'No hay códigos activos en este dominio.',
  deleteCodes: (codes, written) =>
    codes === 1
      ? 'Hay un código activo en este dominio. Se archivará.'
      : `Hay ${written} códigos activos en este dominio. Se archivarán todos.`,
  deletePrints:
    'Todo lo impreso con este dominio deja de funcionar: un escaneo muestra la página de códigos desconocidos. Sus enlaces cortos no se volverán a asignar nunca.',
  deleteProof: 'Puede volver a añadir el dominio más adelante; necesitará una prueba nueva.',
  deleteType: (hostname) => `Escriba ${hostname} para confirmar`,
  deleteAction: 'Eliminar dominio',
  deleteWithCodes: 'Archivar códigos y eliminar dominio',
  deleted: (hostname) => `${hostname} eliminado.`,
  choice: 'Dominio',
  choiceHint: 'Se imprime, así que después no se puede cambiar.',
  filterAll: 'Todos los dominios',
  ofInstallation: 'Esta instalación',
}
