type Lead = { readonly hostname: string; readonly type: string; readonly target: string }

/**
 * Problems of host names and their certificates. `target` and `type` are of the record that leads
 * the host here; empty if no record can.
 */
export const domainProblems = {
  dnsSilent: 'The DNS did not answer: {code}. Set a TXT record {name} with the value {value}.',
  txtRecordMissing: 'There is no TXT record {name}. Set a TXT record {name} with the value {value}.',
  txtRecordDiffers:
    'The TXT record {name} has another value. Set a TXT record {name} with the value {value}. It may have several values.',
  domainProvedElsewhere: 'Another organization of this installation has proved the domain.',
  hostWithoutAddress: (lead: Lead) =>
    `${lead.hostname} has no address, so scans do not arrive.${setRecord(lead)}`,
  hostElsewhere: (lead: Lead) =>
    `Another server answers for ${lead.hostname}, so scans do not arrive.${setRecord(lead)}`,
  hostSilent: (lead: Lead) =>
    `Nothing answers at ${lead.hostname}, so scans do not arrive.${setRecord(lead)}`,
  hostRenamed:
    'Requests for {hostname} arrive under another host name. The proxy must pass on the header Host, or send X-Forwarded-Host and be in TRUST_PROXY.',
  hostWithoutHttps:
    'Scans of {hostname} arrive over http, but not over https. The proxy needs a certificate for it.',

  renewalWaitsForTxt: 'Set a TXT record {name} with the value {value} to renew the certificate.',
  authorityBusy: 'The authority takes no more orders for now.',
  authorityLate: 'The authority did not finish the order within {seconds} s.',
  /** `reason` is what the authority says. */
  orderRefused: 'The authority refused the order: {reason}',
  authorityUnreachable: 'The authority cannot be reached: {code}.',
  orderFailed: 'The certificate could not be ordered. The log of the service has the cause.',
  orderEnded: 'The authority has ended the order. Its TXT record gets another value.',
  noProofByPorts: 'The authority offers no proof over port 80 or 443.',
  noProofByTxt: 'The authority offers no proof by a TXT record.',
  accountKeySealed: 'The key of the account was sealed with another CERTIFICATE_KEY or SECRET.',
  certificateOfOtherHost: 'The authority issued a certificate for another host name.',
  certificateOfOtherKey: 'The authority issued a certificate for another key.',
  certificateOver: 'The authority issued a certificate that is over.',
} as const

function setRecord({ hostname, type, target }: Lead): string {
  return type === '' ? '' : ` Set a ${type} record ${hostname} with ${target}.`
}
