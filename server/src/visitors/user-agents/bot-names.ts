/**
 * The name of a request that is not a human scan: a pattern of the user agent and the displayed
 * name.
 */
export type NamedAgent = readonly [pattern: RegExp, name: string]

/**
 * Link unfurlers fetch a link because a person sent it to someone, so they are previews and not
 * crawlers. Names are those of the senders. Order matters: iMessage also claims to be Facebook and
 * Twitter, LINE and KakaoTalk claim to be Facebook, Telegram claims to be Twitter.
 */
export const unfurlers: readonly NamedAgent[] = [
  [/facebookexternalhit.*Facebot Twitterbot/i, 'iMessage'],
  [/line-poker/i, 'LINE'],
  [/kakaotalk-scrap/i, 'KakaoTalk'],
  [/TelegramBot/i, 'Telegram'],
  [/^WhatsApp\//i, 'WhatsApp'],
  [/facebookexternalhit|facebookcatalog|^Facebot/i, 'Facebook'],
  [/meta-externalfetcher/i, 'Meta'],
  [/Twitterbot/i, 'X'],
  [/LinkedInBot/i, 'LinkedIn'],
  [/Slackbot|Slack-ImgProxy/i, 'Slack'],
  [/Discordbot/i, 'Discord'],
  [/SkypeUriPreview|SkypeSpaces.*Preview|TeamsBot.*Preview/i, 'Skype and Teams'],
  [/Snap URL Preview|snapchat\.com\/robots|developers\.snap\.com/i, 'Snapchat'],
  [/Pinterest\/0\.|Pinterestbot\/.*preview/i, 'Pinterest'],
  [/redditbot/i, 'Reddit'],
  [/vkShare/i, 'VK'],
  [/OdklBot/i, 'Odnoklassniki'],
  [/Viber(?:Bot|UrlPreview|\/.*preview)/i, 'Viber'],
  [/ZaloPreview|Zalo.*LinkPreview/i, 'Zalo'],
  [/Google-?Messages|Google-PageRenderer|GoogleChatLinkPreview/i, 'Google Messages'],
  [/BingPreview|MicrosoftPreview/i, 'Bing preview'],
  [/Yahoo Link Preview/i, 'Yahoo'],
  [/Quora Link Preview|Quora-Bot/i, 'Quora'],
  [/Iframely/i, 'Iframely'],
  [/Embedly/i, 'Embedly'],
  [/Mastodon\/|Pleroma|Misskey|Akkoma|Lemmy\//i, 'Fediverse'],
  [/Bluesky Cardyb|Cardyb\//i, 'Bluesky'],
  [/Synapse \(bot|matrix-org|MatrixBot|Matrix-Media-Repo/i, 'Matrix'],
  [/Mattermost-?Bot/i, 'Mattermost'],
  [/Rocket\.?Chat/i, 'Rocket.Chat'],
  [/XING-contenttabreceiver/i, 'XING'],
  [/ZoomBot|Zoom\.Link/i, 'Zoom'],
  [/^Tumblr\//i, 'Tumblr'],
  [/NotionBot|NotionEmbedder/i, 'Notion'],
  [/Flipboard(?:Proxy|RSS)/i, 'Flipboard'],
  [/Line\/.*Preview|LinePreview/i, 'LINE'],
  [/Nextcloud.*Server Crawler/i, 'Nextcloud'],
  [/[-_ /]link[-_ ]?preview|url[-_ ]?preview|preview[-_ ]?bot/i, 'Link preview'],
]

/**
 * Crawlers, monitors and tools with a displayed name of their own; all others that isbot detects
 * are displayed as "Crawler".
 */
export const bots: readonly NamedAgent[] = [
  [
    /Googlebot|Google-InspectionTool|GoogleOther|Google-Read-Aloud|AdsBot-Google|Mediapartners-Google|APIs-Google|FeedFetcher-Google|Google-Site-Verification|Storebot-Google|Google Favicon|Google-Safety/i,
    'Google',
  ],
  [/bingbot|adidxbot|msnbot/i, 'Bing'],
  [/Applebot/i, 'Apple'],
  [/DuckDuckBot|DuckAssistBot|DuckDuckGo-Favicons/i, 'DuckDuckGo'],
  [
    /Yandex(?:Bot|Images|Mobile|Metrika|Webmaster|RenderResources|Accessibility|Direct)|yandex\.com\/bots/i,
    'Yandex',
  ],
  [/Baiduspider/i, 'Baidu'],
  [/Sogou (?:web |inst |Pic )?spider/i, 'Sogou'],
  [/Yahoo! Slurp/i, 'Yahoo'],
  [/PetalBot|AspiegelBot/i, 'Petal'],
  [/SeznamBot/i, 'Seznam'],
  [/Bytespider|TikTokSpider/i, 'ByteDance'],
  [/Amazonbot|Amzn-SearchBot/i, 'Amazon'],
  [/GPTBot|ChatGPT-User|OAI-SearchBot/i, 'OpenAI'],
  [/ClaudeBot|Claude-User|Claude-SearchBot|anthropic-ai/i, 'Anthropic'],
  [/PerplexityBot|Perplexity-User/i, 'Perplexity'],
  [/meta-externalagent|FacebookBot|meta-webindexer/i, 'Meta'],
  [/CCBot/i, 'Common Crawl'],
  [/AhrefsBot|AhrefsSiteAudit/i, 'Ahrefs'],
  [/SemrushBot|SiteAuditBot/i, 'Semrush'],
  [/MJ12bot/i, 'Majestic'],
  [/DotBot|rogerbot/i, 'Moz'],
  [/DataForSeoBot/i, 'DataForSEO'],
  [/Pinterestbot|pinterest\.com\/bot/i, 'Pinterest'],
  [/archive\.org_bot|Wayback|ia_archiver/i, 'Internet Archive'],
  [/UptimeRobot/i, 'UptimeRobot'],
  [/Pingdom/i, 'Pingdom'],
  [/StatusCake/i, 'StatusCake'],
  [/Site24x7/i, 'Site24x7'],
  [/Better ?Uptime|BetterStack/i, 'Better Stack'],
  [/Datadog/i, 'Datadog'],
  [/NewRelic(?:Pinger|Synthetics)|New Relic/i, 'New Relic'],
  [/GoogleStackdriverMonitoring|Google-Cloud-Scheduler|GoogleHC/i, 'Google Cloud'],
  [/Amazon-Route53|ELB-HealthChecker|CloudWatchSynthetics|Amazon CloudFront/i, 'Amazon Web Services'],
  [/kube-probe/i, 'Kubernetes'],
  [/Blackbox Exporter|Prometheus/i, 'Prometheus'],
  [/Uptime-Kuma/i, 'Uptime Kuma'],
  [/HetrixTools|Checkly|Freshping|updown\.io|Catchpoint|Zabbix|check_http|NodePing|Cronitor/i, 'Monitor'],
  [/Chrome-Lighthouse|PageSpeed|GTmetrix|PTST\//i, 'Page speed test'],
  [
    /CensysInspect|Censys|Shodan|ZGrab|masscan|Nmap|Expanse|Nuclei|InternetMeasurement|Palo Alto/i,
    'Security scanner',
  ],
  [/HeadlessChrome|PhantomJS|Puppeteer|Playwright|Selenium|Cypress/i, 'Headless browser'],
  [/^curl\//i, 'curl'],
  [/^Wget/i, 'Wget'],
  [/python-requests|python-urllib|aiohttp|python-httpx|Scrapy|^Python/i, 'Python'],
  [/Go-http-client|^Go /i, 'Go'],
  [/node-fetch|undici|axios\/|^node\b|^got |^Deno\/|^Bun\//i, 'Node.js'],
  [/okhttp|Apache-HttpClient|^Java\/|Jakarta|Dalvik\/[\d.]+ \(Linux; U; Android [^)]*\)$/i, 'Java'],
  [/GuzzleHttp|^PHP/i, 'PHP'],
  [/libwww-perl|^Perl/i, 'Perl'],
  [/^Ruby|Faraday|http\.rb/i, 'Ruby'],
  [/PostmanRuntime|insomnia\/|HTTPie/i, 'API tool'],
]
