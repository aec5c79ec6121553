import { createHash } from 'node:crypto'
import type { FeedFormat } from '#lib/contract/feed-query.ts'

/** Seconds since 1970; absolute addresses. */
export type FeedEntry = {
  /** Stable across changes of the address ({@link toFeedId}). */
  id: string
  title: string
  text: string
  address: string
  at: number
  author: { name: string; address: string } | null
  tags: readonly string[]
}

/** `next` is older, `previous` newer (RFC 5005). */
export type Feed = {
  id: string
  title: string
  subtitle: string
  self: string
  page: string
  first: string
  next: string | null
  previous: string | null
  entries: readonly FeedEntry[]
}

export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
}

export const toFeedDocument = (feed: Feed, format: FeedFormat): string =>
  format === 'atom' ? toAtom(feed) : toJsonFeed(feed)

const NAMESPACE = Buffer.from('5f0c2f7c1f5b4a35a7ce9d0f6f3f2f61', 'hex')

export function toFeedId(...name: readonly (string | number)[]): string {
  const hash = createHash('sha1').update(NAMESPACE).update(JSON.stringify(name)).digest()
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex', 0, 16)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)]
  return `urn:uuid:${[...parts, hex.slice(20)].join('-')}`
}

const toTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** Null without entries. */
export const selectNewest = ({ entries }: Pick<Feed, 'entries'>): number | null =>
  entries.reduce<number | null>((newest, { at }) => Math.max(newest ?? at, at), null)

/** Atom requires an instant. */
const NEVER = 0

/** No charset: readers match the exact type. */
const ATOM_TYPE = 'application/atom+xml'

function toAtom(feed: Feed): string {
  const links = [
    toLink('self', feed.self, ATOM_TYPE),
    toLink('alternate', feed.page, 'text/html'),
    toLink('first', feed.first, ATOM_TYPE),
    ...(feed.previous === null ? [] : [toLink('previous', feed.previous, ATOM_TYPE)]),
    ...(feed.next === null ? [] : [toLink('next', feed.next, ATOM_TYPE)]),
  ]
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    toElement('id', feed.id),
    toElement('title', feed.title),
    toElement('subtitle', feed.subtitle),
    toElement('updated', toTime(selectNewest(feed) ?? NEVER)),
    `<author>${toElement('name', 'Bellwether')}</author>`,
    ...links,
    ...feed.entries.map(toAtomEntry),
    '</feed>',
    '',
  ].join('\n')
}

function toAtomEntry({ id, title, text, address, at, author, tags }: FeedEntry): string {
  return [
    '<entry>',
    toElement('id', id),
    toElement('title', title),
    toElement('updated', toTime(at)),
    toElement('published', toTime(at)),
    ...(author
      ? [`<author>${toElement('name', author.name)}${toElement('uri', author.address)}</author>`]
      : []),
    toLink('alternate', address, 'text/html'),
    ...tags.map((tag) => `<category term="${toEscaped(tag)}"/>`),
    `<content type="text">${toEscaped(text)}</content>`,
    '</entry>',
  ].join('\n')
}

const toElement = (name: string, text: string) => `<${name}>${toEscaped(text)}</${name}>`

const toLink = (rel: string, address: string, type: string) =>
  `<link rel="${rel}" type="${toEscaped(type)}" href="${toEscaped(address)}"/>`

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Forbidden by XML 1.0 even when escaped. */
const IMPOSSIBLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const toEscaped = (text: string): string =>
  text.replace(IMPOSSIBLE, '\ufffd').replace(/[&<>"']/g, (found) => ESCAPES[found] ?? found)

function toJsonFeed(feed: Feed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    description: feed.subtitle,
    home_page_url: feed.page,
    feed_url: feed.self,
    ...(feed.next === null ? {} : { next_url: feed.next }),
    language: 'en',
    items: feed.entries.map(({ id, title, text, address, at, author, tags }) => ({
      id,
      url: address,
      title,
      content_text: text,
      date_published: toTime(at),
      tags,
      ...(author ? { authors: [{ name: author.name, url: author.address }] } : {}),
    })),
  })
}
