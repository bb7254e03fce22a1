import type { domainProblems as english } from '@everscan/contract/problems/domain-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const domainProblems = {
  dnsSilent: 'Das DNS hat nicht geantwortet: {code}. Nötig ist ein TXT-Eintrag {name} mit dem Wert {value}.',
  txtRecordMissing: 'Es gibt keinen TXT-Eintrag {name}. Tragen Sie dort den Wert {value} ein.',
  txtRecordDiffers:
    'Der TXT-Eintrag {name} hat einen anderen Wert. Tragen Sie dort den Wert {value} ein. Mehrere Werte sind möglich.',
  domainProvedElsewhere: 'Eine andere Organisation dieser Installation hat die Domain bestätigt.',
  hostWithoutAddress: (lead) =>
    `Der Host ${lead.hostname} hat keine Adresse, daher kommen Scans nicht an.${setRecord(lead)}`,
  hostElsewhere: (lead) =>
    `Für ${lead.hostname} antwortet ein anderer Server, daher kommen Scans nicht an.${setRecord(lead)}`,
  hostSilent: (lead) =>
    `Unter ${lead.hostname} antwortet nichts, daher kommen Scans nicht an.${setRecord(lead)}`,
  hostRenamed:
    'Anfragen an {hostname} kommen unter einem anderen Hostnamen an. Der Proxy muss die Kopfzeile Host weitergeben, oder X-Forwarded-Host senden und in TRUST_PROXY stehen.',
  hostWithoutHttps:
    'Scans von {hostname} kommen über http an, aber nicht über https. Der Proxy braucht dafür ein Zertifikat.',

  renewalWaitsForTxt:
    'Tragen Sie einen TXT-Eintrag {name} mit dem Wert {value} ein, um das Zertifikat zu erneuern.',
  authorityBusy: 'Die Zertifizierungsstelle nimmt im Moment keine Aufträge mehr an.',
  authorityLate: 'Die Zertifizierungsstelle hat den Auftrag nicht innerhalb von {seconds} s beendet.',
  orderRefused: 'Die Zertifizierungsstelle hat den Auftrag abgelehnt: {reason}',
  authorityUnreachable: 'Die Zertifizierungsstelle ist nicht erreichbar: {code}.',
  orderFailed: 'Das Zertifikat konnte nicht bestellt werden. Die Ursache steht im Log des Dienstes.',
  orderEnded:
    'Die Zertifizierungsstelle hat den Auftrag beendet. Der TXT-Eintrag bekommt einen anderen Wert.',
  noProofByPorts: 'Die Zertifizierungsstelle bietet keinen Nachweis über Port 80 oder 443 an.',
  noProofByTxt: 'Die Zertifizierungsstelle bietet keinen Nachweis durch einen TXT-Eintrag an.',
  accountKeySealed:
    'Der Schlüssel des Kontos wurde mit einem anderen CERTIFICATE_KEY oder SECRET versiegelt.',
  certificateOfOtherHost:
    'Die Zertifizierungsstelle hat ein Zertifikat für einen anderen Hostnamen ausgestellt.',
  certificateOfOtherKey:
    'Die Zertifizierungsstelle hat ein Zertifikat für einen anderen Schlüssel ausgestellt.',
  certificateOver: 'Die Zertifizierungsstelle hat ein Zertifikat ausgestellt, das schon abgelaufen ist.',
} as const satisfies ProblemWords<typeof english>

function setRecord({
  hostname,
  type,
  target,
}: Readonly<Record<'hostname' | 'type' | 'target', string>>): string {
  return type === '' ? '' : ` Tragen Sie für ${hostname} einen ${type}-Eintrag mit ${target} ein.`
}
