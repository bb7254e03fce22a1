import { readFileSync } from 'node:fs'
import type { Config } from '../../settings/settings.ts'
import { errorMessage, FatalError } from '../../errors.ts'
import { createTxtLook } from '../../dns-looks.ts'
import { openAuthority } from './acme.ts'
import { orderCertificates } from './order-certificates.ts'
import { certifiedHost } from './certified-host.ts'
import { sendCertificateMails, type CertificateMailer } from './send-certificate-mails.ts'
import { warnOfCertificates } from './warn-certificates.ts'
import type { Chore } from '../start-jobs.ts'
import type { Log } from '../../log.ts'
import { certificatesPurpose, createSecretBox } from '../../secret-box.ts'

/** Orders certificates at the authority of ACME_DIRECTORY_URL, and warns of those that end. */
export function createCertificateChores(config: Config, log: Log, mailer?: CertificateMailer): Chore[] {
  const { acmeDirectoryUrl: directoryUrl, acmeEmail: email, acmeCaFile, publicUrl } = config
  const publicHost = certifiedHost(publicUrl)
  const orders = orderCertificates({
    authority: openAuthority({ directoryUrl, email, ca: readCa(acmeCaFile) }),
    directoryUrl,
    publicHost,
    box: createSecretBox(config.certificateKey ?? '', certificatesPurpose),
    lookUpTxt: createTxtLook(config.dnsServers),
    log,
  })
  const warnings = warnOfCertificates({ publicHost, log, isMailed: mailer !== undefined })
  return [orders, warnings, ...(mailer === undefined ? [] : [sendCertificateMails(mailer, log)])]
}

function readCa(file: string | undefined): string | undefined {
  try {
    return file === undefined ? undefined : readFileSync(file, 'utf8')
  } catch (error) {
    throw new FatalError(`ACME_CA_FILE: ${errorMessage(error)}`, { cause: error })
  }
}
