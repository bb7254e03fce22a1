// The operations of the API that the n8n node has, by resource, with their names there. Others are
// beside those with the same tag, under their own name, unless a reason is given.

/**
 * `value: [operation of the API, name in n8n, name in the list of actions]`. Without the last, the
 * action is the beginning of the operation's summary.
 */
type Operations = Readonly<Record<string, readonly [id: string, name: string, action?: string]>>

export const n8nResources: Readonly<Record<string, { name: string; operations: Operations }>> = {
  qrCode: {
    name: 'QR Code',
    operations: {
      create: ['createQrCode', 'Create'],
      delete: ['deleteQrCode', 'Delete'],
      download: ['downloadQrCode', 'Download Picture'],
      get: ['readQrCode', 'Get'],
      getAll: ['listQrCodes', 'Get Many'],
      getVersions: ['listQrCodeHistory', 'Get Many Versions'],
      printLabels: ['printLabelSheet', 'Print Label Sheet'],
      rollBack: ['rollBackQrCode', 'Roll Back'],
      update: ['updateQrCode', 'Update'],
    },
  },
  bin: {
    name: 'Bin',
    operations: {
      delete: ['purgeQrCode', 'Delete'],
      getAll: ['listBin', 'Get Many'],
      restore: ['restoreQrCode', 'Restore'],
    },
  },
  analytics: {
    name: 'Analytics',
    operations: {
      get: ['readQrCodeAnalytics', 'Get'],
      getAll: ['listQrCodeFigures', 'Get Many by QR Code'],
      getTotal: ['readOrganizationAnalytics', 'Get for All QR Codes'],
    },
  },
  scan: {
    name: 'Scan',
    operations: {
      export: ['exportQrCodeAnalytics', 'Export as CSV'],
      exportAll: ['exportOrganizationAnalytics', 'Export as CSV for All QR Codes'],
      getAll: ['listScans', 'Get Many'],
    },
  },
  folder: {
    name: 'Folder',
    operations: {
      create: ['createFolder', 'Create'],
      delete: ['deleteFolder', 'Delete'],
      get: ['readFolder', 'Get'],
      getAll: ['listFolders', 'Get Many'],
      update: ['updateFolder', 'Update'],
    },
  },
  batch: {
    name: 'QR Code Batch',
    operations: {
      clone: ['batchCloneQrCodes', 'Clone'],
      create: ['batchCreateQrCodes', 'Create'],
      delete: ['batchDeleteQrCodes', 'Delete'],
      download: ['batchDownloadQrCodes', 'Download Pictures'],
      get: ['batchReadQrCodes', 'Get'],
      update: ['batchUpdateQrCodes', 'Update'],
    },
  },
  import: {
    name: 'Import',
    operations: {
      cancel: ['cancelImport', 'Cancel'],
      downloadErrors: ['downloadImportErrors', 'Download Errors'],
      downloadSample: ['downloadImportSample', 'Download Sample'],
      get: ['readImport', 'Get'],
      getAll: ['listImports', 'Get Many'],
      start: ['startImport', 'Start'],
    },
  },
  style: {
    name: 'Style',
    operations: {
      create: ['createStyle', 'Create'],
      delete: ['deleteStyle', 'Delete'],
      get: ['readStyle', 'Get'],
      getAll: ['listStyles', 'Get Many'],
      update: ['updateStyle', 'Update'],
    },
  },
  domain: {
    name: 'Domain',
    operations: {
      check: ['checkDomain', 'Check'],
      create: ['createDomain', 'Create'],
      delete: ['deleteDomain', 'Delete'],
      get: ['readDomain', 'Get'],
      getAll: ['listDomains', 'Get Many'],
      getFormerCodes: ['listFormerCodes', 'Get Codes of Former Owners'],
      giveNotice: ['giveDomainNotice', 'Give Notice'],
      update: ['updateDomain', 'Update'],
      withdrawNotice: ['withdrawDomainNotice', 'Withdraw Notice'],
    },
  },
  utmTemplate: {
    name: 'UTM Template',
    operations: {
      create: ['createUtmTemplate', 'Create'],
      delete: ['deleteUtmTemplate', 'Delete'],
      get: ['readUtmTemplate', 'Get'],
      getAll: ['listUtmTemplates', 'Get Many'],
      update: ['updateUtmTemplate', 'Update'],
    },
  },
  tag: { name: 'Tag', operations: { getAll: ['listTags', 'Get Many', 'List the tags'] } },
  view: {
    name: 'View',
    operations: {
      create: ['createView', 'Create', 'Create a view of the figures'],
      delete: ['deleteView', 'Delete'],
      get: ['readView', 'Get'],
      getAll: ['listViews', 'Get Many'],
      update: ['updateView', 'Update'],
    },
  },
  webhook: {
    name: 'Webhook',
    operations: {
      create: ['createWebhook', 'Create'],
      delete: ['deleteWebhook', 'Delete'],
      get: ['readWebhook', 'Get'],
      getAll: ['listWebhooks', 'Get Many'],
      getDeliveries: ['listWebhookDeliveries', 'Get Many Deliveries'],
      ping: ['pingWebhook', 'Ping', 'Send a ping to a webhook'],
      replayDelivery: ['replayWebhookDelivery', 'Replay Delivery'],
      rotateSecret: ['rotateWebhookSecret', 'Rotate Secret'],
      update: ['updateWebhook', 'Update'],
    },
  },
  organization: { name: 'Organization', operations: { get: ['readOrganization', 'Get'] } },
  auditLog: { name: 'Audit Log', operations: { getAll: ['listAuditLog', 'Get Many'] } },
}

/** Operations that the node does not have, with the reason. */
export const withoutN8n: Readonly<Record<string, string>> = {
  listMyOrganizations: 'the credentials have the organization',
  patchQrCode: 'the same as updateQrCode',
  updateOrganization: 'a setting for people',
  exportOrganization: 'an archive for people',
  startMove: 'done once, when an organization moves',
  listMoves: 'done once, when an organization moves',
  readMove: 'done once, when an organization moves',
  cancelMove: 'done once, when an organization moves',
  startComparison: 'done once, when an organization moves',
  readComparison: 'done once, when an organization moves',
  downloadMoveErrors: 'done once, when an organization moves',
  previewImport: 'a look into a file while its columns are chosen',
  startArchiveImport: 'done once, for a whole organization',
  downloadArchivedIds: 'done once, for a whole organization',
  readArchiveImport: 'done once, for a whole organization',
  simulateRules: 'a trial while rules are written',
  replayRules: 'a trial while rules are written',
  restoreQrCodes: 'restoreQrCode for each item',
  purgeQrCodes: 'purgeQrCode for each item',
  readPublicAddress: 'a check of the installation',
  updatePublicAddress: 'a setting for people',
  createAddressCheck: 'a check of the installation',
  readAddressCheck: 'a check of the installation',
  sendViewMail: 'a view with a mail sends it by itself, and a workflow has nodes for mails',
  readSharedView: 'a page for people; the figures are in Analytics',
  unlockSharedView: 'a page for people',
  leaveViewMail: 'a page for people',
  readConnection: 'a check of the installation',
  readInstallation: 'a check of the installation',
  listSentMails: 'for the operator of the installation',
  switchMails: 'for the operator of the installation',
  createApiKey: 'a workflow should not make keys',
  listApiKeys: 'a workflow should not make keys',
  revokeApiKey: 'a workflow should not make keys',
  listMembers: 'a workflow should not manage people',
  updateMember: 'a workflow should not manage people',
  removeMember: 'a workflow should not manage people',
  createInvitation: 'a workflow should not manage people',
  listInvitations: 'a workflow should not manage people',
  revokeInvitation: 'a workflow should not manage people',
}
