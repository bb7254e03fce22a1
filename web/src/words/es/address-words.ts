import type { addressWords as English } from '../address-words.ts'

/** Spanish. */
export const addressWords: typeof English = {
  title: '¿A qué dirección llegan los teléfonos?',
  notice: {
    PRIVATE: (address) =>
      `No imprima todavía: sus códigos contienen ${address}, que los teléfonos de fuera de esta red no pueden abrir.`,
    INSECURE: (address) =>
      `No imprima todavía: sus códigos contienen ${address}, que no es https. Los teléfonos avisan de ello o lo rechazan.`,
    NOT_REACHED: (address) =>
      `No imprima todavía: ningún teléfono ha abierto ${address} desde fuera hasta ahora.`,
  },
  open: 'Comprobar con un teléfono',
  fact: {
    PRIVATE: (address) =>
      `Cada código que imprime contiene la dirección de este servicio. Ahora es ${address}: solo existe en este ordenador o en esta red.`,
    INSECURE: (address) =>
      `Cada código que imprime contiene la dirección de este servicio. Ahora es ${address}: sin https, los teléfonos avisan de ello o la rechazan.`,
    NOT_REACHED: (address) =>
      `Cada código que imprime contiene la dirección de este servicio, ${address}. Nadie la ha abierto desde fuera hasta ahora.`,
  },
  ready: (address) => `Los teléfonos llegan a ${address} desde fuera.`,
  change: 'El operador del servicio fija la dirección con PUBLIC_URL.',
  scan: 'Escanee este código con un teléfono con datos móviles, no con su Wi-Fi. Esto se pone verde cuando llega.',
  scanInside: 'Para ver si un teléfono de esta red llega a ella, escanee este código.',
  waiting: 'Esperando al teléfono…',
  insideOnly: 'Un teléfono de esta red la ha abierto.',
  inside:
    'Un teléfono de su propia red la ha abierto. Inténtelo de nuevo con datos móviles. Si ya los usaba, un proxy oculta de dónde vienen los visitantes.',
  proxyCheck: 'Comprobación del proxy',
  outside: 'Un teléfono de fuera la ha abierto.',
  failed: 'No se pudo crear el código.',
  alt: 'Código QR para comprobar la dirección',
  local: 'Solo para esta red',
  localHint:
    'Sus códigos son para teléfonos que de todos modos están en esta red, como en un taller o un museo.',
  localDone: 'Ahora los códigos son solo para teléfonos de esta red.',
  localNow: 'Usted indicó que sus códigos son solo para teléfonos de esta red.',
  localEnd: 'Son para teléfonos de cualquier lugar',
}
