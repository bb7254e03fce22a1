import type { passkeysWords as English } from '../passkeys-words.ts'

/** French. */
export const passkeysWords: typeof English = {
  or: 'ou',
  signIn: 'Se connecter avec une clé d’accès',
  title: 'Clés d’accès',
  text: 'Connectez-vous avec l’empreinte, le visage ou le code PIN de votre appareil au lieu d’un mot de passe. Une clé d’accès reste sur l’appareil ou dans votre gestionnaire de mots de passe. Votre empreinte ou votre visage ne quitte jamais l’appareil.',
  offHere:
    'Les clés d’accès ne fonctionnent pas à l’adresse de cette installation. Les navigateurs ne les permettent qu’aux adresses en https qui ont un nom, comme https://qr.example.com. L’exploitant peut changer cela.',
  noBrowser:
    'Ce navigateur n’a pas de clés d’accès à cette adresse. Ouvrez le tableau de bord en https, ou utilisez un autre navigateur.',
  none: 'Vous n’avez pas encore de clé d’accès.',
  first:
    'Dès que vous en avez une, la connexion par mot de passe demande en plus une clé d’accès, ou un des codes de récupération que vous recevez.',
  add: 'Ajouter une clé d’accès',
  added: (name) => `« ${name} » a été ajoutée.`,
  here: 'Cet appareil',
  elsewhere: 'Clé de sécurité ou téléphone',
  backedUp: 'Enregistrée dans un gestionnaire de mots de passe',
  notBackedUp: 'Sur un seul appareil',
  addedWhen: (when) => `ajoutée ${when}`,
  neverUsed: 'pas encore utilisée',
  rename: 'Renommer',
  renameLabel: (name) => `Renommer ${name}`,
  renameTitle: 'Renommer la clé d’accès',
  remove: 'Retirer',
  removeLabel: (name) => `Retirer ${name}`,
  removeTitle: (name) => `Retirer « ${name} » ?`,
  removeText:
    'Elle ne pourra plus vous connecter. Supprimez-la aussi sur son appareil, sinon le navigateur continuera de la proposer.',
  removeLast:
    'C’est votre dernier second facteur : ensuite, votre mot de passe seul suffit pour vous connecter, et vos codes de récupération cessent de fonctionner.',
  removeAction: 'Retirer la clé d’accès',
  cancelled:
    'Aucune clé d’accès n’a été utilisée : la fenêtre a été fermée ou l’attente était trop longue. Réessayez.',
  alreadyThere: 'Cet appareil a déjà une clé d’accès pour votre compte.',
  wrongAddress: (host) =>
    `Les clés d’accès ne fonctionnent qu’à l’adresse ${host}. Ouvrez-y le tableau de bord.`,
  unsuitable:
    'Cet appareil ne peut pas garder une clé d’accès qui demande une empreinte, un visage ou un code PIN. Essayez-en un autre.',
  failed: 'Le navigateur n’a pas pu utiliser de clé d’accès. Réessayez, ou connectez-vous autrement.',
}
