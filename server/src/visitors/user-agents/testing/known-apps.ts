import { android, ios, type KnownDevice } from './known-devices.ts'

/** Phones before iOS and Android, and apps with a browser of their own. */
export const oldPhonesAndApps: readonly KnownDevice[] = [
  [
    'Mozilla/4.0 (compatible; MSIE 4.01; Windows CE; PPC; 240x320; HP iPAQ h6300)',
    'mobile',
    'Windows Phone',
    'Internet Explorer',
  ],
  [
    'Mozilla/4.0 (compatible; MSIE 6.0; Windows CE; IEMobile 7.11) Sprint:PPC6800',
    'mobile',
    'Windows Phone',
    'Internet Explorer',
  ],
  [
    'Opera/9.80 (Windows Mobile; WCE; Opera Mobi/WMD-50433; U; en) Presto/2.4.13 Version/10.00',
    'mobile',
    'Windows Phone',
    'Opera',
  ],
  [
    'Mozilla/5.0 (Windows NT 6.2; ARM; Trident/7.0; Touch; rv:11.0; WPDesktop; Lumia 535) like Gecko',
    'mobile',
    'Windows Phone',
    'Internet Explorer',
  ],
  [
    android(
      '12; Pixel 6 Pro Build/SQ3A.220605.009.A1; wv',
      'Version/4.0 Chrome/102.0.5005.125 Mobile Safari/537.36Snapchat11.83.0.31 (Pixel 6 Pro; Android 12#8643238#32; gzip; )',
    ),
    'mobile',
    'Android',
    'Snapchat',
  ],
  [ios('Mobile/15E148 WhatsApp/24.11.79'), 'mobile', 'iOS', 'WhatsApp'],
  [
    android('14; SM-S901B; wv', 'Chrome/126.0.6478.71 Mobile Safari/537.36 Outlook-Android/2.0'),
    'mobile',
    'Android',
    'Outlook',
  ],
  [ios('Mobile/15E148 QRbot/3.2'), 'mobile', 'iOS', 'QR scanner app'],
  ['Nokia6120c/3.83 Profile/MIDP-2.0 Configuration/CLDC-1.1', 'mobile', 'Unknown', 'Unknown'],
]
