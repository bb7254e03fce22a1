import type { finderWords as EnglishFinder, pictureWords as EnglishPicture } from '../finder-words.ts'

/** French. */
export const finderWords: typeof EnglishFinder = {
  open: 'Tout rechercher',
  openHint: (keys) => `Tout rechercher (${keys})`,
  title: 'Rechercher',
  placeholder: 'Nom, code court, destination, mot-clé…',
  results: 'Résultats',
  count: (results, written) =>
    results === 0 ? 'Aucun résultat' : results === 1 ? '1 résultat' : `${written} résultats`,
  searching: 'Recherche…',
  nothing: (typed) => `Rien trouvé pour « ${typed} »`,
  nothingHint: 'Essayez moins de mots, ou une partie du code court.',
  offline:
    'La recherche de codes et de dossiers est indisponible pour l’instant. Les pages et les actions fonctionnent toujours.',
  failed: 'La recherche a échoué.',
  moreCodes: (written) => `Afficher les ${written} codes`,
  groups: {
    recent: 'Récents',
    changed: 'Derniers modifiés',
    codes: 'Codes',
    folders: 'Dossiers',
    actions: 'Actions',
    pages: 'Pages',
  },
  keys: [
    ['↑ ↓', 'choisir'],
    ['Entrée', 'ouvrir'],
    ['Échap', 'fermer'],
  ],
  actions: {
    newCode: 'Nouveau code',
    import: 'Importer un fichier',
    invite: 'Inviter un membre',
    picture: 'Retrouver par image',
    newKey: 'Créer une clé d’API',
  },
  alsoNamed: {
    newCode: 'créer ajouter qr',
    import: 'envoyer csv excel tableur masse',
    invite: 'utilisateur équipe personnes',
    picture: 'caméra appareil photo scanner affiche',
    newKey: 'développeurs jeton token',
    analytics: 'scans chiffres analyses',
    bin: 'supprimés poubelle restaurer',
    account: 'mot de passe langue clé d’accès profil',
    auditLog: 'historique modifications audit',
    members: 'utilisateurs équipe personnes rôles',
  },
  pages: {
    bin: 'Corbeille',
    members: 'Membres',
    auditLog: 'Journal',
  },
  archived: 'archivé',
}

export const pictureWords: typeof EnglishPicture = {
  open: 'Retrouver par image',
  title: 'Retrouver par image',
  text: 'Montrez un code imprimé à la caméra, ou choisissez-en une photo. Aucune image ne quitte ce navigateur.',
  camera: 'Utiliser la caméra',
  stop: 'Arrêter la caméra',
  cameraView: 'Image de la caméra',
  looking: 'Recherche d’un code…',
  photo: 'Déposez ou collez une photo ici',
  choose: 'ou choisissez-en une',
  hint: 'PNG, JPEG, WebP ou HEIC, si votre navigateur l’ouvre',
  reading: 'Lecture de l’image…',
  back: 'Retour à la recherche',
  noCode: 'Aucun QR code trouvé dans cette image. Essayez une photo plus nette, ou prise de plus près.',
  notPicture: 'Ce fichier n’est pas une image que votre navigateur peut ouvrir.',
  foreign: 'Cette image contient ceci, qui n’est pas un de vos codes :',
  hidden: (shortCode) =>
    `Le code court ${shortCode} appartient à cette installation, mais vous ne pouvez pas voir son code. Il a été supprimé, ou il est dans une organisation dont vous n’êtes pas membre.`,
  denied: 'La caméra est bloquée pour cette page. Autorisez-la dans le navigateur, ou choisissez une photo.',
  noCamera: 'Aucune caméra trouvée. Choisissez plutôt une photo.',
  insecure: 'Les navigateurs n’ouvrent la caméra que sur les pages en https. Choisissez plutôt une photo.',
}
