import type { WebhookFormat } from '#lib/contract/answers/alerts.ts'

/** `text` is plain, without the address; `url` is the page that it leads to; `body` is that of Standard Webhooks. */
export type Content = { text: string; url: string | null; body: string }

type Mark = { format: WebhookFormat; host?: RegExp; path?: RegExp }

/** Chat servers of one's own are known by their paths, behind any prefix. The first that matches counts. */
const MARKS: readonly Mark[] = [
  // Discord takes Slack's format here.
  { format: 'slack', path: /\/api(?:\/v\d+)?\/webhooks\/\d+\/[\w-]+\/slack\/?$/ },
  {
    format: 'discord',
    host: /(?:^|\.)discord(?:app)?\.com$/,
    path: /^\/api\/(?:v\d+\/)?webhooks\//,
  },
  { format: 'discord', path: /\/api(?:\/v\d+)?\/webhooks\/\d{17,20}\/[\w-]+\/?$/ },
  { format: 'slack', host: /(?:^|\.)slack(?:-gov)?\.com$/ },
  { format: 'mattermost', path: /\/hooks\/[a-z0-9]{26}\/?$/ },
  { format: 'rocketchat', path: /\/hooks\/[A-Za-z0-9]{17,24}\/[A-Za-z0-9]{24,}\/?$/ },
]

/** The format that the receiver at an address takes; `standard` for an address that is not known. */
export const recognizeFormat = ({ hostname, pathname }: URL): WebhookFormat =>
  MARKS.find(({ host, path }) => (host?.test(hostname) ?? true) && (path?.test(pathname) ?? true))
    ?.format ?? 'standard'

/** Discord refuses a longer one. */
const DISCORD_MAX = 2000

/** The body of a message in a format: the same each time. */
export function toBody(format: WebhookFormat, content: Content): string {
  if (format === 'standard') return content.body
  if (format === 'slack') {
    return JSON.stringify({ text: withUrl(toEntities(content.text), content.url), mrkdwn: false })
  }
  const text = toMarkdown(content.text)
  if (format !== 'discord') return JSON.stringify({ text: withUrl(text, content.url) })
  const room = DISCORD_MAX - withUrl('', content.url).length
  // Half an escape would escape what follows.
  const fitting = shorten(text, room).replace(/\\+…$/, '…')
  return JSON.stringify({
    content: withUrl(fitting, content.url),
    allowed_mentions: { parse: [] },
  })
}

export const withUrl = (text: string, url: string | null): string =>
  url === null ? text : `${text}\n${url}`

/** Never more UTF-16 units than `most`, and no half of a pair. */
export const shorten = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text

/** Slack reads these three as its own marks. */
const toEntities = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const toMarkdown = (text: string) => text.replace(/[\\`*_~|[\]#>]/g, '\\$&')
