// Words of the address that printed codes contain.

import type { AddressProblem } from '@everscan/contract/resources/connections.ts'
import { inLanguage } from './chosen-language.ts'

export const addressWords = inLanguage('addressWords', {
  title: 'Which address do phones reach?',
  notice: {
    PRIVATE: (address: string) =>
      `Don’t print yet: your codes contain ${address}, which phones outside of this network can’t open.`,
    INSECURE: (address: string) =>
      `Don’t print yet: your codes contain ${address}, which is not https. Phones warn of it or refuse it.`,
    NOT_REACHED: (address: string) => `Don’t print yet: no phone has opened ${address} from outside so far.`,
  } satisfies Record<AddressProblem, (address: string) => string>,
  open: 'Check it with a phone',
  fact: {
    PRIVATE: (address: string) =>
      `Every code that you print contains the address of this service. For now, it is ${address}: it works only on this computer or in this network.`,
    INSECURE: (address: string) =>
      `Every code that you print contains the address of this service. For now, it is ${address}: without https, phones warn of it or refuse it.`,
    NOT_REACHED: (address: string) =>
      `Every code that you print contains the address of this service, ${address}. Nothing from outside has opened it so far.`,
  } satisfies Record<AddressProblem, (address: string) => string>,
  ready: (address: string) => `Phones from outside reach ${address}.`,
  change: 'The operator sets the address with PUBLIC_URL.',
  scan: 'Scan this code with a phone over mobile data, not over your Wi-Fi. This turns green when it arrives.',
  scanInside: 'To see whether a phone in this network reaches it, scan this code.',
  waiting: 'Waiting for the phone…',
  insideOnly: 'A phone in this network has opened it.',
  inside:
    'A phone in your own network has opened it. Try again over mobile data. If it was on mobile data, a proxy hides where visitors come from.',
  proxyCheck: 'Proxy check',
  outside: 'A phone from outside has opened it.',
  failed: 'The code could not be made.',
  alt: 'QR code to check the address',
  local: 'Only for this network',
  localHint: 'Your codes are for phones that are in this network anyway, as in a workshop or a museum.',
  localDone: 'Codes are only for phones in this network now.',
  localNow: 'You said that your codes are only for phones in this network.',
  localEnd: 'Codes are for phones everywhere',
})
