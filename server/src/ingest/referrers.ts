/**
 * Returns the displayed referrer: a plain host without `www.`. All hosts, link shims and Android
 * apps of one service have one name. Empty means direct, like most scans of printed codes.
 */
export function referrerOf(referrerHost: string): string {
  const host = referrerHost
    .trim()
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
    .replace(/^www\d?\./, '')
  if (!hostName.test(host)) return ''
  return sameReferrer.get(host) ?? host
}

/**
 * Names and addresses as `URL` formats them: labels of letters, digits, `-`, `_`. IPv6 in brackets
 * is not a referrer.
 */
const hostName = /^(?=.{1,255}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/

const services: Readonly<Record<string, readonly string[]>> = {
  'facebook.com': [
    'l.facebook.com',
    'lm.facebook.com',
    'm.facebook.com',
    'web.facebook.com',
    'touch.facebook.com',
    'mbasic.facebook.com',
    'com.facebook.katana',
  ],
  'messenger.com': ['l.messenger.com', 'com.facebook.orca'],
  'instagram.com': ['l.instagram.com', 'com.instagram.android'],
  'threads.com': ['threads.net', 'l.threads.com', 'l.threads.net', 'com.instagram.barcelona'],
  'x.com': ['t.co', 'twitter.com', 'mobile.twitter.com', 'mobile.x.com', 'com.twitter.android'],
  'linkedin.com': ['lnkd.in', 'm.linkedin.com', 'com.linkedin.android'],
  'reddit.com': [
    'out.reddit.com',
    'old.reddit.com',
    'new.reddit.com',
    'np.reddit.com',
    'com.reddit.frontpage',
  ],
  'youtube.com': ['m.youtube.com', 'youtu.be', 'com.google.android.youtube'],
  'google.com': ['com.google.android.googlequicksearchbox', 'com.google.android.apps.searchlite'],
  'mail.google.com': ['com.google.android.gm'],
  'pinterest.com': ['pin.it', 'com.pinterest'],
  'tiktok.com': ['m.tiktok.com', 'vm.tiktok.com', 'com.zhiliaoapp.musically', 'com.ss.android.ugc.trill'],
  'telegram.org': ['t.me', 'web.telegram.org', 'org.telegram.messenger', 'org.telegram.messenger.web'],
  'whatsapp.com': ['web.whatsapp.com', 'wa.me', 'l.wl.co', 'com.whatsapp'],
  'slack.com': ['app.slack.com', 'com.slack'],
  'vk.com': ['away.vk.com', 'm.vk.com', 'vk.ru', 'com.vkontakte.android'],
  'snapchat.com': ['com.snapchat.android'],
  'discord.com': ['discordapp.com', 'com.discord'],
  'teams.microsoft.com': ['statics.teams.cdn.office.net', 'com.microsoft.teams'],
}

const sameReferrer = new Map(
  Object.entries(services).flatMap(([name, hosts]) => hosts.map((host) => [host, name] as const)),
)
