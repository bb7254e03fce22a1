import type { Words } from '../words.ts'

/** French. */
export const fr: Words = {
  contact: {
    save: 'Enregistrer le contact',
    call: 'Appeler',
    mail: 'Écrire un e-mail',
    website: 'Site web',
    address: 'Adresse',
    note: 'Note',
  },
  wifi: {
    title: 'Se connecter au Wi-Fi',
    network: 'Réseau',
    password: 'Mot de passe',
    open: 'Aucun mot de passe nécessaire',
    hidden: 'Le réseau masque son nom : saisissez-le dans les réglages Wi-Fi.',
    copy: 'Copier',
    copied: 'Copié',
    touch: 'Touchez le mot de passe pour le sélectionner, puis copiez-le.',
    picture: 'Pour connecter un autre téléphone, scannez cette image avec son appareil photo.',
  },
  mail: {
    title: 'Écrire un e-mail',
    action: 'Ouvrir l’e-mail',
    to: 'À',
    subject: 'Objet',
    message: 'Message',
  },
  sms: { title: 'Envoyer un message', action: 'Ouvrir le message', to: 'À', message: 'Message' },
  phone: { title: 'Appeler', action: 'Appeler maintenant' },
  menu: { sections: 'Rubriques' },
  social: { follow: 'Suivez-nous' },
  app: { get: 'Obtenir l’application', ios: 'App Store', android: 'Google Play' },
  badLink: {
    title: 'Ce lien ne peut pas être ouvert',
    text: 'Son adresse n’est pas une adresse web. Signalez-le à la personne qui vous a donné ce code.',
  },
  unknown: { title: 'Ce code est inconnu ici', text: 'Vérifiez l’adresse ou scannez à nouveau le code.' },
  gone: { title: 'Ce code n’est plus utilisé', text: 'Son propriétaire l’a désactivé.' },
  later: {
    title: 'Un instant, s’il vous plaît',
    text: 'Ce code ne peut pas être recherché pour le moment. Réessayez dans un instant.',
  },
  method: {
    title: 'Cette adresse est faite pour être ouverte',
    text: 'Ouvrez-la dans un navigateur ou scannez le code.',
  },
}
