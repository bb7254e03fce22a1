import type { addressWords as English } from '../address-words.ts'

/** French. */
export const addressWords: typeof English = {
  title: 'Quelle adresse les téléphones atteignent-ils ?',
  notice: {
    PRIVATE: (address) =>
      `N’imprimez pas encore : vos codes contiennent ${address}, que les téléphones hors de ce réseau ne peuvent pas ouvrir.`,
    INSECURE: (address) =>
      `N’imprimez pas encore : vos codes contiennent ${address}, qui n’est pas en https. Les téléphones affichent un avertissement ou refusent.`,
    NOT_REACHED: (address) =>
      `N’imprimez pas encore : aucun téléphone n’a ouvert ${address} de l’extérieur à ce jour.`,
  },
  open: 'Vérifier avec un téléphone',
  fact: {
    PRIVATE: (address) =>
      `Chaque code que vous imprimez contient l’adresse de ce service. Pour l’instant, c’est ${address} : elle n’existe que sur cet ordinateur ou dans ce réseau.`,
    INSECURE: (address) =>
      `Chaque code que vous imprimez contient l’adresse de ce service. Pour l’instant, c’est ${address} : sans https, les téléphones affichent un avertissement ou refusent.`,
    NOT_REACHED: (address) =>
      `Chaque code que vous imprimez contient l’adresse de ce service, ${address}. Rien ne l’a ouverte de l’extérieur à ce jour.`,
  },
  ready: (address) => `Les téléphones atteignent ${address} de l’extérieur.`,
  change: 'L’exploitant du service fixe l’adresse avec PUBLIC_URL.',
  scan: 'Scannez ce code avec un téléphone en données mobiles, pas en Wi-Fi. Ceci devient vert dès qu’il arrive.',
  scanInside: 'Pour savoir si un téléphone de ce réseau l’atteint, scannez ce code.',
  waiting: 'En attente du téléphone…',
  insideOnly: 'Un téléphone de ce réseau l’a ouverte.',
  inside:
    'Un téléphone de votre propre réseau l’a ouverte. Réessayez en données mobiles. S’il l’était déjà, un proxy masque d’où viennent les visiteurs.',
  proxyCheck: 'Vérification du proxy',
  outside: 'Un téléphone l’a ouverte de l’extérieur.',
  failed: 'Le code n’a pas pu être créé.',
  alt: 'QR code pour vérifier l’adresse',
  local: 'Seulement pour ce réseau',
  localHint:
    'Vos codes sont destinés à des téléphones qui sont de toute façon dans ce réseau, comme dans un atelier ou un musée.',
  localDone: 'Les codes sont maintenant réservés aux téléphones de ce réseau.',
  localNow: 'Vous avez indiqué que vos codes sont réservés aux téléphones de ce réseau.',
  localEnd: 'Ils sont pour les téléphones de partout',
}
