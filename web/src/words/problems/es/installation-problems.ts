import type { installationProblems as english } from '@everscan/contract/problems/installation-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'
import { byMachines } from '../values.ts'

/** Spanish. */
export const installationProblems = {
  processDown: 'El proceso no funciona o está arrancando.',
  processSilent: 'El proceso no ha dado señales desde hace {seconds} s.',
  processMute: 'El proceso no responde.',
  figuresCannotRun:
    '{package} necesita {needs} y no funciona en esta máquina ({reason}). Los códigos redirigen, los escaneos esperan en el diario y las estadísticas fallan. Pase a otra máquina o defina CLICKHOUSE_URL.',
  apiCannotRun:
    '{package} necesita {needs} y no funciona en esta máquina ({reason}). Los códigos redirigen y los escaneos esperan en el diario; la API, el panel y las estadísticas no funcionan. Pase a otra máquina.',

  catalogueUpgradeBegins: 'El catálogo se está actualizando.',
  catalogueCopied: 'Se está copiando el catálogo antes de actualizarlo.',
  catalogueUpgrading: 'El catálogo se está actualizando: {done} de {all} pasos hechos, ahora {migration}.',
  catalogueUpgradedElsewhere: 'Otro proceso está actualizando el catálogo.',
  catalogueSilent: 'La base de datos no responde.',

  scanStoreSilent:
    'El almacén de escaneos no responde: los escaneos esperan en el diario y las estadísticas fallan.',
  scanStoreUpgrading:
    'El almacén de escaneos se está actualizando: los escaneos esperan en el diario y las estadísticas fallan.',
  scanStoreLater:
    'Una versión posterior actualizó el almacén de escaneos (esquema {schema}; esta versión conoce hasta {known}). Use aquella versión o restaure una copia de seguridad anterior.',
  scanServerTooOld:
    'ClickHouse debe ser {min} o posterior, y el servidor de CLICKHOUSE_URL es {version}. Actualícelo.',
  scanStoreForeign:
    'El almacén de escaneos pertenece a la instalación {owner} y el catálogo a {installation}. Restaure el {dir} que le corresponde. Si es intencionado: ./everscan adopt scan-store.',
  scanServerForeign:
    'El almacén de escaneos pertenece a la instalación {owner} y el catálogo a {installation}. Indique la CLICKHOUSE_URL que le corresponde. Si es intencionado: ./everscan adopt scan-store.',
  scanStoreOther:
    'El almacén de escaneos no es el que el catálogo conoce. Restaure el correcto o adopte este: ./everscan adopt scan-store.',
  scanStoreEmpty:
    'El almacén de escaneos está vacío, pero el catálogo sabe de escaneos en él. Restáurelo (¿hay un volumen sin montar?) o empiece con este, al que vuelven los escaneos de los últimos tres días: ./everscan adopt scan-store.',
  scanStoreSecond:
    'Falta CLICKHOUSE_URL: esta base de datos pertenece a una máquina con su propio almacén de escaneos, y cada uno de los dos tendría solo una parte. Defina CLICKHOUSE_URL en todas las máquinas. Si aquella máquina ya no existe: ./everscan adopt scan-store.',
  scanStoreOld:
    'Los escaneos están en el almacén integrado de una versión anterior. Detenga el servicio y conviértalos en archivos de esta versión: ./everscan upgrade-store. Mientras tanto, los códigos redirigen, los escaneos esperan en el diario y las estadísticas fallan.',
  scanStoreRefused: 'El almacén de escaneos no se puede usar. La causa está en el registro del servicio.',
  rewriteStuck: 'El almacén de escaneos no puede continuar su actualización: {reason}.',
  rewriteUnderWay: ({ done, rows, minutes }) =>
    `Se reescriben filas antiguas: ${done} de ${rows}${minutes < 0 ? '' : `, faltan unos ${minutes} min`}. Los códigos redirigen y las estadísticas siguen siendo correctas.`,
  scanPartsTroubled: ({ detached, broken, part, table, why }) =>
    `Partes del almacén de escaneos están separadas (${detached}) o no se pueden leer (${broken}), como ${part} de ${table}${why === '' ? '' : ` (${why})`}. Véase docs/operations.md.`,
  hitsLost: ({ hits, firstDay, lastDay }) =>
    `Escaneos perdidos del ${firstDay}${firstDay === lastDay ? '' : ` al ${lastDay}`}: ${hits}. Restaure una copia de seguridad que los tenga o acepte la pérdida: ./everscan adopt losses.`,

  scansUnrecorded: 'Los escaneos no se registran o no se escriben en el disco.',
  journalNearlyFull: 'El diario está casi lleno: se usa el {percent} % de JOURNAL_MAX_BYTES.',
  journalFilling: 'El diario se está llenando: se usa el {percent} % de JOURNAL_MAX_BYTES.',
  diskNearlyFull: 'El disco de DATA_DIR está casi lleno: quedan libres {freeBytes} de {sizeBytes} bytes.',
  limitsUncounted:
    'El catálogo no pudo contar respuestas de códigos con límite. Dadas sin él: {open}; denegadas: {closed}.',

  ingestWaits: 'Los escaneos esperan al almacén de escaneos.',
  ingestStoreSilent: 'Los escaneos esperan en el diario: el almacén de escaneos no responde.',
  ingestStoreRefused: 'Los escaneos esperan en el diario: el almacén de escaneos responde {code}.',
  ingestFileFailed: 'Los escaneos esperan en el diario: no se puede leer o escribir un archivo ({code}).',
  ingestCatalogueSilent: 'Los escaneos esperan en el diario: el catálogo no responde.',
  ingestFailing: 'Los escaneos esperan en el diario. La causa está en el registro del servicio.',
  journalForeign:
    'Los diarios de {dir} pertenecen a la instalación {owner}. Saque la carpeta de DATA_DIR. Para incorporar aquí sus escaneos: ./everscan adopt data-dir.',
  ingestLate: 'Las estadísticas llevan {seconds} s de retraso ({bytes} bytes).',
  restoredUncounted:
    'Se cuentan los escaneos de la copia restaurada. Hasta entonces, los contadores de los códigos van por detrás de las estadísticas.',

  geographyUnreadable:
    'El archivo de ciudades para IP{family} {path} no se puede leer ({code}). Los lugares son desconocidos.',
  geographyKept:
    'El archivo de ciudades para IP{family} {path} no se puede leer ({code}). Se sigue usando el anterior.',
  geographyOld: 'Los datos de lugares son del {day}: tienen {days} días.',

  certificatesFailing: ({ count, host, day, last, ...values }, sayOther) =>
    `Certificados que no se pudieron renovar: ${count}. El de ${host} termina el ${day}. ${sayOther(last, values)}`,

  settingDiffers: ({ setting, settings, machines }) =>
    differing(
      setting,
      byMachines(settings, machines).map(([value, on]) => `${value} en ${on}`),
    ),
  secretDiffers: ({ setting, settings, machines }) =>
    differing(
      setting,
      byMachines(settings, machines).map(([value, on]) => `huella ${value} en ${on}`),
    ),
  machineSilent:
    'La máquina {machine} no ha dado señales desde {since} y nadie la detuvo. Los escaneos de su diario quizá no estén en ningún otro sitio. Iníciela de nuevo.',
} as const satisfies ProblemWords<typeof english>

const differing = (setting: string, parts: readonly string[]) =>
  `El ajuste ${setting} difiere entre las máquinas: ${parts.join(', ')}. Dé a todas el mismo valor.`
