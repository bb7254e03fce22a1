/**
 * At least one address of each range that a receiver must not have. Source: IANA's registries of
 * special-purpose addresses.
 */
const privateIpv4 = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.254',
  '127.0.0.1',
  '127.1.2.3',
  '127.255.255.255',
  '169.254.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.254',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.254',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
]

const hex = (value: number): string => `0x${value.toString(16)}`
const octal = (value: number): string => `0${value.toString(8)}`

/** The most useful targets of an attacker, in every spelling that some parser accepts. */
const spelled = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '172.16.0.1', '192.168.0.1', '0.0.0.0'].flatMap(
  (address) => {
    const bytes = address.split('.').map(Number)
    const [first = 0, second = 0, third = 0, fourth = 0] = bytes
    const whole = ((first * 256 + second) * 256 + third) * 256 + fourth
    return [
      String(whole),
      hex(whole),
      `0X${whole.toString(16).toUpperCase()}`,
      octal(whole),
      `${first}.${(second * 256 + third) * 256 + fourth}`,
      `${first}.${second}.${third * 256 + fourth}`,
      bytes.map(hex).join('.'),
      bytes.map(octal).join('.'),
      `${hex(first)}.${second}.${octal(third)}.${fourth}`,
      bytes.map((byte) => `000${byte.toString(8)}`).join('.'),
      `${address}.`,
      address.replaceAll('.', '。'),
      address.replaceAll('.', '%2e'),
      // The host name parser treats full-width digits as digits.
      address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
      `[::ffff:${address}]`,
      `[::${address}]`,
      `[64:ff9b::${address}]`,
      `[2002:${((first << 8) | second).toString(16)}:${((third << 8) | fourth).toString(16)}::1]`,
    ]
  },
)

const privateIpv6 = [
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::0.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b:1::10.0.0.1]',
  '[100::1]',
  '[2001::1]',
  '[2001:2::1]',
  '[2001:10::1]',
  '[2001:20::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[4000::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fdff:ffff::1]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[ff0e::1]',
  '[FE80::1]',
]

const privateNames = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'api.localhost',
  'printer.local',
  'metadata.google.internal',
  'nas.home.arpa',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
]

/** URLs with a private host, in every notation that is known from attacks on other software. */
export const privateUrls: readonly string[] = [
  ...new Set([...privateIpv4, ...spelled, ...privateIpv6, ...privateNames]),
].map((host) => `https://${host}/hook`)
