import type { domainsWords as English } from '../domains-words.ts'

/** French. */
export const domainsWords: typeof English = {
  title: 'Domaines',
  text: 'Imprimez des codes à votre propre adresse, comme go.example.com/MENU.',
  add: 'Ajouter un domaine',
  addTitle: 'Ajouter un domaine',
  addText:
    'Prenez un nom réservé aux codes, par exemple un sous-domaine. Tout ce qui s’y trouve est servi ici ; votre site web ne peut pas le partager.',
  hostname: 'Nom d’hôte',
  hostnameHint: 'Par exemple go.example.com. Il ne pourra plus être changé.',
  addAction: 'Ajouter le domaine',
  codes: 'Liens courts',
  codeForms: {
    canonical: 'Majuscules et minuscules sont équivalentes',
    exact: 'Majuscules et minuscules comptent',
  },
  codesHint:
    'Si des codes de ce domaine ont été imprimés avec un autre produit, la casse doit compter : aBc et abc y sont des codes différents. Ce choix est définitif dès que le domaine a eu un code.',
  exactCodes: 'Majuscules et minuscules comptent dans ses liens courts.',
  changeCodes: 'Modifier ses liens courts',
  changeCodesTitle: (hostname) => `Liens courts sur ${hostname}`,
  none: {
    title: 'Pas encore de domaine à vous',
    text: 'Vos codes sont à l’adresse de cette installation. Avec un domaine à vous, les impressions montrent votre nom et peuvent vous suivre.',
  },
  statuses: {
    PENDING: 'Pas encore validé',
    ACTIVE: 'Actif',
    FAILING: 'Preuve manquante',
  },
  statusTexts: {
    PENDING:
      'Créez les enregistrements ci-dessous chez votre fournisseur DNS. D’ici là, aucun code ne répond sur ce domaine.',
    ACTIVE: 'Validé : des codes peuvent être sur ce domaine.',
    FAILING:
      'La preuve manque depuis plus de 7 jours. Les codes imprimés continuent de fonctionner, mais une autre organisation peut reprendre le domaine. Recréez l’enregistrement TXT.',
  },
  isDefault: 'Pour les nouveaux codes',
  reach: {
    arrives: 'Les scans de ce domaine arrivent ici.',
    missing: 'Les scans de ce domaine n’arrivent pas encore ici.',
    unknown:
      'Ce serveur ne peut pas savoir lui-même si les scans arrivent. Ouvrez le domaine sur un téléphone pour le voir.',
  },
  answers: {
    own: (codes: number, written: string) =>
      codes <= 1
        ? `Répond à ${written} code de cette organisation.`
        : `Répond à ${written} codes, tous de cette organisation.`,
    former: (written: string, others: string) =>
      `Répond aux codes de cette organisation (${written}) et d’un ancien propriétaire (${others}).`,
    waiting: (codes: number, written: string) =>
      codes === 1 ? '1 code attend la preuve' : `${written} codes attendent la preuve`,
    lost: (codes: number, written: string) =>
      codes === 1
        ? '1 code importé dont un autre code a le lien court'
        : `${written} codes importés dont d’autres codes ont les liens courts`,
    more: (written) => `${written} de plus`,
    renameLabel: (name) => `Modifier le lien court de ${name}`,
    renameTitle: (name) => `Lien court de ${name}`,
    renameText: 'Un code imprimé avec le lien court actuel ne mènera pas à ce code.',
    deleteLabel: (name) => `Supprimer ${name}`,
    deleteTitle: (name) => `Supprimer ${name} ?`,
    deleteText:
      'Ce code n’a jamais répondu ici. Il est supprimé définitivement, avec les scans venus avec lui.',
    deleteAction: 'Supprimer le code',
  },
  shortCode: 'Lien court',
  former: {
    title: (written: string) => `Codes de l’ancien propriétaire : ${written}`,
    noAddress: 'Ne mène à aucune adresse',
    give: 'Donner un préavis',
    giveTitle: (hostname) => `Donner un préavis à l’ancien propriétaire de ${hostname} ?`,
    giveText:
      'Ses codes imprimés sur ce nom fonctionnent encore 90 jours. D’ici là, personne ne peut changer où ils mènent. Ensuite, leurs scans indiquent que le code a pris fin. Les administrateurs de l’ancien propriétaire en sont informés par e-mail. Vous pouvez retirer le préavis avant son terme.',
    withdraw: 'Retirer le préavis',
    withdrawTitle: (hostname) => `Retirer le préavis pour ${hostname} ?`,
    withdrawText:
      'Les codes de l’ancien propriétaire continuent de fonctionner, et il peut de nouveau les modifier.',
    end: (day) => `Ils prennent fin le ${day}.`,
    notice: (hostname, day) =>
      `${hostname} appartient maintenant à une autre organisation, qui a donné un préavis : vos codes sur ce domaine prennent fin le ${day}. D’ici là, ils peuvent seulement être archivés ou supprimés. Imprimez avec une autre adresse ceux dont vous avez besoin.`,
    ended: (hostname, day) =>
      `${hostname} appartient maintenant à une autre organisation, qui a donné un préavis : vos codes sur ce domaine ont pris fin le ${day}.`,
  },
  certificates: {
    PENDING: 'La demande de certificat pour https est en cours, ce qui prend une minute ou deux.',
    ISSUED: (until) => `Il est accessible en https. Le certificat sera renouvelé avant le ${until}.`,
    failing: (problem) => `Aucun certificat pour https n’a pu être obtenu : ${problem}`,
    expiring: (until, problem) =>
      `Le certificat pour https n’a pas pu être renouvelé et expire le ${until} : ${problem}`,
  },
  certificateRecord: {
    title: 'Enregistrement DNS pour le certificat',
    text: 'Grâce à lui, le domaine est accessible en https avant même de mener ici. Il est recherché chaque minute, et peut être retiré dès que le domaine est en https.',
    copyName: 'Copier le nom de l’enregistrement pour le certificat',
    copyValue: 'Copier la valeur de l’enregistrement pour le certificat',
    byDns: 'Obtenir le certificat par DNS',
    automatic: 'Obtenir le certificat automatiquement',
    madeByDns: (hostname) => `L’enregistrement à créer pour ${hostname} s’affiche dans une minute.`,
    madeAutomatic: 'Le certificat est demandé dès que le domaine mène ici.',
  },
  records: 'Enregistrements DNS à créer',
  recordsSet: 'Enregistrements DNS',
  recordsText:
    'L’enregistrement TXT prouve que le domaine est à vous, et doit rester. L’autre amène les scans ici.',
  recordsProofText: 'Il prouve que le domaine est à vous, et doit rester.',
  type: 'Type',
  name: 'Nom',
  value: 'Valeur',
  isSet: 'Présent',
  notFound: 'Introuvable',
  notLooked: 'Pas encore vérifié',
  leadsTo: (value) => `Mène à ${value}`,
  copyName: (type) => `Copier le nom de l’enregistrement ${type}`,
  copyValue: (type) => `Copier la valeur de l’enregistrement ${type}`,
  check: 'Vérifier maintenant',
  checkLabel: (hostname) => `Vérifier maintenant : ${hostname}`,
  checked: (age) => `Vérifié ${age}`,
  proved: (hostname) => `${hostname} est validé.`,
  stillMissing: 'Les modifications du DNS peuvent mettre une heure à arriver.',
  allSet: (hostname) => `${hostname} : tous les enregistrements sont présents.`,
  menu: (hostname) => `Actions pour ${hostname}`,
  makeDefault: 'Utiliser pour les nouveaux codes',
  noDefault: 'Ne plus utiliser pour les nouveaux codes',
  madeDefault: (hostname) => `Les nouveaux codes sont maintenant sur ${hostname}.`,
  unmadeDefault: 'Les nouveaux codes sont maintenant à l’adresse de cette installation.',
  addresses: 'Changer où il mène',
  addressesTitle: (hostname) => `Où mène ${hostname}`,
  rootUrl: 'Page d’accueil',
  rootUrlHint: (hostname) => `Pour qui ouvre ${hostname} sans code. Vide : une page simple.`,
  notFoundUrl: 'Codes inconnus',
  notFoundUrlHint: 'Pour les codes mal saisis. Vide : la page d’Everscan.',
  goneUrl: 'Codes terminés',
  goneUrlHint: 'Pour les codes archivés ou supprimés. Vide : la page d’Everscan.',
  addressesSaved: 'Enregistré',
  leads: { rootUrl: 'Page d’accueil', notFoundUrl: 'Codes inconnus', goneUrl: 'Codes terminés' },
  showCodes: 'Afficher ses codes',
  delete: 'Supprimer',
  deleteTitle: (hostname) => `Supprimer ${hostname} ?`,
  deleteCounting: 'Comptage de ses codes…',
  deleteUnused: 'Aucun code actif n’est sur ce domaine.',
  deleteCodes: (codes, written) =>
    codes === 1
      ? 'Un code actif est sur ce domaine. Il sera archivé.'
      : `${written} codes actifs sont sur ce domaine. Tous seront archivés.`,
  deletePrints:
    'Tout ce qui est imprimé avec ce domaine cesse de fonctionner : un scan affiche la page des codes inconnus. Ses liens courts ne seront jamais réattribués.',
  deleteProof: 'Vous pourrez rajouter le domaine plus tard ; il faudra une nouvelle preuve.',
  deleteType: (hostname) => `Saisissez ${hostname} pour confirmer`,
  deleteAction: 'Supprimer le domaine',
  deleteWithCodes: 'Archiver les codes et supprimer le domaine',
  deleted: (hostname) => `${hostname} supprimé.`,
  choice: 'Domaine',
  choiceHint: 'Il est imprimé et ne pourra donc plus être changé.',
  filterAll: 'Tous les domaines',
  ofInstallation: 'Cette installation',
}
