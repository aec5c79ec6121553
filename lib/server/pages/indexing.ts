import { toPathPart } from '#lib/contract/path-part.ts'
import 'server-only'
import type { ApiDeps, Respond, SharedDeps } from '#lib/api/endpoint.ts'
import { type ListedPage, type ListingRange, selectListed } from '#lib/archive/lists/listing.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { Env } from '#lib/server/environment/env.ts'

/** Fetch a page for the preview of a posted link. Every page says `noindex`. */
const PREVIEW_BOTS = [
  'Twitterbot',
  'facebookexternalhit',
  'LinkedInBot',
  'Slackbot-LinkExpanding',
  'Slackbot',
  'Discordbot',
  'TelegramBot',
  'WhatsApp',
].map((name) => `User-agent: ${name}`)

/** `publicUrl` null: nothing is indexed. */
export const toRobots = (publicUrl: URL | null): string =>
  publicUrl === null
    ? ['User-agent: *', 'Disallow: /', '', ...PREVIEW_BOTS, 'Allow: /', ''].join('\n')
    : [
        'User-agent: *',
        `Allow: ${withBase('/api/previews/')}`,
        ...['/api/', '/service/', '/embed/'].map((folder) => `Disallow: ${withBase(folder)}`),
        '',
        `Sitemap: ${toAddressOf('/sitemap.xml', publicUrl)}`,
        '',
      ].join('\n')

const toAddressOf = (path: string, origin: URL): string => new URL(withBase(path), origin).href

const PAGES = [
  '/',
  '/symbols',
  '/users',
  '/lookups',
  '/changes',
  '/users/everyone',
  '/downloads',
  '/about',
]

/** Limit of the sitemap protocol. */
const SITEMAP_MAX = 50_000

type Stretch = { offset: number; limit: number }

/** `part` is 1-based. */
export function toStretches(lengths: readonly number[], part: number, size: number): Stretch[] {
  const [from, to] = [(part - 1) * size, part * size]
  let before = 0
  return lengths.map((length) => {
    const [first, last] = [Math.max(from, before), Math.min(to, before + length)]
    const offset = Math.max(0, first - before)
    before += length
    return { offset, limit: Math.max(0, last - first) }
  })
}

export const respondSitemap = (env: Env | null): Respond =>
  toEndpoint(env, async (deps, origin) => {
    const counts = await countPages(deps)
    const total = toTotal(counts)
    if (total <= SITEMAP_MAX) return await toPart(deps, origin, { part: 1, counts })
    const parts = Array.from({ length: Math.ceil(total / SITEMAP_MAX) }, (_, index) =>
      toElement('sitemap', { loc: toAddressOf(`/sitemaps/${index + 1}.xml`, origin) }),
    )
    return toXml('sitemapindex', parts)
  })

const PART = /^([1-9]\d{0,4})\.xml$/

export const respondSitemapPart = (env: Env | null): Respond =>
  toEndpoint(env, async (deps, origin, request) => {
    const file = new URL(request.url).pathname.split('/').at(-1) ?? ''
    const part = Number(PART.exec(file)?.[1] ?? 0)
    const counts = await countPages(deps)
    if (part === 0 || part > Math.ceil(toTotal(counts) / SITEMAP_MAX)) throw notThere()
    return await toPart(deps, origin, { part, counts })
  })

type ToXml = (deps: Deps, origin: URL, request: Request) => Promise<string>
type Deps = Pick<ApiDeps & SharedDeps, 'archive' | 'now'>

const toEndpoint =
  (env: Env | null, toXmlOf: ToXml): Respond =>
  async (deps, { request }) => {
    if (!env?.isIndexed || !env.publicUrl) throw notThere()
    const freeSlot = deps.takeExportSlot()
    try {
      const xml = await toXmlOf(deps, env.publicUrl, request)
      const headers = { 'content-type': 'application/xml', 'cache-control': 'public, max-age=3600' }
      return new Response(xml, { headers })
    } finally {
      freeSlot()
    }
  }

const notThere = () => new AppError('not_found', 'No such sitemap.')

type Kind = ListingRange['kind']

const selectStretch = async ({ archive, now }: Deps, kind: Kind, stretch: Stretch) =>
  await selectListed(archive.reader, { kind, ...stretch }, { at: now() })

type Counts = { symbols: number; users: number }

async function countPages(deps: Deps): Promise<Counts> {
  const nothing = { offset: 0, limit: 0 }
  const symbols = await selectStretch(deps, 'symbol', nothing)
  const users = await selectStretch(deps, 'user', nothing)
  return { symbols: symbols.total, users: users.total }
}

const toTotal = ({ symbols, users }: Counts) => PAGES.length + symbols + users

async function toPart(
  deps: Deps,
  origin: URL,
  { part, counts: { symbols, users } }: { part: number; counts: Counts },
): Promise<string> {
  const [ofPages, ofSymbols, ofUsers] = toStretches(
    [PAGES.length, symbols, users],
    part,
    SITEMAP_MAX,
  )
  const { offset, limit } = ofPages ?? NOTHING
  const listed = {
    '/symbols/': (await selectStretch(deps, 'symbol', ofSymbols ?? NOTHING)).rows,
    '/users/': (await selectStretch(deps, 'user', ofUsers ?? NOTHING)).rows,
  }
  const addresses = [
    ...PAGES.slice(offset, offset + limit).map((path) => ({ loc: toAddressOf(path, origin) })),
    ...Object.entries(listed).flatMap(([folder, rows]) =>
      rows.map((row) => toAddress(origin, folder, row)),
    ),
  ]
  return toXml(
    'urlset',
    addresses.map((address) => toElement('url', address)),
  )
}

const NOTHING: Stretch = { offset: 0, limit: 0 }

const toAddress = (origin: URL, folder: string, { name, last_created_at: at }: ListedPage) => ({
  loc: toAddressOf(folder + toPathPart(name), origin),
  lastmod: new Date(at * 1000).toISOString().slice(0, 10),
})

const toXml = (root: string, elements: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`,
    ...elements,
    `</${root}>`,
    '',
  ].join('\n')

const toElement = (name: string, parts: Readonly<Record<string, string>>): string =>
  `<${name}>${Object.entries(parts)
    .map(([part, text]) => `<${part}>${toXmlText(text)}</${part}>`)
    .join('')}</${name}>`

const toXmlText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&apos;')
