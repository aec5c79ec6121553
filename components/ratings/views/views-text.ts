import * as z from 'zod/mini'
import { NO_STARS, type Stars } from '#components/watch/stars.ts'
import { readWatchedInFile, toWatchedInFile } from '#components/watch/stars-text.ts'
import type { Watched } from '#components/watch/watched.ts'
import { ADDRESS_MAX_LENGTH, readName, type SavedViews } from './saved-view.ts'

const VIEWS_FORMAT = 'bellwether.views'
const VIEWS_VERSION = 1
/** Longer texts are not even parsed; 200 views of the greatest length stay below it. */
export const TEXT_MAX_LENGTH = 1_000_000

/** A view that was left out of what was read, and why. */
export type LeftOut = { name: string; problem: string }

export type ReadViews =
  | { ok: true; views: SavedViews; leftOut: LeftOut[]; watched: Watched[] }
  | { ok: false; problem: string; isNewer: boolean }

const revision = z._default(z.int().check(z.gte(0), z.lte(1e12)), 0)
const id = z.string().check(z.regex(/^[a-z0-9-]{1,40}$/))
const view = z.object({
  id,
  name: z.string(),
  address: z.string().check(z.maxLength(ADDRESS_MAX_LENGTH)),
  revision,
})

/**
 * In the browser and in files: views in their order. Only the browser keeps `removed` and the revisions, because two tabs may write at
 * once. Only files have `watched`.
 */
const current = z.object({
  format: z.literal(VIEWS_FORMAT),
  version: z.literal(VIEWS_VERSION),
  views: z.array(z.unknown()),
  removed: z._default(z.array(z.object({ id, revision })), []),
  default: z._default(z.nullable(z.string()), null),
  default_revision: revision,
  order_revision: revision,
  watched: z.optional(z.unknown()),
})

const header = z.object({ format: z.literal(VIEWS_FORMAT), version: z.int() })

/** Reads views from the browser or from a file. Never throws. */
export function readViewsText(text: string): ReadViews {
  const refuse = (problem: string, isNewer = false) => ({ ok: false, problem, isNewer }) as const
  if (text.length > TEXT_MAX_LENGTH) return refuse('That is too long for a list of views.')
  const json = parseJson(text)
  const head = header.safeParse(json)
  if (!head.success) return refuse('That is not a list of views from this dashboard.')
  const { version } = head.data
  if (version > VIEWS_VERSION) {
    return refuse('These views were saved by a newer version of this dashboard.', true)
  }
  const read = current.safeParse(json)
  if (!read.success) return refuse('That list of views is damaged.')
  return { ok: true, ...fromDocument(read.data) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fromDocument(document: z.output<typeof current>) {
  const views = new Map<string, SavedViews['views'][number]>()
  const leftOut: LeftOut[] = []
  for (const item of document.views) {
    const read = view.safeParse(item)
    const name = readName(read.data?.name ?? '')
    if (!read.success) leftOut.push({ name: toNameOf(item), problem: 'It is damaged.' })
    else if (!name.ok) leftOut.push({ name: toNameOf(item), problem: name.problem })
    else if (views.has(read.data.id))
      leftOut.push({ name: name.name, problem: 'It is there twice.' })
    else views.set(read.data.id, { ...read.data, name: name.name })
  }
  return {
    views: {
      views: [...views.values()],
      removed: document.removed,
      first: { id: document.default, revision: document.default_revision },
      orderRevision: document.order_revision,
    },
    leftOut,
    watched: readWatchedInFile(document.watched),
  }
}

const named = z.object({ name: z.string() })

/** What may be said of a view that could not be read: its text may be anything. */
function toNameOf(item: unknown): string {
  const read = named.safeParse(item)
  const name = readName([...(read.data?.name ?? '')].slice(0, 40).join(''))
  return name.ok ? name.name : 'A view whose name cannot be shown'
}

/** The text that is kept in the browser. The same views give the same text. */
export function toStoredText({ views, removed, first: start, orderRevision }: SavedViews): string {
  return JSON.stringify({
    format: VIEWS_FORMAT,
    version: VIEWS_VERSION,
    views: views.map(({ id, name, address, revision }) => ({ id, name, address, revision })),
    removed: removed.map(({ id, revision }) => ({ id, revision })),
    default: start.id,
    default_revision: start.revision,
    order_revision: orderRevision,
  })
}

/** The text of a file: what a reader takes along, what is watched too, and nothing of how this browser keeps it. */
export function toFileText({ views, first: start }: SavedViews, stars: Stars = NO_STARS): string {
  const isThere = views.some(({ id }) => id === start.id)
  const document = {
    format: VIEWS_FORMAT,
    version: VIEWS_VERSION,
    default: isThere ? start.id : null,
    views: views.map(({ id, name, address }) => ({ id, name, address })),
    watched: toWatchedInFile(stars),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
