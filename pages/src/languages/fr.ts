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
    copy: 'Copier le mot de passe',
    copied: 'Mot de passe copié',
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
  unknown: { title: 'Ce code est introuvable', text: 'Vérifiez l’adresse ou scannez à nouveau le code.' },
  gone: { title: 'Ce code n’est plus utilisé', text: 'Son propriétaire l’a désactivé.' },
  later: {
    title: 'Réessayez dans un instant',
    text: 'Ce code ne peut pas être consulté pour le moment.',
  },
  reached: { title: 'Ce téléphone atteint vos codes', text: 'Vous pouvez fermer cette page.' },
  home: {
    title: 'Ici vivent des codes QR',
    text: 'Scannez un code, ou saisissez en entier l’adresse courte imprimée au-dessous.',
  },
  method: {
    title: 'Ouvrez cette adresse dans un navigateur',
    text: 'Un programme ne peut pas y envoyer de données.',
  },
  closed: {
    SCHEDULED: { title: 'Ce code n’est pas encore ouvert', text: 'Veuillez réessayer plus tard.' },
    ENDED: { title: 'Ce code a expiré', text: 'Il n’était valable que pour une durée limitée.' },
    FULL: { title: 'Ce code est épuisé', text: 'Il n’était valable que pour un nombre limité de scans.' },
  },
  password: {
    title: 'Saisissez le mot de passe',
    label: 'Mot de passe',
    action: 'Continuer',
    wrong: 'Ce mot de passe n’est pas correct.',
    limited: 'Trop de mots de passe incorrects. Réessayez dans quelques minutes.',
    busy: 'Il y a beaucoup de monde en ce moment. Réessayez dans un instant.',
  },
}
