import type { WebhookFormat } from '#lib/contract/answers/alerts.ts'

/** `text`: without the URL. `body`: Standard Webhooks. */
export type Content = { text: string; url: string | null; body: string }

type Mark = { format: WebhookFormat; host?: RegExp; path?: RegExp }

/** The first match wins. Self-hosted servers are recognized by path. */
const MARKS: readonly Mark[] = [
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

export const recognizeFormat = ({ hostname, pathname }: URL): WebhookFormat =>
  MARKS.find(({ host, path }) => (host?.test(hostname) ?? true) && (path?.test(pathname) ?? true))
    ?.format ?? 'standard'

/** Discord rejects longer content. */
const DISCORD_MAX = 2000

export function toBody(format: WebhookFormat, content: Content): string {
  if (format === 'standard') return content.body
  if (format === 'slack') {
    return JSON.stringify({ text: withUrl(toEntities(content.text), content.url), mrkdwn: false })
  }
  const text = toMarkdown(content.text)
  if (format !== 'discord') return JSON.stringify({ text: withUrl(text, content.url) })
  const room = DISCORD_MAX - withUrl('', content.url).length
  // A cut escape sequence would escape the next character.
  const fitting = shorten(text, room).replace(/\\+…$/, '…')
  return JSON.stringify({
    content: withUrl(fitting, content.url),
    allowed_mentions: { parse: [] },
  })
}

export const withUrl = (text: string, url: string | null): string =>
  url === null ? text : `${text}\n${url}`

/** `most`: UTF-16 units. Never splits a surrogate pair. */
export const shorten = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text

const toEntities = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const toMarkdown = (text: string) => text.replace(/[\\`*_~|[\]#>]/g, '\\$&')
