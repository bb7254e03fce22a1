import { readFileSync } from 'node:fs'
import { hostnameProblem } from '@everscan/contract/domains/host-names.ts'
import type { Config } from '../settings.ts'
import { errorMessage, FatalError } from '../errors.ts'
import { openAuthority } from '../jobs/certificates/acme.ts'
import { orderCertificates } from '../jobs/certificates/order-certificates.ts'
import type { Chore } from '../jobs/start-jobs.ts'
import type { Log } from '../log.ts'
import { certificatesPurpose, createSecretBox } from '../secret-box.ts'

/** Orders certificates at the authority of ACME_DIRECTORY_URL. */
export function createCertificatesChore(config: Config, log: Log): Chore {
  const { acmeDirectoryUrl: directoryUrl, acmeEmail: email, acmeCaFile, publicUrl } = config
  const { hostname, protocol } = new URL(publicUrl)
  const isCertifiable = protocol === 'https:' && hostnameProblem(hostname) === undefined
  return orderCertificates({
    authority: openAuthority({ directoryUrl, email, ca: readCa(acmeCaFile) }),
    directoryUrl,
    publicHost: isCertifiable ? hostname : undefined,
    box: createSecretBox(config.certificateKey ?? '', certificatesPurpose),
    log,
  })
}

function readCa(file: string | undefined): string | undefined {
  try {
    return file === undefined ? undefined : readFileSync(file, 'utf8')
  } catch (error) {
    throw new FatalError(`ACME_CA_FILE: ${errorMessage(error)}`, { cause: error })
  }
}
