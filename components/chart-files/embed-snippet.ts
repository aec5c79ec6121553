import { toAsofParameter } from '#lib/contract/instant-text.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import type { ChartEmbed } from './chart-facts.ts'

type SnippetOptions = {
  title: string
  /** Of this dashboard: `https://ratings.example.org`. */
  origin: string
  /** The instant (seconds since 1970) that it is frozen at; null is live. */
  asOf: number | null
}

/** The element that shows a chart on another page. */
export function toEmbedSnippet(embed: ChartEmbed, { title, origin, asOf }: SnippetOptions): string {
  const params = new URLSearchParams(embed.params)
  if (asOf !== null) params.set('asof', toAsofParameter(asOf))
  const address = `${origin}${embed.path}${toQueryText(params)}`
  return `<iframe src="${toAttribute(address)}" title="${toAttribute(title)}" width="100%" height="${embed.height}" loading="lazy" style="border:0"></iframe>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
}

/** A text between the quotes of an attribute. */
const toAttribute = (text: string): string =>
  text.replace(/[&"'<>]/g, (sign) => ENTITIES[sign] ?? sign)
